package io.arraywire.benchmarks.bench;

import io.arraywire.benchmarks.compare.CompareCommand;
import io.arraywire.benchmarks.report.KeepCommand;
import io.arraywire.benchmarks.report.ReportCommand;
import io.arraywire.examples.cli.ArraywireCommand;
import io.arraywire.examples.cli.Console;
import java.util.List;
import picocli.CommandLine;

/** The {@code arraywire} command with one more command, {@code bench}. */
public final class Bench {
  private Bench() {}

  /**
   * Runs a command and ends the process with its exit status.
   *
   * @param arguments the command line
   */
  public static void main(String[] arguments) {
    System.exit(execute(Console.system(), arguments));
  }

  /** Runs a command and returns the exit status. */
  static int execute(Console console, String... arguments) {
    return ArraywireCommand.execute(console, List.of(command(console)), arguments);
  }

  /** The command and those below it. */
  static CommandLine command(Console console) {
    return new CommandLine(new BenchCommand(console))
        .addSubcommand(new CompareCommand(console))
        .addSubcommand(new ReportCommand(console))
        .addSubcommand(new KeepCommand(console))
        .addSubcommand(new RatiosCommand(console));
  }
}
