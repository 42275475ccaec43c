package io.arraywire.benchmarks.bench;

import io.arraywire.ElementType;
import io.arraywire.benchmarks.result.Statistics;
import io.arraywire.examples.file.ReceiveTechnique;
import io.arraywire.examples.file.SendTechnique;
import io.arraywire.examples.npy.NpyDtype;
import io.arraywire.examples.npy.NpyHeader;
import io.arraywire.examples.npy.NpyWriter;
import io.arraywire.examples.process.ChildJvm;
import io.arraywire.examples.report.TextTable;
import io.arraywire.examples.report.Units;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * From file to network and back: the techniques of {@code arraywire send} and {@code arraywire
 * receive --into} beside each other, in rounds, between two JVMs over loopback.
 *
 * <pre>
 * java -cp benchmarks/target/benchmarks.jar io.arraywire.benchmarks.bench.FileBench 64M,1G ROUNDS DIRECTORY
 * </pre>
 *
 * <p>The file is in the page cache and what is received is written to it; nothing is forced to the
 * disk. The clock runs from opening the file to the acknowledgement. To compare ways to send, the
 * library receives into a {@code float[]}; to compare ways to receive, {@code transferTo} sends.
 */
public final class FileBench {
  /** Through an array on the heap and the library, at either end. */
  static final String ARRAY = "array";

  private static final int WARM_UPS = 3;
  private static final long HEAP_BYTES = 3L << 30;

  private final List<Long> sizes;
  private final int rounds;
  private final Path directory;
  private final Class<?> receiverMain;
  private final long heapBytes;
  private final PrintStream out;

  /**
   * Plans it.
   *
   * @param sizes of the files, in bytes of elements
   * @param rounds how many count
   * @param directory where the files go
   * @param receiverMain serves what {@link FileReceiverProcess} does
   * @param heapBytes the heap of each JVM
   * @param out takes the tables
   */
  FileBench(
      List<Long> sizes,
      int rounds,
      Path directory,
      Class<?> receiverMain,
      long heapBytes,
      PrintStream out) {
    this.sizes = List.copyOf(sizes);
    this.rounds = rounds;
    this.directory = directory;
    this.receiverMain = receiverMain;
    this.heapBytes = heapBytes;
    this.out = out;
  }

  /**
   * Runs it.
   *
   * @param arguments sizes, number of rounds, and a directory for the files
   * @throws Exception if that fails
   */
  public static void main(String[] arguments) throws Exception {
    FileBench bench;
    try {
      bench = of(System.out, arguments);
    } catch (IllegalArgumentException e) {
      System.err.println("FileBench: " + e.getMessage());
      System.exit(2);
      return;
    }
    bench.run();
  }

  /**
   * What the arguments say.
   *
   * @throws IllegalArgumentException if they say what cannot be
   */
  static FileBench of(PrintStream out, String... arguments) {
    if (arguments.length != 3) {
      throw new IllegalArgumentException(
          "three arguments are needed: SIZE,... ROUNDS DIRECTORY (arguments="
              + arguments.length
              + ")");
    }
    List<Long> sizes =
        Arrays.stream(arguments[0].split(",", -1)).map(FileBench::parseSize).toList();
    Path directory = Path.of(arguments[2]);
    if (!Files.isDirectory(directory)) {
      throw new IllegalArgumentException("no such directory (directory=" + directory + ")");
    }
    return new FileBench(
        sizes, parseRounds(arguments[1]), directory, FileReceiverProcess.class, HEAP_BYTES, out);
  }

  private static long parseSize(String text) {
    long bytes = Units.parseBytes(text);
    if (bytes < Float.BYTES || bytes >= HEAP_BYTES || bytes % Float.BYTES != 0) {
      throw new IllegalArgumentException(
          "sizes must be multiples of 4 bytes, less than the heap of "
              + Units.bytes(HEAP_BYTES)
              + " (size="
              + bytes
              + ")");
    }
    return bytes;
  }

  private static int parseRounds(String text) {
    try {
      int rounds = Integer.parseInt(text);
      if (rounds >= 1) {
        return rounds;
      }
    } catch (NumberFormatException e) {
      // The same is to be said.
    }
    throw new IllegalArgumentException("ROUNDS must be a number from 1 on (rounds=" + text + ")");
  }

  /** Measures and prints the tables; leaves no file behind. */
  void run() throws Exception {
    Path files = Files.createTempDirectory(directory, "arraywire-files");
    try {
      for (long bytes : sizes) {
        run(bytes, files);
      }
    } finally {
      try (Stream<Path> left = Files.list(files)) {
        for (Path each : left.toList()) {
          Files.delete(each);
        }
      }
      Files.delete(files);
    }
  }

  /** One way at one end, and what it took in each round. */
  private record Contender(String send, String receive, List<Long> nanos, List<Long> cpuNanos) {
    Contender(String send, String receive) {
      this(send, receive, new ArrayList<>(), new ArrayList<>());
    }

    double median() {
      return Statistics.median(toArray(nanos));
    }
  }

