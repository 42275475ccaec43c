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
import io.arraywire.examples.npy.NpyArray;
import io.arraywire.examples.npy.NpyAttributes;
import io.arraywire.examples.npy.NpyHeader;
import io.arraywire.examples.npy.NpyReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code arraywire send}. */
@Command(
    name = "send",
    description =
        "Sends the arrays of .npy files and, but for plain mode, waits until the other side has"
            + " written them.",
    footer = {
      "",
      "Status 0 means that every array was acknowledged. Plain mode has no acknowledgements: there"
          + " it means that this host's kernel took every byte and that the connection ended without"
          + " an error that could be seen from here, not that anybody read them.",
      "An array without dimensions, shape (), arrives with shape (1,); plain mode keeps no shape at"
          + " all.",
      "",
      "  arraywire send --to localhost:4711 weights.npy",
      "  arraywire send --to [::1]:4711 --codec protobuf --repeat 100 a.npy b.npy"
    })
final class SendCommand implements Callable<Integer> {
  /** Enough for the next array to be under way while the last one is acknowledged. */
  private static final int MOST_UNDER_WAY = 4;

  private final Console console;

  @Spec private CommandSpec spec;
  @Mixin private TransferOptions transfer;

  @Option(
      names = "--to",
      paramLabel = "HOST:PORT",
      required = true,
      converter = TransferOptions.AddressConverter.class,
      description = "Where the receiver listens. Also [::1]:PORT and unix:PATH.")
  private Address to;

  @Option(
      names = "--max-bytes",
      paramLabel = "SIZE",
      defaultValue = "16G",
      converter = TransferOptions.SizeConverter.class,
      description =
          "The largest array to send, such as 512M; the receiver's limit holds too. Default: 16G.")
  private long maxBytes;

  @Option(
      names = "--repeat",
      paramLabel = "N",
      defaultValue = "1",
      description = "Send each file N times. Default: 1.")
  private int repeat;

  @Parameters(arity = "1..*", paramLabel = "FILE.npy", description = "What to send.")
  private List<Path> files;

  SendCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws Exception {
    if (repeat < 1) {
      throw usage("--repeat must be at least 1 (repeat=" + repeat + ")");
    }
    if (to.port() == 0) {
      throw usage("port 0 is for listening only; give the port that 'arraywire receive' printed");
    }
    List<NpyHeader> headers = headers();
    try (Transport transport = transfer.create(plainType(headers), maxBytes, true)) {
      Connection connection = transport.connect(to.resolve());
      try (ProgressMeter progress = progress(headers)) {
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
    return 0;
  }

  /** All files are checked before the first is sent. */
  private List<NpyHeader> headers() throws IOException {
    List<NpyHeader> headers = new ArrayList<>();
    for (Path file : files) {
      NpyHeader header = NpyReader.readHeader(file);
      transfer.checkSupports(header.dtype().type(), file);
      headers.add(header);
    }
    return headers;
  }

  private @Nullable ElementType plainType(List<NpyHeader> headers) {
    if (!transfer.plain()) {
      return null;
    }
    ElementType type = headers.get(0).dtype().type();
    for (int i = 1; i < headers.size(); i++) {
      ElementType other = headers.get(i).dtype().type();
      if (other != type) {
        throw usage(
            "plain mode sends one element type only; send the files one by one ("
                + files.get(0)
                + "="
                + type.javaName()
                + ", "
                + files.get(i)
                + "="
                + other.javaName()
                + ")");
      }
    }
    return type;
  }

  private ProgressMeter progress(List<NpyHeader> headers) {
    long bytes =
        headers.stream().mapToLong(each -> each.count() * each.dtype().type().bytes()).sum();
    return new ProgressMeter(console, "sending", "MiB", 1 << 20, bytes * repeat);
  }

  private void send(Connection connection, Path file, ProgressMeter progress, boolean last)
      throws Exception {
    NpyArray array = NpyReader.read(file);
    ArraySlice slice = array.elements();
    SendOptions options =
        transfer.plain()
            ? SendOptions.handedOff()
            : new SendOptions(NpyAttributes.of(array.header()), Delivery.PROCESSED);
    Totals totals = new Totals();
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
    if (last) {
      // Else it would be drawn once more below the line that says that all is done.
      progress.close();
    } else {
      progress.wipe();
    }
    new SendReport(console, transfer.json())
        .sent(file, to, array, repeat, nanos, totals, options.delivery());
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
      if (transfer.plain()) {
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

  private ParameterException usage(String text) {
    return new ParameterException(spec.commandLine(), text);
  }

  /** The sum of the receipts of one file; a counter that one receipt does not know is not known. */
  static final class Totals {
    private long wireBytes;
    private long copiedBytes;
    private long channelOperations;

    void add(Receipt receipt) {
      wireBytes = sum(wireBytes, receipt.wireBytes());
      copiedBytes = sum(copiedBytes, receipt.copiedBytes());
      channelOperations = sum(channelOperations, receipt.channelOperations());
    }

    private static long sum(long total, long more) {
      return total == Receipt.UNKNOWN || more == Receipt.UNKNOWN ? Receipt.UNKNOWN : total + more;
    }

    long wireBytes() {
      return wireBytes;
    }

    long copiedBytes() {
      return copiedBytes;
    }

    long channelOperations() {
      return channelOperations;
    }
  }
}
