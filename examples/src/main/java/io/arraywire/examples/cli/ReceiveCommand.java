package io.arraywire.examples.cli;

import io.arraywire.ArraywireException;
import io.arraywire.BindFailedException;
import io.arraywire.ElementType;
import io.arraywire.Listener;
import io.arraywire.Transport;
import io.arraywire.TransportCounters;
import io.arraywire.examples.file.FullDiskException;
import io.arraywire.examples.file.PeerFailures;
import io.arraywire.examples.file.ReceiveTechnique;
import io.arraywire.examples.file.Reports;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Iterator;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code arraywire receive}. */
@Command(
    name = "receive",
    description = "Listens, and writes each array that arrives to a .npy file.",
    footer = {
      "",
      "The first line of output is 'listening on HOST:PORT'; then comes a line for each array.",
      "An array is acknowledged to its sender once its file is whole. receive ends with Ctrl-C"
          + " (status 130) or after --count arrays (0). It fails (1) when no array can be written, or"
          + " when with --count a connection breaks off in the middle of an array. An array for which"
          + " the disk has no room is refused and reported. A peer that fails before it sends an array"
          + " is only reported.",
      "With --into, peers are served at the same time, and the first array that is whole is taken. A"
          + " peer has 10 seconds for its handshake and 30 to begin an array. It must send at least"
          + " 64 KiB of it every 30 seconds. If 64 peers are connected and another one comes, the"
          + " slowest that sends less than 64 KiB per second is disconnected.",
      "No file is ever overwritten. Until an array is whole, its file is hidden: .NAME.XXXXXXXX.part"
          + " in the same directory, or in the nearest one above that is there. If the transfer breaks"
          + " off, it is removed. With send --resume it is kept, and the same command goes on with it."
          + " You may delete such files while no receive runs there.",
      "",
      "  arraywire receive --listen localhost:4711 --out arrays",
      "  arraywire receive --listen localhost:4711 --discard --stats",
      "  arraywire receive --listen localhost:4711 --max-bytes 64G --into large.npy",
      "  arraywire receive --listen 0.0.0.0:4711 --plain --type float --out one.npy"
    })
final class ReceiveCommand implements Callable<Integer> {
  /** How much of the heap one array may take while it grows: the rest is for everything else. */
  static final double HEAP_SHARE = 0.8;

  private static final long CLOSE_MILLIS = 2_000;

  private final Console console;

  @Spec private CommandSpec spec;

  // In the order in which help has them; what one measures with comes last.
  @Option(
      names = "--listen",
      paramLabel = "HOST:PORT",
      required = true,
      converter = TransferOptions.AddressConverter.class,
      description =
          "Where to listen; port 0 takes a free one. :PORT listens on all addresses of this host."
              + " Also [::1]:PORT and unix:PATH.")
  private Address listen;

  @Option(
      names = "--out",
      paramLabel = "FILE|DIR",
      description =
          "Where arrays go. A directory gets array-000001.npy and so on, numbered on from what is"
              + " there, and files that come with a name. A name that ends in .npy gets one array: it"
              + " must not exist, and implies --count 1. With - .npy files go to standard output, and"
              + " all lines to standard error. Default: this directory.")
  private @Nullable Path out;

  @Option(names = "--count", paramLabel = "N", description = "End after N arrays.")
  private @Nullable Long count;

  @Option(names = "--discard", description = "Write no files. Not together with --out.")
  private boolean discard;

  @Option(
      names = "--max-bytes",
      paramLabel = "SIZE",
      defaultValue = "1G",
      converter = SizeConverter.class,
      description =
          "The largest array to accept, such as 512M. One of 1 MiB or more goes straight into its"
              + " file, but not with --out - and --discard. Other arrays take heap as their bytes"
              + " arrive, together at most four fifths of it. Default: 1G.")
  private long maxBytes;

  @Option(
      names = "--stats",
      description =
          "Show on standard error what comes: arrays and MB per second, arrays in all, open"
              + " connections, arrays that wait to be written. Channels under back-pressure, arrays"
              + " refused and connections failed are shown if there are any.")
  private boolean stats;

  @Option(
      names = "--stats-every",
      paramLabel = "SECONDS",
      description =
          "How often. Default: on a terminal 1, with one line that is drawn again; else 10, with a"
              + " line each time.")
  private @Nullable Integer statsEvery;

