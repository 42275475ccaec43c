package io.arraywire.benchmarks.bench;

import io.arraywire.examples.cli.Console;
import io.arraywire.examples.report.TextTable;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code arraywire bench ratios}. */
@Command(
    name = "ratios",
    description =
        "Says how many times smaller the encodings for slow links make the floats of files, beside"
            + " zstd and deflate. Nothing is sent, and no clock runs.",
    footer = {
      "",
      "A column has the size of the elements divided by what an array of them takes on the"
          + " wire. It travels in blocks of 64 KiB with 8 bytes before each; headers of frames"
          + " do not count. Column 'zstd 3' is what arrow-flight-zstd makes of the bytes, 256"
          + " KiB at a time. Deflate 6 is gzip's level, and deflate 1 is jdk-deflater's. The"
          + " bf16 error is the largest relative error of elements from 2^-126 to 3.39e38."
    })
final class RatiosCommand implements Callable<Integer> {
  private final Console console;

  @Spec private CommandSpec spec;

  @Parameters(
      arity = "1..*",
      paramLabel = "FILE.npy",
      description = "Arrays of float32 in C order, as python/benchmarks/real_data.py makes them.")
  private List<Path> files;

  RatiosCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    TextTable table =
        new TextTable(
            "<Data",
            "floats",
            "shuffle-zstd",
            "shuffle-lz4",
            "bf16",
            "bf16 error",
            "zstd 3",
            "deflate 6",
            "deflate 1");
    for (Path each : files) {
      FileData data = data(each);
      Ratios ratios = Ratios.of(data.elements(count(data)));
      table.add(
          data.label(),
          String.format(Locale.ROOT, "%,d", data.header().count()),
          number(ratios.shuffleZstd()),
          number(ratios.shuffleLz4()),
          number(ratios.bf16()),
          String.format(Locale.ROOT, "%.2f %%", 100 * ratios.bf16Error()),
          number(ratios.zstd3()),
          number(ratios.deflate6()),
          number(ratios.deflate1()));
    }
    table.lines().forEach(console::print);
    return 0;
  }

  private static int count(FileData data) throws UnusableDataException {
    long count = data.header().count();
    if (count > Integer.MAX_VALUE) {
      throw new UnusableDataException(
          "more elements than an array can have; give a part of it",
          data.path(),
          "elements",
          count,
          "most",
          Integer.MAX_VALUE);
    }
    return (int) count;
  }

  private FileData data(Path file) throws IOException {
    try {
      return FileData.of(file);
    } catch (NoSuchFileException e) {
      throw new ParameterException(
          spec.commandLine(), "there is no such file (file=" + e.getFile() + ")", e);
    }
  }

  private static String number(double ratio) {
    return String.format(Locale.ROOT, "%.2f", ratio);
  }
}
