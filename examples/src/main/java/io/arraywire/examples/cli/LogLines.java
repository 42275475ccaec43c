package io.arraywire.examples.cli;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.jspecify.annotations.Nullable;

/**
 * Turns what the libraries log into single lines on standard error: warnings only, without stack
 * traces; with {@code --verbose} everything. Of a line that comes again and again, as of a broker
 * that is down, one a minute is written.
 */
final class LogLines extends Handler {
  /** So long a line is not repeated. */
  static final Duration QUIET = Duration.ofMinutes(1);

  /** Lines that are remembered. */
  private static final int MOST_RECENT = 100;

  private final SimpleFormatter words = new SimpleFormatter();
  private final Console console;
  private final boolean verbose;
  private final LongSupplier nanoTime;
  private final Map<String, Said> recent =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Said> eldest) {
          return size() > MOST_RECENT;
        }
      };

  /** When a line was written, and how often it has come since. */
  private static final class Said {
    private final long nanos;
    private int again;

    Said(long nanos) {
      this.nanos = nanos;
    }
  }

  LogLines(Console console, boolean verbose, LongSupplier nanoTime) {
    this.console = console;
    this.verbose = verbose;
    this.nanoTime = nanoTime;
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
    root.addHandler(new LogLines(console, verbose, System::nanoTime));
    root.setLevel(verbose ? Level.FINE : Level.WARNING);
  }

  @Override
  public void publish(LogRecord record) {
    String level = record.getLevel().getName().toLowerCase(Locale.ROOT);
    String line = words.formatMessage(record);
    Throwable thrown = record.getThrown();
    String cause = thrown == null ? null : thrown.getMessage();
    boolean said = cause == null || line.contains(cause);
    String whole = "arraywire: " + level + ": " + line + (said ? "" : ": " + cause);
    String now = verbose ? whole : unlessRecent(whole);
    if (now != null) {
      console.complain(now);
    }
    if (verbose && thrown != null) {
      console.trace(thrown);
    }
  }

  /** The line, with how often it was left out; null if it was written a short while ago. */
  private synchronized @Nullable String unlessRecent(String line) {
    long now = nanoTime.getAsLong();
    Said said = recent.get(line);
    if (said != null && now - said.nanos < QUIET.toNanos()) {
      said.again++;
      return null;
    }
    // Anew, so that it is the youngest.
    recent.remove(line);
    recent.put(line, new Said(now));
    return said == null || said.again == 0 ? line : line + " (left out before: " + said.again + ")";
  }

  @Override
  public void flush() {}

  @Override
  public void close() {}
}