  @Option(
      names = "--into",
      paramLabel = "FILE",
      description =
          "Take one array and put it straight into this file, which must not exist. A name that ends"
              + " in .npy makes a .npy file, any other only the elements, in the byte order in which"
              + " they come. However large it is, little of it is in memory at a time. In place of"
              + " --out.")
  private @Nullable Path into;

  @Mixin private TransferOptions transfer;
  @Mixin private ListenOptions listening;
  @Mixin private PlainOption plain;

  @Option(
      names = "--type",
      paramLabel = "TYPE",
      completionCandidates = TransferOptions.TypeNames.class,
      description = "With --plain, the element type: ${COMPLETION-CANDIDATES}.")
  private @Nullable String type;

  @Option(
      names = "--technique",
      paramLabel = "TECHNIQUE",
      completionCandidates = TechniqueNames.class,
      description = {
        "With --into, how the bytes get from the socket into the file. Default: buffer.",
        "buffer    channels and a direct buffer",
        "mapped    the file mapped, read into through a pipe",
        "transfer  FileChannel.transferFrom"
      })
  private @Nullable String technique;

  ReceiveCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws Exception {
    if (into != null) {
      checkInto(into);
      ReceiveReport report = new ReceiveReport(console, transfer.json(), () -> {});
      new ReceiveInto(listen, into, technique(), maxBytes, report, new Failures(console, () -> {}))
          .run();
      return 0;
    }
    if (technique != null) {
      throw usage("--technique is for --into only (technique=" + technique + ")");
    }
    transfer.listens(listening);
    ElementType plainType = plainType();
    long limit = limit();
    TransportCounters counters = statsSeconds() > 0 ? TransportCounters.create() : null;
    StatsLine line = counters == null ? null : new StatsLine(console, counters, System.nanoTime());
    Failures failures = new Failures(lines(), line == null ? () -> {} : line::wipe);
    long memory = (long) (Runtime.getRuntime().maxMemory() * HEAP_SHARE);
    try (Transport transport = transfer.create(plainType, maxBytes, false, 0, counters);
        line;
        Reports reports = new Reports(failures::unreported)) {
      ReceiveReport report = new ReceiveReport(lines(), transfer.json(), failures.wipe);
      ArrayStore store =
          discard
              ? ArrayStore.discarding()
              : isPipe() ? ArrayStore.pipe(console.out()) : ArrayStore.at(directoryOrFile());
      ReceivingHandler handler =
          new ReceivingHandler(
              memory,
              maxBytes,
              store,
              report,
              limit,
              (connection, cause) ->
                  reports.tell(() -> failures.failed(connection.remoteAddress(), cause)));
      Listener listener = listen(transport, handler);
      ExitHook hook = new ExitHook(() -> stop(handler, listener, transport, store));
      try {
        report.listening(listen.bound(listener.address()));
        if (line != null) {
          line.start(statsSeconds());
        }
        await(handler);
      } finally {
        handler.stop();
        closeQuietly(listener);
        close(transport, store);
        // Not before: until then there are hidden files.
        hook.cancel();
      }
      return 0;
    }
  }

  private Listener listen(Transport transport, ReceivingHandler handler) throws IOException {
    try {
      return transport.listen(listen.resolve(), handler.handlers());
    } catch (BindFailedException e) {
      throw Complaints.notBound(e, listen);
    }
  }

