package io.arraywire.examples.cli;

import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.Delivery;
import io.arraywire.ElementType;
import io.arraywire.Receipt;
import io.arraywire.SendOptions;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.examples.file.ArrayFile;
import io.arraywire.examples.npy.NpyAttributes;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** Sends files as arrays on the heap, through the library: {@code --technique array}. */
final class SendArrays {
  /** What {@code --technique} calls it. */
  static final String NAME = "array";

  /** What a process needs in its heap beside the array. */
  private static final long BESIDES_ARRAY_BYTES = 64 << 20;

  /** Enough for the next array to be under way while the last one is acknowledged. */
  private static final int MOST_UNDER_WAY = 4;

  private final Address to;
  private final int repeat;
  private final boolean plain;
  private final SendReport report;

  SendArrays(Address to, int repeat, boolean plain, SendReport report) {
    this.to = to;
    this.repeat = repeat;
    this.plain = plain;
    this.report = report;
  }

  void run(Transport transport, List<ArrayFile> files, ProgressMeter meter) throws Exception {
    Connection connection = transport.connect(to.resolve());
    try (ProgressMeter progress = meter) {
      for (int i = 0; i < files.size(); i++) {
        send(connection, files.get(i), progress, i == files.size() - 1);
      }
    } catch (InterruptedException e) {
      connection.closeNow();
      throw e;
    } catch (Exception e) {
      closeAfter(connection, e);
      throw e;
    }
    close(connection);
  }

  private void send(Connection connection, ArrayFile file, ProgressMeter progress, boolean last)
      throws Exception {
    ArraySlice slice = read(file);
    SendOptions options =
        plain
            ? SendOptions.handedOff()
            : new SendOptions(NpyAttributes.of(file.header()), Delivery.PROCESSED);
    SendTotals totals = new SendTotals();
    ArrayDeque<CompletableFuture<Receipt>> underWay = new ArrayDeque<>();
    int most = mostUnderWay(slice.bytes());
    long start = System.nanoTime();
    for (int i = 0; i < repeat; i++) {
      if (underWay.size() == most) {
        totals.add(done(underWay.remove()));
        progress.step(slice.bytes());
      }
      underWay.add(connection.sendAsync(slice, options).toCompletableFuture());
    }
    while (!underWay.isEmpty()) {
      totals.add(done(underWay.remove()));
      progress.step(slice.bytes());
    }
    long nanos = System.nanoTime() - start;
    progress.makeWay(last);
    report.sent(file, to, repeat, nanos, totals, options.delivery(), NAME);
  }

  private ArraySlice read(ArrayFile file) throws IOException {
    try {
      return file.read();
    } catch (OutOfMemoryError e) {
      boolean needsHeap = plain || file.type() == ElementType.BOOLEAN;
      throw new IOException(
          "not enough memory for the array; "
              + Complaints.moreHeap(file.bytes() + file.bytes() / 4 + BESIDES_ARRAY_BYTES)
              + (needsHeap ? "" : ", or --technique mapped, which needs no heap for it")
              + " (file="
              + file.path()
              + ", bytes="
              + file.bytes()
              + ", maxHeapBytes="
              + Runtime.getRuntime().maxMemory()
              + ")",
          e);
    }
  }

  /** As many as fit half of the send queue: a full one would refuse the next array. */
  private static int mostUnderWay(long bytes) {
    long fit = TransportOptions.defaults().sendQueueBytes() / 2 / Math.max(1, bytes);
    return (int) Math.max(1, Math.min(MOST_UNDER_WAY, fit));
  }

  private static Receipt done(CompletableFuture<Receipt> stage) throws Exception {
    try {
      return stage.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Exception cause) {
        throw cause;
      }
      throw e;
    }
  }

  /**
   * In plain mode nothing was acknowledged, and closing may be the first to notice that the other
   * side broke off. In framed mode all was acknowledged, and a receiver that has what it wanted may
   * well be gone by now.
   */
  private void close(Connection connection) throws ArraywireException {
    try {
      connection.close();
    } catch (ArraywireException e) {
      if (plain) {
        throw e;
      }
    }
  }

  /** A file that cannot be sent is no reason to break off what is under way. */
  private static void closeAfter(Connection connection, Exception failure) {
    try {
      connection.close();
    } catch (ArraywireException e) {
      failure.addSuppressed(e);
    }
  }
}
