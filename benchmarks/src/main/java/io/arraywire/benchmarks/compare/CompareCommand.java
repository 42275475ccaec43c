package io.arraywire.benchmarks.compare;

import io.arraywire.benchmarks.result.BenchFile;
import io.arraywire.examples.cli.Console;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code arraywire bench compare}. */
@Command(
    name = "compare",
    description =
        "Says of each contender and size how its time changed from one run to another, and whether"
            + " that is more than noise.",
    footer = {
      "",
      "Status 0 whatever has changed; with --fail-on-slower 1 if something got slower by more than"
          + " that, which a line on standard error says."
    })
public final class CompareCommand implements Callable<Integer> {
  private static final int SLOWER = 1;

  private final Console console;

  @Spec private CommandSpec spec;

  @Parameters(
      index = "0",
      paramLabel = "A.json",
      description = "What 'arraywire bench --json' wrote before.")
  private Path before;

  @Parameters(index = "1", paramLabel = "B.json", description = "What it wrote after.")
  private Path after;

  @Option(
      names = "--fail-on-slower",
      paramLabel = "PERCENT",
      description =
          "End with status 1 if the verdict on something is 'slower' and its time grew by more than"
              + " this.")
  private @Nullable Double percent;

  /**
   * Makes the command.
   *
   * @param console where it writes
   */
  public CompareCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    if (percent != null && !(percent >= 0)) {
      throw new ParameterException(
          spec.commandLine(), "--fail-on-slower must not be negative (percent=" + percent + ")");
    }
    Comparison comparison = Comparison.of(BenchFile.read(before), BenchFile.read(after));
    comparison.lines().forEach(console::print);
    double grown = 100 * (comparison.worst() - 1);
    if (percent != null && grown > percent) {
      console.complain(
          String.format(
              Locale.ROOT,
              "%s: something got slower by more than %s %% (most=%.1f %%)",
              spec.qualifiedName(),
              percent,
              grown));
      return SLOWER;
    }
    return 0;
  }
}