  private static void await(ReceivingHandler handler) throws Exception {
    try {
      handler.await();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Exception cause) {
        throw cause;
      }
      throw e;
    }
  }

  /**
   * What is written is written; that the last acknowledgement may not have arrived is worth a line.
   */
  private void closeQuietly(Listener listener) {
    try {
      listener.close();
    } catch (ArraywireException e) {
      complain(Complaints.words(e));
    }
  }

  private boolean isPipe() {
    return out != null && out.toString().equals(Inputs.PIPE);
  }

  /** Where lines go: not between files. */
  Console lines() {
    return isPipe() ? new Console(console.err(), console.err(), console.terminal()) : console;
  }

  /** Prints failures of peers. One thread at a time. */
  private final class Failures implements PeerFailures {
    private final Console lines;
    private final Runnable wipe;

    Failures(Console lines, Runnable wipe) {
      this.lines = lines;
      this.wipe = wipe;
    }

    @Override
    public void failed(SocketAddress peer, IOException cause) {
      String what =
          cause instanceof FullDiskException
                  || cause instanceof RefusedNameException
                  || cause instanceof UnwritableException
              ? "array from %s: "
              : "connection from %s failed: ";
      wipe.run();
      if (transfer.json()) {
        ReceiveReport.failed(lines, peer, cause);
      }
      complain(String.format(what, Address.text(peer)) + Complaints.words(cause));
    }

    @Override
    public void unreported(long count) {
      wipe.run();
      complain(count + " more failures of connections or arrays were not reported");
    }
  }

  private void complain(String words) {
    console.complain(spec.qualifiedName() + ": " + words);
  }

  /**
   * On Ctrl-C: says goodbye to connected peers, but not for long, and leaves no half-written file.
   */
  private static void stop(
      ReceivingHandler handler, Listener listener, Transport transport, ArrayStore store) {
    handler.stop();
    Thread closer =
        new Thread(
            () -> {
              try {
                listener.close();
              } catch (ArraywireException e) {
                // The process ends; connected peers see that.
              }
            },
            "close");
    closer.setDaemon(true);
    closer.start();
    try {
      closer.join(CLOSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    close(transport, store);
  }

  /** In this order: while arrays come they have hidden files. */
  private static void close(Transport transport, ArrayStore store) {
    transport.close();
    store.close(CLOSE_MILLIS);
  }

  /** How often to show what comes; 0 for never. */
  private long statsSeconds() {
    if (statsEvery != null && statsEvery < 1) {
      throw usage("--stats-every must be at least 1 (seconds=" + statsEvery + ")");
    }
    if (statsEvery != null && !stats) {
      throw usage("--stats-every says how often --stats shows; add --stats");
    }
    return !stats ? 0 : statsEvery != null ? statsEvery : console.terminal() ? 1 : 10;
  }

  private @Nullable ElementType plainType() {
    if (plain.isOn() != (type != null)) {
      throw usage(
          type == null
              ? "plain mode does not tell the element type; add --type, for example --type float"
              : "--type is for --plain only; in framed mode each array tells its type");
    }
    if (type == null) {
      return null;
    }
    return transfer.type(type);
  }

  /** What the file is to be like is up to the sender, and there is one array only. */
  private void checkInto(Path file) {
    if (out != null || discard || count != null || stats || statsEvery != null || type != null) {
      throw usage(
          "--into takes one array into one file; leave out --out, --discard, --count, --type and"
              + " --stats (into="
              + file
              + ")");
    }
    if (transfer.isChosen() || plain.isOn() || listening.clientCertificateRequired()) {
      throw usage(
          "--into moves bytes only, without --transport, --codec, --plain, --tls and --token-file; leave them out, or use --out"
              + " (into="
              + file
              + ")");
    }
  }

  private ReceiveTechnique technique() {
    if (technique == null) {
      return ReceiveTechnique.FASTEST;
    }
    for (ReceiveTechnique each : ReceiveTechnique.values()) {
      if (each.toString().equals(technique)) {
        return each;
      }
    }
    throw usage(
        "unknown technique (technique="
            + technique
            + ", known="
            + String.join(" ", new TechniqueNames())
            + ")");
  }

  private Path directoryOrFile() {
    return out == null ? Path.of(".") : out;
  }

  private long limit() throws IOException {
    if (discard && out != null) {
      throw usage(
          "--discard writes nothing, so there is no --out; leave one out (out=" + out + ")");
    }
    if (count != null && count < 1) {
      throw usage("--count must be at least 1 (count=" + count + ")");
    }
    if (out != null && FileNames.isFile(out)) {
      if (count != null && count != 1) {
        throw usage(
            "one file holds one array; give a directory (out=" + out + ", count=" + count + ")");
      }
      return 1;
    }
    return count == null ? Long.MAX_VALUE : count;
  }

  private ParameterException usage(String text) {
    return new ParameterException(spec.commandLine(), text);
  }

  /** For {@code --help} and completion. */
  static final class TechniqueNames implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Arrays.stream(ReceiveTechnique.values()).map(ReceiveTechnique::toString).iterator();
    }
  }
}
