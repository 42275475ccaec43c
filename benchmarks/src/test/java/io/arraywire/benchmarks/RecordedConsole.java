package io.arraywire.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.arraywire.examples.cli.ArraywireCommand;
import io.arraywire.examples.cli.Console;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** A console that keeps what commands write, for tests of command lines. */
public final class RecordedConsole {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final Console console =
      new Console(new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8), false);

  /** What commands are made with. */
  public Console console() {
    return console;
  }

  /** Runs a command line of one command; returns the exit status. */
  public int run(Object command, String name, Object... arguments) {
    return ArraywireCommand.execute(console, List.of(command), line(name, arguments));
  }

  /** A command line: a command's name, and what follows it. */
  public static String[] line(String name, Object... arguments) {
    return Stream.concat(Stream.of(name), Arrays.stream(arguments).map(Object::toString))
        .toArray(String[]::new);
  }

  /** All that was written to standard output since the beginning, or since {@link #clear}. */
  public String out() {
    return out.toString(UTF_8);
  }

  /** The same of standard error. */
  public String err() {
    return err.toString(UTF_8);
  }

  /** Forgets what was written. */
  public void clear() {
    out.reset();
    err.reset();
  }
}
