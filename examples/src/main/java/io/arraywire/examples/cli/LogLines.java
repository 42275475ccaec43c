package io.arraywire.examples.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Locale;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/**
 * Turns what the libraries log into single lines on standard error: warnings only, without stack
 * traces; with {@code --verbose} everything.
 */
final class LogLines extends Handler {
  private final SimpleFormatter words = new SimpleFormatter();
  private final Console console;
  private final boolean verbose;

  private LogLines(Console console, boolean verbose) {
    this.console = console;
    this.verbose = verbose;
  }

  /**
   * Takes the place of all that the JDK does with log records.
   *
   * @param console where the lines go
   * @param verbose whether to tell everything
   */
  static void install(Console console, boolean verbose) {
    Logger root = Logger.getLogger("");
    for (Handler handler : root.getHandlers()) {
      root.removeHandler(handler);
    }
    root.addHandler(new LogLines(console, verbose));
    root.setLevel(verbose ? Level.FINE : Level.WARNING);
  }

  @Override
  public void publish(LogRecord record) {
    String level = record.getLevel().getName().toLowerCase(Locale.ROOT);
    String line = words.formatMessage(record);
    Throwable thrown = record.getThrown();
    String cause = thrown == null ? null : thrown.getMessage();
    boolean said = cause == null || line.contains(cause);
    console.complain("arraywire: " + level + ": " + line + (said ? "" : ": " + cause));
    if (verbose && thrown != null) {
      StringWriter trace = new StringWriter();
      thrown.printStackTrace(new PrintWriter(trace));
      console.err().print(trace);
    }
  }

  @Override
  public void flush() {}

  @Override
  public void close() {}
}
