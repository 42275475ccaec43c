package io.arraywire.examples.cli;

import java.time.Duration;
import java.util.Timer;
import java.util.TimerTask;
import java.util.function.LongSupplier;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import org.jspecify.annotations.Nullable;

/**
 * A progress bar for work that takes longer than a second, if somebody watches; otherwise nothing.
 * Any thread.
 */
public final class ProgressMeter implements AutoCloseable {
  private static final long DELAY_MILLIS = 1_000;

  private static final long UPDATE_MILLIS = 200;

  /** Narrow enough for every terminal; a wider one would make the library ask the terminal. */
  private static final int COLUMNS = 79;

  private final Console console;
  private final String task;
  private final String unit;
  private final long unitSize;
  private final long total;
  private final @Nullable Timer timer;
  private boolean closed;
  private long done;
  private volatile long skipped;
  private LongSupplier left = () -> 0;
  private @Nullable ProgressBar bar;

  /**
   * Begins to measure.
   *
   * @param console where to draw
   * @param task what is being done
   * @param unit what is counted, for example {@code MiB}
   * @param unitSize how many steps make one unit
   * @param total how many steps there are
   */
  public ProgressMeter(Console console, String task, String unit, long unitSize, long total) {
    this.console = console;
    this.task = task;
    this.unit = unit;
    this.unitSize = unitSize;
    this.total = total;
    if (!console.terminal()) {
      timer = null;
      return;
    }
    timer = new Timer("progress", true);
    timer.schedule(
        new TimerTask() {
          @Override
          public void run() {
            show();
          }
        },
        DELAY_MILLIS,
        UPDATE_MILLIS);
  }

  private synchronized void show() {
    if (closed) {
      return;
    }
    if (bar != null) {
      bar.stepTo(whole());
      return;
    }
    bar =
        new ProgressBarBuilder()
            .setTaskName(task)
            .setInitialMax(total)
            .setRenderer(new ProgressLine(unit, unitSize, () -> skipped))
            .setUpdateIntervalMillis((int) UPDATE_MILLIS)
            .setConsumer(new ConsoleProgressBarConsumer(console.err(), COLUMNS))
            .startsFrom(0, Duration.ofMillis(DELAY_MILLIS))
            .build();
    bar.stepTo(whole());
  }

  private long whole() {
    return Math.max(0, done - left.getAsLong());
  }

  /**
   * Subtracts work that was counted as done and is not; asks for its size now and then.
   *
   * @param steps how much of it; any thread calls that
   */
  public synchronized void less(LongSupplier steps) {
    left = steps;
  }

  /**
   * Counts work as done.
   *
   * @param steps how much
   */
  public synchronized void step(long steps) {
    done += steps;
    if (bar != null) {
      bar.stepTo(whole());
    }
  }

  /**
   * Some of the work was done before, by others: it counts as done, and not for the rate.
   *
   * @param steps how much
   */
  void skip(long steps) {
    if (steps > 0) {
      addSkipped(steps);
      step(steps);
    }
  }

  private synchronized void addSkipped(long steps) {
    skipped += steps;
  }

  /**
   * How much was done at a moment.
   *
   * @param done all of it
   * @param skipped what of it was done before, by others
   */
  record Mark(long done, long skipped) {}

  /** How much is done now. */
  synchronized Mark mark() {
    return new Mark(done, skipped);
  }

  /** What was done since then has to be done again. */
  synchronized void backTo(Mark mark) {
    done = mark.done;
    skipped = mark.skipped;
    step(0);
  }

  /** Wipes the bar, so that a line can be printed where it stood; it comes back below. */
  public synchronized void wipe() {
    if (bar != null) {
      console.err().print("\r" + " ".repeat(COLUMNS) + "\r");
      console.err().flush();
    }
  }

  /**
   * Makes way for a line.
   *
   * @param last whether it is the last one: the bar would be drawn once more below it
   */
  void makeWay(boolean last) {
    if (last) {
      close();
    } else {
      wipe();
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (timer != null) {
      timer.cancel();
    }
    if (bar != null) {
      bar.close();
      bar = null;
    }
  }
}
