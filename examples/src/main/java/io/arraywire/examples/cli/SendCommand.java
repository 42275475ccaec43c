package io.arraywire.examples.cli;

import io.arraywire.ElementType;
import io.arraywire.Transport;
import io.arraywire.examples.file.SendTechnique;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
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
        "Sends the arrays of .npy or raw files, and waits until the receiver has written them"
            + " (not with --plain).",
    footer = {
      "",
      "Status 0 means that every array was acknowledged. Plain mode has no acknowledgements. There"
          + " it means only that this host's kernel took every byte, and that this side saw no error"
          + " until the connection ended. It does not mean that anybody read them.",
      "Times and rates are until the acknowledgement, so they include the receiver's disk.",
      "An array in Fortran order arrives in C order.",
      "An array without dimensions, shape (), arrives with shape (1,); plain mode keeps no shape at"
          + " all.",
      "",
      "  arraywire send --to localhost:4711 weights.npy",
      "  arraywire send --to localhost:4711 --verify checkpoints/ model.npz",
      "  arraywire send --to localhost:4711 --skip-existing checkpoints/",
      "  arraywire send --to localhost:4711 --resume large.npy",
      "  arraywire send --to localhost:4711 --raw double --order big samples.bin",
      "  arraywire send --to [::1]:4711 --wait 60 a.npy b.npy",
      "  arraywire send --to far.example.org:4711 --compress=shuffle-lz4 readings.npy"
    })
final class SendCommand implements Callable<Integer> {
  private final Console console;

  @Spec private CommandSpec spec;

  // In the order in which help has them; what one measures with comes last.
  @Option(
      names = "--to",
      paramLabel = "HOST:PORT",
      required = true,
      converter = TransferOptions.AddressConverter.class,
      description = "Where the receiver listens. Also [::1]:PORT and unix:PATH.")
  private Address to;

  @Option(
      names = "--wait",
      paramLabel = "SECONDS",
      description = "Keep trying for this long if nobody listens there yet. Default: fail at once.")
  private @Nullable Integer wait;

  @Option(
      names = "--verify",
      description =
          "Have 'arraywire receive' read each file that it has written and compare its SHA-256,"
              + " before it acknowledges. The receiver needs --out with a file or a directory; its"
              + " line says 'verified' then, and other receivers compare nothing.")
  private boolean verify;

  @Option(
      names = "--skip-existing",
      description =
          "Go on if the receiver already has a file of that name, whatever is in it. The array travels"
              + " all the same. For directories and archives, whose names travel. Default: stop at"
              + " the first such file.")
  private boolean skipExisting;

  @Option(
      names = "--resume",
      description =
          "Send only what the receiver does not have. If the transfer breaks off, the receiver keeps"
              + " what has come. The same command then sends the rest, once both sides have compared"
              + " the SHA-256 of that part. A file that is there bit for bit is skipped. A single file"
              + " arrives under its name. For files of 1 MiB or more, and 'arraywire receive --out'.")
  private boolean resume;

  @Option(
      names = "--raw",
      paramLabel = "TYPE",
      completionCandidates = TransferOptions.TypeNames.class,
      description =
          "The files hold nothing but elements of this type: ${COMPLETION-CANDIDATES}. A .npy file"
              + " is refused, since its header would become elements. Default: .npy files.")
  private @Nullable String raw;

  @Option(
      names = "--order",
      paramLabel = "ORDER",
      completionCandidates = OrderNames.class,
      description = "With --raw, the byte order: ${COMPLETION-CANDIDATES}. Default: little.")
  private @Nullable String order;

  @Option(
      names = "--max-bytes",
      paramLabel = "SIZE",
      defaultValue = "16G",
      converter = SizeConverter.class,
      description =
          "The largest array to send, such as 512M; the receiver's limit holds too. Default: 16G.")
  private long maxBytes;

  @Mixin private CompressOption compress;
  @Mixin private TransferOptions transfer;
  @Mixin private PlainOption plain;

  @Option(
      names = "--repeat",
      paramLabel = "N",
      defaultValue = "1",
      description = "Send each file N times. Default: 1.")
  private int repeat;

  @Option(
      names = "--technique",
      paramLabel = "TECHNIQUE",
      completionCandidates = TechniqueNames.class,
      description = {
        "How the bytes get from the file to the socket. Default: mapped; array for booleans. All"
            + " but array hold a fixed number of bytes of the file at a time. Where nothing has to look"
            + " at the elements, mapped and transfer go past the heap. Else they read the file piece by"
            + " piece: with --transport stream, --tls, checksums, or a --codec of another byte order.",
        "stream    streams of java.io and a byte[]",
        "heap      channels and a heap buffer",
        "direct    channels and a direct buffer",
        "mapped    the file mapped, written from there",
        "transfer  FileChannel.transferTo",
        "array     an array on the heap, read before it is sent"
      })
  private @Nullable String technique;

