package io.arraywire.examples.cli;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * What a command did that ran within this JVM, which spares the start of another.
 *
 * @param status its exit status
 * @param out what it printed
 * @param err what it printed to standard error
 */
public record Outcome(int status, String out, String err) {
  /** Runs a command, without a terminal. */
  public static Outcome run(String... arguments) {
    return run(false, arguments);
  }

  /** Runs a command as if a terminal had its standard output. */
  static Outcome inColours(String... arguments) {
    return run(true, arguments);
  }

  private static Outcome run(boolean colours, String... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int status =
        ArraywireCommand.execute(
            new Console(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                false,
                colours),
            arguments);
    return new Outcome(
        status, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  /** The lines that it printed. */
  public List<String> outLines() {
    return out.lines().toList();
  }

  /** The lines that it printed to standard error. */
  public List<String> errLines() {
    return err.lines().toList();
  }
}
