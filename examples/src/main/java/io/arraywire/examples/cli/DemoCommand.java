package io.arraywire.examples.cli;

import io.arraywire.examples.demo.Demo;
import io.arraywire.examples.demo.DemoChart;
import io.arraywire.examples.demo.DemoResult;
import io.arraywire.examples.demo.DemoSettings;
import io.arraywire.examples.npy.NpyHeader;
import io.arraywire.examples.npy.NpyReader;
import io.arraywire.examples.report.Units;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code arraywire demo}. */
@Command(
    name = "demo",
    description =
        "Sends an array from one JVM to another with every codec on every transport. Compares what"
            + " arrives bit by bit, and shows what each way costs.",
    footer = {
      "",
      "Status 0 means that every row of the table is verified. The chart goes to demo.svg and"
          + " demo.png in --out. Without fonts on this machine there is no chart, and a line says so."
    })
final class DemoCommand implements Callable<Integer> {
  private static final String BUILT_IN = "digits.npy";
  private static final long LEAST_BYTES = 64L << 20;
  private static final long LEAST_SIZE = 8;
  private static final int NOT_VERIFIED = 1;

  private final Console console;

  @Spec private CommandSpec spec;

  @Parameters(
      arity = "0..1",
      paramLabel = "FILE.npy",
      description =
          "What to send. Default: the 1,797 handwritten digits that come with it, float32.")
  private @Nullable Path file;

  @Option(
      names = "--size",
      paramLabel = "SIZE",
      converter = SizeConverter.class,
      description =
          "Repeat or cut the array to this size, such as 16M. Default: the whole array, repeated to"
              + " at least 64M.")
  private @Nullable Long size;

  @Option(
      names = "--small-size",
      paramLabel = "SIZE",
      defaultValue = "256K",
      converter = SizeConverter.class,
      description = "The size for codecs that make a system call for each element. Default: 256K.")
  private long smallSize;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "7",
      description = "How often to measure each. Default: 7.")
  private int rounds;

  @Option(
      names = "--warmups",
      paramLabel = "N",
      defaultValue = "2",
      description = "How often to send each before that. Default: 2.")
  private int warmups;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      defaultValue = "${sys:arraywire.demo.out:-arraywire-demo}",
      description = "Where the chart goes. Default: ${DEFAULT-VALUE}.")
  private Path out;

  @Option(names = "--json", description = "Write one line of JSON instead of text.")
  private boolean json;

  DemoCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws Exception {
    check();
    if (file != null) {
      return run(file, file.toString());
    }
    Path copy = Files.createTempFile("arraywire-", ".npy");
    ExitHook hook = new ExitHook(() -> remove(copy));
    try {
      try (InputStream in = Demo.class.getResourceAsStream(BUILT_IN + ".gz")) {
        if (in == null) {
          throw new IOException("the built-in array is missing (resource=" + BUILT_IN + ".gz)");
        }
        copy(new GZIPInputStream(in), copy);
      }
      return run(copy, BUILT_IN + " (built in)");
    } finally {
      hook.cancel();
      Files.deleteIfExists(copy);
    }
  }

  private static void remove(Path copy) {
    try {
      Files.deleteIfExists(copy);
    } catch (IOException e) {
      // It stays: the process ends, and nobody would read a word about it.
    }
  }

  private static void copy(InputStream in, Path copy) throws IOException {
    try {
      Files.copy(in, copy, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new IOException(
          "the built-in array was not copied: "
              + Complaints.reason(e)
              + "; make room there, or set ARRAYWIRE_JAVA_OPTS=-Djava.io.tmpdir=DIR (file="
              + copy
              + ")",
          e);
    }
  }

  private void check() {
    if (rounds < 1 || warmups < 0) {
      throw usage(
          "--rounds must be at least 1 and --warmups not negative (rounds="
              + rounds
              + ", warmups="
              + warmups
              + ")");
    }
    checkSize("--size", size);
    checkSize("--small-size", smallSize);
  }

  private void checkSize(String option, @Nullable Long bytes) {
    if (bytes != null && bytes < LEAST_SIZE) {
      throw usage(
          option + " must be at least " + LEAST_SIZE + " bytes, one element (size=" + bytes + ")");
    }
  }

  private int run(Path path, String name) throws IOException {
    NpyHeader header = NpyReader.readHeader(path);
    long elementBytes = header.dtype().type().bytes();
    if (header.count() == 0) {
      throw new IOException("the array is empty; there is nothing to send (file=" + name + ")");
    }
    long bytes = size != null ? size : Math.max(LEAST_BYTES, header.count() * elementBytes);
    if (bytes / elementBytes > Integer.MAX_VALUE - 8) {
      throw usage("more elements than a Java array can have (size=" + bytes + ")");
    }
    Files.createDirectories(out);
    DemoSettings settings = new DemoSettings(path, name, bytes, smallSize, warmups, rounds);
    Demo demo = new Demo(settings, header);
    if (!json) {
      console.print(
          String.format(
              "%s: %s %s, repeated or cut to %s. %d ways (a codec on a transport), each sent %s"
                  + " to warm up and %s to measure: %d transfers. Sender and receiver each have"
                  + " a JVM (Java %s, %d processors)%n",
              name,
              header.dtype().type().typeName(),
              Units.shape(header.shape()),
              Units.bytes(bytes),
              demo.ways(),
              Units.times(warmups),
              Units.times(rounds),
              demo.transfers(),
              System.getProperty("java.version"),
              Runtime.getRuntime().availableProcessors()));
    }
    DemoResult result;
    try (ProgressMeter progress =
        new ProgressMeter(console, "measuring", "transfers", 1, demo.transfers())) {
      result = demo.run(ArraywireCommand.verbose(spec) ? console.err() : null, progress::step);
    }
    if (!json) {
      result.lines().forEach(console::print);
    }
    List<Path> charts = charts(result);
    console.print(json ? result.json(charts) : "Chart: " + words(charts));
    return result.verified() ? 0 : NOT_VERIFIED;
  }

  private static String words(List<Path> charts) {
    return charts.isEmpty()
        ? "none"
        : charts.stream().map(Path::toString).collect(Collectors.joining(" and "));
  }

  /** What was measured counts even where nothing can be drawn: on a machine without fonts, say. */
  private List<Path> charts(DemoResult result) {
    try {
      return DemoChart.write(result, out);
    } catch (IOException | RuntimeException | LinkageError | InternalError e) {
      console.complain(
          spec.qualifiedName() + ": no chart was drawn (directory=" + out + ", cause=" + e + ")");
      return List.of();
    }
  }

  private ParameterException usage(String text) {
    return new ParameterException(spec.commandLine(), text);
  }
}