  private void run(long bytes, Path files) throws Exception {
    Path file = write(bytes, files.resolve("sent.npy"));
    List<Contender> senders =
        new ArrayList<>(
            Arrays.stream(SendTechnique.values())
                .map(each -> new Contender(each.toString(), ARRAY))
                .toList());
    senders.add(new Contender(ARRAY, ARRAY));
    measure("send", bytes, file, null, senders);
    List<Contender> receivers =
        new ArrayList<>(
            Arrays.stream(ReceiveTechnique.values())
                .map(each -> new Contender(SendTechnique.TRANSFER.toString(), each.toString()))
                .toList());
    receivers.add(new Contender(SendTechnique.TRANSFER.toString(), ARRAY));
    measure("receive", bytes, file, files.resolve("got.npy"), receivers);
    Files.delete(file);
  }

  private static Path write(long bytes, Path file) throws IOException {
    NpyHeader header = new NpyHeader(NpyDtype.of(ElementType.FLOAT), List.of(bytes / 4));
    byte[] block = new byte[1 << 20];
    Random random = new Random(bytes);
    try (FileChannel out =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      out.write(NpyWriter.headerBytes(header));
      for (long left = bytes; left > 0; ) {
        random.nextBytes(block);
        left -= out.write(ByteBuffer.wrap(block, 0, (int) Math.min(left, block.length)));
      }
    }
    return file;
  }

  private void measure(
      String question, long bytes, Path file, @Nullable Path got, List<Contender> contenders)
      throws Exception {
    try (ChildJvm receiver = ChildJvm.start("receiver", receiverMain, heapBytes, null);
        ChildJvm sender = ChildJvm.start("sender", FileSenderProcess.class, heapBytes, null)) {
      String port =
          got == null
              ? receiver.ask("arrays", bytes / 4)[0]
              : receiver.ask("arrays", bytes / 4, got)[0];
      String should = got == null ? sender.ask("checksum", file)[0] : null;
      for (int round = -WARM_UPS; round < rounds; round++) {
        for (int i = 0; i < contenders.size(); i++) {
          Contender each = contenders.get(Math.floorMod(i + round, contenders.size()));
          // An array is looked at while nothing counts, a file every time.
          boolean compared = round < 0 && should != null;
          if (compared) {
            receiver.ask("spoil");
          }
          transfer(each, sender, receiver, port, file, got, round >= 0);
          if (compared && !receiver.ask("checksum")[0].equals(should)) {
            throw different(each);
          }
        }
      }
    }
    print(question, bytes, contenders);
  }

  private static void transfer(
      Contender each,
      ChildJvm sender,
      ChildJvm receiver,
      String arrayPort,
      Path file,
      @Nullable Path got,
      boolean counts)
      throws IOException {
    String port = arrayPort;
    boolean intoFile = false;
    if (got != null) {
      Files.deleteIfExists(got);
      if (!each.receive().equals(ARRAY)) {
        intoFile = true;
        port = receiver.ask("into", each.receive(), got)[0];
      }
    }
    long cpu = Long.parseLong(receiver.ask("cpu")[0]);
    String[] took = sender.ask("send", each.send(), file, port);
    long cpuOfReceiver = Long.parseLong(receiver.ask("cpu")[0]) - cpu;
    if (intoFile) {
      receiver.ask("stored");
    }
    if (got != null && Files.mismatch(file, got) >= 0) {
      throw different(each);
    }
    if (counts) {
      each.nanos().add(Long.parseLong(took[0]));
      each.cpuNanos().add(Long.parseLong(took[1]) + cpuOfReceiver);
    }
  }

  private static IOException different(Contender contender) {
    return new IOException(
        "what arrived is not what was sent (sendTechnique="
            + contender.send()
            + ", receive="
            + contender.receive()
            + ")");
  }

  private void print(String question, long bytes, List<Contender> contenders) {
    Contender stream = contenders.get(0);
    TextTable table =
        new TextTable("<" + question, "x " + name(question, stream), "GB/s", "spread", "CPU s/GB");
    contenders.stream()
        .sorted(Comparator.comparingDouble(Contender::median))
        .forEach(each ->
            table.add(
                name(question, each),
                fixed(ratio(stream, each)),
                fixed(bytes / each.median()),
                Units.percent(Statistics.spread(toArray(each.nanos()))),
                fixed(Statistics.median(toArray(each.cpuNanos())) / bytes)));
    out.println(
        question
            + ", "
            + Units.bytes(bytes)
            + ", "
            + rounds
            + " rounds, Java "
            + Runtime.version());
    table.lines().forEach(out::println);
    out.println();
  }

  private static String name(String question, Contender contender) {
    return question.equals("send") ? contender.send() : contender.receive();
  }

  /** Of the ratios within a round, the median. */
  private static double ratio(Contender of, Contender to) {
    double[] ratios = new double[of.nanos().size()];
    for (int i = 0; i < ratios.length; i++) {
      ratios[i] = (double) of.nanos().get(i) / to.nanos().get(i);
    }
    return Statistics.median(ratios);
  }

  private static double[] toArray(List<Long> values) {
    return values.stream().mapToDouble(Long::doubleValue).toArray();
  }

  private static String fixed(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }
}
