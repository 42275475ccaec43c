package io.arraywire.benchmarks.bench;

import io.arraywire.examples.cli.ArraywireCommand;
import io.arraywire.examples.cli.Console;
import java.util.List;

/** The {@code arraywire} command with one more command, {@code bench}. */
public final class Bench {
  private Bench() {}

  /**
   * Runs a command and ends the process with its exit status.
   *
   * @param arguments the command line
   */
  public static void main(String[] arguments) {
    Console console = Console.system();
    System.exit(ArraywireCommand.execute(console, List.of(new BenchCommand(console)), arguments));
  }
}
