package io.arraywire.examples.cli;

import io.arraywire.Agreement;
import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.Delivery;
import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.ErrorCode;
import io.arraywire.Receipt;
import io.arraywire.RemoteRejectedException;
import io.arraywire.SendOptions;
import io.arraywire.TransportOptions;
import io.arraywire.examples.file.ArrayFile;
import io.arraywire.examples.file.SendTechnique;
import io.arraywire.examples.npy.NpyAttributes;
import io.arraywire.source.ArraySource;
import io.arraywire.spi.Codecs;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Sends files, by one of the techniques or as arrays on the heap: {@code --technique array}. */
final class SendArrays {
  /** What {@code --technique} calls an array on the heap. */
  static final String NAME = "array";

  /** How long an acknowledgement may take before it is said so; then twice as long, and so on. */
  private static final int REMINDER_SECONDS = 5;

  private static final System.Logger LOGGER = System.getLogger("io.arraywire.examples.cli");

  /** How the message begins when the receiver refuses an array; its reason follows. */
  static final String REFUSED = "the far side refused the array: ";

  /** What a process needs in its heap beside the array. */
  private static final long BESIDES_ARRAY_BYTES = 64 << 20;

  /**
   * How a connection ends, whichever side says so, and how a receiver says that it has no room now.
   * Another refusal, or a breach of protocol, will be there at the next attempt, too.
   */
  private static final Set<ErrorCode> BROKEN_OFF =
      EnumSet.of(
          ErrorCode.CONNECTION_CLOSED,
          ErrorCode.CONNECTION_RESET,
          ErrorCode.HEARTBEAT_TIMEOUT,
          ErrorCode.SLOW_PEER,
          ErrorCode.SLOW_FRAME,
          ErrorCode.STALLED_ARRAY,
          ErrorCode.IDLE_TIMEOUT,
          ErrorCode.TRUNCATED,
          ErrorCode.DELIVERY_UNKNOWN,
          ErrorCode.TOO_MANY_REQUESTS,
          ErrorCode.MEMORY_BUDGET);

  /** Enough for the next array to be in flight while the last one is acknowledged. */
  private static final int MOST_UNDER_WAY = 4;

  private final Address to;
  private final int repeat;
  private final boolean plain;
  private final boolean asTheyLie;
  private final @Nullable String compress;
  private final @Nullable SendTechnique technique;
  private final SendReport report;
  private final boolean skipExisting;
  private final @Nullable Resuming resuming;
  private int skipped;

  /**
   * Makes one.
   *
   * @param asTheyLie whether to send elements in the byte order of their file, where the peer
   *     understands it
   * @param compress the codec that compresses the elements, or null for none
   * @param technique null for an array on the heap
   * @param skipExisting whether an array whose name is taken at the receiver is no failure
   * @param resuming finds out what the receiver has of a file, or null to send all of each
   */
  SendArrays(
      Address to,
      int repeat,
      boolean plain,
      boolean asTheyLie,
      @Nullable String compress,
      @Nullable SendTechnique technique,
      SendReport report,
      boolean skipExisting,
      @Nullable Resuming resuming) {
    this.to = to;
    this.repeat = repeat;
    this.plain = plain;
    this.asTheyLie = asTheyLie;
    this.compress = compress;
    this.technique = technique;
    this.report = report;
    this.skipExisting = skipExisting;
    this.resuming = resuming;
  }

