package io.arraywire.examples.cli;

/** The main class of the {@code arraywire} command. */
public final class Arraywire {
  private Arraywire() {}

  /**
   * Runs a command and ends the process with its exit status.
   *
   * @param arguments the command line
   */
  public static void main(String[] arguments) {
    System.exit(ArraywireCommand.execute(Console.system(), arguments));
  }
}
