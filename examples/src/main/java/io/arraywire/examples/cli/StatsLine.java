package io.arraywire.examples.cli;

import io.arraywire.ConnectionLoad;
import io.arraywire.TransportCounters;
import io.arraywire.TransportCounters.Snapshot;
import io.arraywire.examples.report.Units;
import java.util.Locale;
import java.util.Timer;
import java.util.TimerTask;
import org.jspecify.annotations.Nullable;

/**
 * What {@code receive --stats} shows on standard error: one line that is drawn again where it stood
 * if somebody watches, otherwise a line each time. Any thread.
 */
final class StatsLine implements AutoCloseable {
  private static final int COLUMNS = 79;

  private final Console console;
  private final TransportCounters counters;
  private Snapshot last;
  private long lastAt;
  private int drawn;
  private @Nullable Timer timer;

  /**
   * Makes a line that is drawn by {@link #show} only.
   *
   * @param console where to draw
   * @param counters what to show
   * @param now the time by {@link System#nanoTime()}
   */
  StatsLine(Console console, TransportCounters counters, long now) {
    this.console = console;
    this.counters = counters;
    last = counters.snapshot();
    lastAt = now;
  }

  /** Draws it from now on at regular times, until it is closed. */
  synchronized void start(long seconds) {
    Timer each = new Timer("stats", true);
    timer = each;
    each.scheduleAtFixedRate(
        new TimerTask() {
          @Override
          public void run() {
            show(System.nanoTime());
          }
        },
        1000 * seconds,
        1000 * seconds);
  }

  /** Draws it. */
  synchronized void show(long now) {
    Snapshot next = counters.snapshot();
    String line = words(last, next, now - lastAt);
    last = next;
    lastAt = now;
    if (!console.terminal()) {
      console.complain(line);
      return;
    }
    String fitting = line.length() > COLUMNS ? line.substring(0, COLUMNS) : line;
    console.err().print("\r" + fitting + " ".repeat(Math.max(0, drawn - fitting.length())));
    console.err().flush();
    drawn = fitting.length();
  }

  /** Wipes it, so that a line can be printed where it stood; it comes back below. */
  synchronized void wipe() {
    if (drawn > 0) {
      console.err().print("\r" + " ".repeat(drawn) + "\r");
      console.err().flush();
      drawn = 0;
    }
  }

  @Override
  public synchronized void close() {
    if (timer != null) {
      timer.cancel();
      show(System.nanoTime());
    }
    if (drawn > 0) {
      console.err().println();
      drawn = 0;
    }
  }

  /** What has happened from one moment to another. */
  static String words(Snapshot before, Snapshot now, long nanos) {
    double seconds = Math.max(1, nanos) / 1e9;
    ConnectionLoad load = now.load();
    StringBuilder words =
        new StringBuilder(
            String.format(
                Locale.ROOT,
                "%s arrays/s, %s MB/s, %d %s, connections %d, waiting %d (%s)",
                Units.significant((now.arraysReceived() - before.arraysReceived()) / seconds),
                Units.significant(
                    Units.megabytesPerSecond(now.bytesReceived() - before.bytesReceived(), nanos)),
                now.arraysReceived(),
                now.arraysReceived() == 1 ? "array" : "arrays",
                now.connectionsOpen(),
                load.waitingArrays(),
                Units.bytes(load.waitingBytes())));
    append(words, "back-pressured", now.backPressuredNow());
    append(words, "refused", now.rejectedHere());
    append(words, "failed", now.errors().values().stream().mapToLong(Long::longValue).sum());
    return words.toString();
  }

  private static void append(StringBuilder words, String name, long count) {
    if (count > 0) {
      words.append(", ").append(name).append(' ').append(count);
    }
  }
}
