package io.arraywire.benchmarks.report;

import io.arraywire.benchmarks.result.KeptFigures;
import io.arraywire.examples.cli.Console;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code arraywire bench keep}. */
@Command(
    name = "keep",
    description =
        "Compresses figures for the repository, with one histogram for all rounds of a contender."
            + " 'bench report' makes the same page of the result.")
public final class KeepCommand implements Callable<Integer> {
  private final Console console;

  @Parameters(
      arity = "1..*",
      paramLabel = "FILE",
      description = "What 'arraywire bench --json' has written, or JMH with '-rf json'.")
  private List<Path> paths;

  @Option(
      names = "--out",
      paramLabel = "DIRECTORY",
      required = true,
      description =
          "Where NAME.json.gz goes for each NAME.json. Files of these names are replaced.")
  private Path out;

  /**
   * Makes the command.
   *
   * @param console where it writes
   */
  public KeepCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    Files.createDirectories(out);
    for (Path each : paths) {
      String name = String.valueOf(each.getFileName()).replaceAll("\\.gz$", "");
      Path kept = out.resolve(name + ".gz");
      KeptFigures.write(each, kept);
      console.print("Kept: " + kept + " (" + Files.size(kept) / 1024 + " KiB)");
    }
    return 0;
  }
}