  void run(Connection connection, List<Outgoing> files, ProgressMeter meter) throws Exception {
    try (ProgressMeter progress = meter) {
      progress.less(() -> connection.load().queuedBytes());
      for (int i = 0; i < files.size(); i++) {
        sendOne(connection, files, i, progress);
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

  private void sendOne(Connection connection, List<Outgoing> files, int at, ProgressMeter progress)
      throws Exception {
    Outgoing file = files.get(at);
    try {
      send(connection, file, progress, at == files.size() - 1);
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      if (skipExisting && isTaken(file, e)) {
        skipped++;
        progress.makeWay(at == files.size() - 1);
        report.skipped(file, to);
      } else if (files.size() > 1) {
        throw new UnfinishedSendException(
            file.shown(), at + 1, files.size(), skipped, goesOn(e), isTaken(file, e), e);
      } else {
        throw goesOn(e) ? new UnfinishedSendException(e) : e;
      }
    }
  }

  /** Whether the same command goes on: the connection has ended, and the receiver keeps things. */
  private boolean goesOn(Exception failure) {
    return resuming != null
        && resuming.goesOn()
        && failure instanceof ArraywireException typed
        && BROKEN_OFF.contains(typed.code());
  }

  /**
   * Whether the receiver has a file of that name; the connection is as good as before. The words
   * must stand where the reason begins: another reason may quote them, in the name of a file.
   */
  private static boolean isTaken(Outgoing file, Exception failure) {
    return file.name() != null
        && failure instanceof RemoteRejectedException
        && String.valueOf(failure.getMessage()).startsWith(REFUSED + ArrayStore.TAKEN + " (name=");
  }

  private void send(Connection connection, Outgoing file, ProgressMeter progress, boolean last)
      throws Exception {
    try {
      sendWhereThereIsRoom(connection, file, progress, last);
    } catch (ArraywireException e) {
      try {
        file.file().check();
      } catch (IOException changed) {
        changed.addSuppressed(e);
        throw changed;
      }
      throw e;
    }
  }

  /** With {@code --resume}, waits a while for a receiver that has no room; else fails at once. */
  private void sendWhereThereIsRoom(
      Connection connection, Outgoing file, ProgressMeter progress, boolean last) throws Exception {
    RoomWait room = resuming == null ? null : resuming.waitForRoom();
    while (true) {
      ProgressMeter.Mark before = progress.mark();
      try {
        sendChecked(connection, file, progress, last);
        return;
      } catch (ArraywireException e) {
        if (room == null || !room.isWorthAnother(connection, file.shown(), e)) {
          throw e;
        }
        progress.backTo(before);
      }
    }
  }

  private void sendChecked(
      Connection connection, Outgoing outgoing, ProgressMeter progress, boolean last)
      throws Exception {
    Remainder rest =
        resuming == null ? Remainder.all(outgoing.file()) : resuming.of(connection, outgoing);
    progress.skip(rest.alreadyBytes());
    if (rest.isThere()) {
      skipped++;
      progress.makeWay(last);
      report.isThere(outgoing, to);
      return;
    }
    ArraySource source = source(rest);
    SendOptions options = options(connection, outgoing, rest);
    SendTotals totals = new SendTotals();
    ArrayDeque<CompletableFuture<Receipt>> underWay = new ArrayDeque<>();
    int most = mostUnderWay(source.bytes());
    long start = System.nanoTime();
    for (int i = 0; i < repeat; i++) {
      if (underWay.size() == most) {
        totals.add(done(connection, underWay.remove()), copiedBefore(source));
      }
      progress.step(source.bytes());
      underWay.add(connection.sendAsync(source, options).toCompletableFuture());
    }
    while (!underWay.isEmpty()) {
      totals.add(done(connection, underWay.remove()), copiedBefore(source));
    }
    long nanos = System.nanoTime() - start;
    progress.makeWay(last);
    report.sent(
        outgoing,
        to,
        repeat,
        rest.alreadyBytes(),
        nanos,
        totals,
        options.delivery(),
        compress != null ? compress : totals.compression(source.bytes() * repeat),
        technique == null ? NAME : technique.toString());
  }

  private ArraySource source(Remainder rest) throws IOException {
    ArraySource source = technique == null ? read(rest.file()) : technique.source(rest.file());
    if (rest.stamp() != null) {
      // From now on the source itself notices.
      rest.stamp().check(rest.file().path());
    }
    return source;
  }

  private SendOptions options(Connection connection, Outgoing outgoing, Remainder rest)
      throws IOException {
    ArrayFile file = outgoing.file();
    if (plain) {
      return SendOptions.handedOff();
    }
    SendOptions options =
        new SendOptions(NpyAttributes.of(rest.file().header()), Delivery.PROCESSED);
    if (outgoing.name() != null) {
      options = options.metadata(TravelName.KEY, outgoing.name().toString());
    }
    if (resuming != null) {
      options = options.metadata(ResumeQuestion.FROM, Long.toString(rest.already()));
    }
    if (outgoing.digest() != null) {
      options = options.metadata(ElementDigest.KEY, outgoing.digest());
    }
    if (compress != null) {
      return options.codec(decodable(connection, compress));
    }
    return technique == null || !asTheyLie
        ? options
        : options.codec(asItLies(connection.agreement(), file.encoding()));
  }

  /**
   * The codec to name so that elements travel in the byte order of their file.
   *
   * @return null if the connection's own choice does that, which then remains free to compress; and
   *     if the peer does not understand that byte order
   */
  static @Nullable String asItLies(Agreement agreement, Encoding encoding) {
    return agreement.sendEncoding().equals(encoding.name())
        ? null
        : agreement.codecs().stream()
            .filter(each -> Codecs.named(each).encoding().equals(encoding))
            .findFirst()
            .orElse(null);
  }

  private static String decodable(Connection connection, String codec) throws IOException {
    List<String> agreed = connection.agreement().codecs();
    if (agreed.contains(codec)) {
      return codec;
    }
    throw new IOException(
        "the receiver cannot decode that; leave out --compress, or add arraywire-compression there."
            + " 'arraywire receive --into' decodes nothing; --out does (compress="
            + codec
            + ", agreed="
            + agreed
            + ")");
  }

  /** What a technique copies, before that which the receipt counts. */
  private long copiedBefore(ArraySource source) {
    return technique == null ? 0 : technique.copies() * source.bytes();
  }

  private ArraySlice read(ArrayFile file) throws IOException {
    try {
      return file.read();
    } catch (OutOfMemoryError e) {
      boolean needsHeap = file.type() == ElementType.BOOLEAN;
      throw new IOException(
          "not enough memory for the array; "
              + Complaints.moreHeap(file.bytes() + file.bytes() / 4 + BESIDES_ARRAY_BYTES)
              + (needsHeap
                  ? ""
                  : ", or --technique " + SendTechnique.FASTEST + ", which needs no heap for it")
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

  private Receipt done(Connection connection, CompletableFuture<Receipt> stage) throws Exception {
    long waited = 0;
    for (long seconds = REMINDER_SECONDS; ; ) {
      boolean sent = connection.load().queuedBytes() == 0;
      try {
        return stage.get(seconds, TimeUnit.SECONDS);
      } catch (TimeoutException e) {
        if (sent) {
          waited += seconds;
          LOGGER.log(
              Level.WARNING,
              "the peer has not acknowledged what it was sent for "
                  + waited
                  + " s: its handler has not returned, or it takes no arrays (peer="
                  + connection.remoteAddress()
                  + ")");
          seconds = waited;
        }
      } catch (ExecutionException e) {
        if (e.getCause() instanceof Exception cause) {
          throw cause;
        }
        throw e;
      }
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

  /** A file that cannot be sent is no reason to break off what is in flight. */
  private static void closeAfter(Connection connection, Exception failure) {
    try {
      connection.close();
    } catch (ArraywireException e) {
      failure.addSuppressed(e);
    }
  }
}
