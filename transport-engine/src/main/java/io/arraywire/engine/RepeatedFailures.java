package io.arraywire.engine;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Logs what fails again and again on one connection. The first failure of a kind is logged whole,
 * with its stack; those that follow as a number, each {@link #TIME} and when the connection ends. A
 * handler that fails for every array writes a line for the first one, not for each.
 *
 * <p>Any thread; logs outside of its monitor.
 */
final class RepeatedFailures {
  static final Duration TIME = Duration.ofSeconds(30);

  /** A peer that finds ever new ways to fail gets no more lines. */
  private static final int MOST_KINDS = 16;

  private static final String OTHERS = "others";

  /** Where lines go. */
  @FunctionalInterface
  interface Lines {
    void write(String line, @Nullable Throwable thrown);
  }

  private final Deadlines deadlines;
  private final Lines lines;

  @GuardedBy("this")
  private final Map<String, Kind> kinds = new HashMap<>();

  @GuardedBy("this")
  private boolean over;

  private static final class Kind {
    /** How many failed since the last line, and what the last of them said. */
    long more;

    String last = "";
    @Nullable Runnable cancel;
  }

  RepeatedFailures(Deadlines deadlines, Lines lines) {
    this.deadlines = deadlines;
    this.lines = lines;
  }

  /**
   * Logs a failure, or counts it.
   *
   * @param kind what those that are counted together have in common
   * @param line what to log
   * @param thrown with the stack, if there is one to log
   */
  void log(String kind, String line, @Nullable Throwable thrown) {
    if (isFirst(kind, line)) {
      lines.write(line, thrown);
    }
  }

  private synchronized boolean isFirst(String name, String line) {
    Kind kind = kinds.get(kinds.size() < MOST_KINDS || kinds.containsKey(name) ? name : OTHERS);
    if (kind == null) {
      kinds.put(kinds.size() < MOST_KINDS ? name : OTHERS, new Kind());
      return true;
    }
    kind.more++;
    kind.last = line;
    if (over) {
      // Nobody would count for it any more.
      return kind.more == 1;
    }
    if (kind.cancel == null) {
      kind.cancel = deadlines.after(TIME, () -> tell(kind));
    }
    return false;
  }

  private void tell(Kind kind) {
    String line;
    synchronized (this) {
      kind.cancel = null;
      line = summary(kind, "in " + TIME.toSeconds() + " s");
    }
    if (line != null) {
      lines.write(line, null);
    }
  }

  /** The connection has ended: tells what was counted. */
  void end() {
    List<String> summaries = new ArrayList<>();
    synchronized (this) {
      over = true;
      for (Kind kind : kinds.values()) {
        if (kind.cancel != null) {
          kind.cancel.run();
          kind.cancel = null;
        }
        String line = summary(kind, "until the connection ended");
        if (line != null) {
          summaries.add(line);
        }
      }
    }
    summaries.forEach(line -> lines.write(line, null));
  }

  private static @Nullable String summary(Kind kind, String when) {
    if (kind.more == 0) {
      return null;
    }
    String line = String.format(Locale.ROOT, "%s ... %,d more %s", kind.last, kind.more, when);
    kind.more = 0;
    return line;
  }
}