  @Parameters(
      arity = "1..*",
      paramLabel = "FILE|DIR",
      description =
          "What to send: a file, a directory, an .npz archive, or - for standard input, which is read"
              + " to its end first. The .npy and .npz files of a directory arrive in a directory of its"
              + " name, and so do the members of an archive.")
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
    if (to.host().isEmpty()) {
      throw usage("--to needs a host: ':PORT' is for listening only (address=" + to + ")");
    }
    if (wait != null && wait < 1) {
      throw usage("--wait must be at least 1 (seconds=" + wait + ")");
    }
    if (verify && plain.isOn()) {
      throw usage("plain mode has no acknowledgement that could tell; leave out --verify");
    }
    checkCompress();
    checkResume();
    if (skipExisting && (plain.isOn() || repeat > 1)) {
      throw usage(
          plain.isOn()
              ? "plain mode sends no names; leave out --skip-existing"
              : "with --repeat the receiver has each file from the second time on; leave out"
                  + " --skip-existing (repeat="
                  + repeat
                  + ")");
    }
    try (Inputs inputs = inputs()) {
      List<Outgoing> arrays = arrays(inputs);
      SendTechnique chosen = technique(arrays);
      SendReport report = new SendReport(console, transfer.json());
      try (Transport transport = transfer.create(plainType(arrays), maxBytes, true)) {
        ProgressMeter progress = progress(arrays);
        Connecting connecting = new Connecting(to, Duration.ofSeconds(wait == null ? 0 : wait));
        new SendArrays(
                to,
                repeat,
                plain.isOn(),
                !isEncoded(),
                compress.value(),
                chosen,
                report,
                skipExisting,
                resume ? new Resuming(text -> note(progress, text), Resuming.PATIENCE) : null)
            .run(connecting.connect(transport), arrays, progress);
      }
    }
    return 0;
  }

  /** Whether an option says how elements are encoded. */
  private boolean isEncoded() {
    return plain.isOn() || transfer.hasCodec();
  }

  private void checkCompress() {
    if (!compress.isChosen()) {
      return;
    }
    if (isEncoded()) {
      throw usage(
          "--compress says how elements are encoded, and so do --plain and --codec; leave one out");
    }
    if (verify) {
      compress.checkLossless("--verify compares every bit");
    }
  }

  private void checkResume() {
    if (!resume) {
      return;
    }
    if (plain.isOn() || repeat > 1) {
      throw usage(
          plain.isOn()
              ? "plain mode cannot ask what the receiver has; leave out --resume"
              : "with --repeat the receiver has the file from the second time on; leave out --resume"
                  + " (repeat="
                  + repeat
                  + ")");
    }
    if (files.stream().anyMatch(file -> file.toString().equals(Inputs.PIPE))) {
      throw usage("standard input has no name to find it again by; leave out --resume");
    }
    compress.checkLossless("--resume compares what is there bit by bit");
  }

  private void note(ProgressMeter progress, String text) {
    progress.wipe();
    console.complain(spec.qualifiedName() + ": " + text);
  }

  private Inputs inputs() {
    ElementType rawType = raw == null ? null : transfer.type(raw);
    if (order != null && rawType == null) {
      throw usage("--order is for --raw only; a .npy file tells its byte order");
    }
    return new Inputs(rawType, byteOrder(), System.in, resume);
  }

  /** All files are checked before the first is sent. */
  private List<Outgoing> arrays(Inputs inputs) throws IOException {
    for (Path file : files) {
      inputs.add(file);
    }
    List<Outgoing> arrays = new ArrayList<>();
    for (Outgoing each : inputs.found()) {
      transfer.checkSupports(each.file().type(), each.shown());
      compress.checkSupports(each.file().type(), each.file().header().count(), each.shown());
      arrays.add(verify ? each.withDigest(ElementDigest.of(each.file())) : each);
    }
    return arrays;
  }

  private ByteOrder byteOrder() {
    if (order == null || order.equals("little")) {
      return ByteOrder.LITTLE_ENDIAN;
    } else if (order.equals("big")) {
      return ByteOrder.BIG_ENDIAN;
    }
    throw usage("unknown byte order (order=" + order + ", known=little big)");
  }

  /** How to send, or null if as arrays through the library. */
  private @Nullable SendTechnique technique(List<Outgoing> arrays) {
    boolean booleans = arrays.stream().anyMatch(each -> each.file().type() == ElementType.BOOLEAN);
    if (technique == null) {
      return booleans ? null : SendTechnique.FASTEST;
    }
    if (technique.equals(SendArrays.NAME)) {
      return null;
    }
    SendTechnique named =
        Arrays.stream(SendTechnique.values())
            .filter(each -> each.toString().equals(technique))
            .findFirst()
            .orElseThrow(() ->
                usage(
                    "unknown technique (technique="
                        + technique
                        + ", known="
                        + String.join(" ", new TechniqueNames())
                        + ")"));
    if (booleans) {
      throw usage(
          "a file of booleans may hold other bytes than 0 and 1, which must not be sent as they"
              + " are; use --technique array (technique="
              + technique
              + ")");
    }
    return named;
  }

  private @Nullable ElementType plainType(List<Outgoing> arrays) {
    if (!plain.isOn()) {
      return null;
    }
    ElementType type = arrays.get(0).file().type();
    for (Outgoing other : arrays) {
      if (other.file().type() != type) {
        throw usage(
            "plain mode sends one element type only; send the files one by one ("
                + arrays.get(0).shown()
                + "="
                + type.typeName()
                + ", "
                + other.shown()
                + "="
                + other.file().type().typeName()
                + ")");
      }
    }
    return type;
  }

  private ProgressMeter progress(List<Outgoing> arrays) {
    long bytes = arrays.stream().mapToLong(each -> each.file().bytes()).sum();
    return new ProgressMeter(console, "sending", "MiB", 1 << 20, bytes * repeat);
  }

  private ParameterException usage(String text) {
    return new ParameterException(spec.commandLine(), text);
  }

  /** For {@code --help} and completion. */
  static final class TechniqueNames implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Stream.concat(
              Arrays.stream(SendTechnique.values()).map(SendTechnique::toString),
              Stream.of(SendArrays.NAME))
          .iterator();
    }
  }

  /** For {@code --help} and completion. */
  static final class OrderNames implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return List.of("little", "big").iterator();
    }
  }
}
