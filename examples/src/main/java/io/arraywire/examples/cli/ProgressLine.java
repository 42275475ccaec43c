package io.arraywire.examples.cli;

import io.arraywire.examples.report.Units;
import java.time.Duration;
import java.util.Locale;
import java.util.function.LongSupplier;
import me.tongfei.progressbar.ProgressBarRenderer;
import me.tongfei.progressbar.ProgressState;

/**
 * A line of progress: a bar, in which {@code =} was there before, how much of how much, the rate
 * since the start, and the time left. The library's own line has two times without names and no
 * rate.
 */
final class ProgressLine implements ProgressBarRenderer {
  private static final int BAR_COLUMNS = 20;
  private static final int LEAST_BAR_COLUMNS = 4;

  private final String unit;
  private final long unitSize;
  private final LongSupplier skipped;

  /**
   * Makes one.
   *
   * @param unit what is counted, for example {@code MiB}
   * @param unitSize how many steps make one unit
   * @param skipped how many of the steps that count as done were done before, by others
   */
  ProgressLine(String unit, long unitSize, LongSupplier skipped) {
    this.unit = unit;
    this.unitSize = unitSize;
    this.skipped = skipped;
  }

  @Override
  public String render(ProgressState state, int columns) {
    String line =
        words(
            state.getTaskName(),
            state.getCurrent(),
            state.getMax(),
            state.getTotalElapsed(),
            columns);
    return line.length() > columns ? line.substring(0, columns) : line;
  }

  /** The line when so much of all has been done in so long; the bar leaves room for the words. */
  String words(String task, long done, long all, Duration elapsed, int columns) {
    String line = line(task, done, all, elapsed, BAR_COLUMNS);
    int bar = Math.max(LEAST_BAR_COLUMNS, BAR_COLUMNS + columns - line.length());
    return bar < BAR_COLUMNS ? line(task, done, all, elapsed, bar) : line;
  }

  private String line(String task, long done, long all, Duration elapsed, int bar) {
    double part = all == 0 ? 1 : Math.min(1, (double) done / all);
    int filled = (int) (part * bar);
    double seconds = Math.max(1, elapsed.toMillis()) / 1e3;
    long before = Math.min(done, skipped.getAsLong());
    int there = all == 0 ? 0 : (int) ((double) before / all * bar);
    double rate = (done - before) / seconds;
    String left = rate <= 0 || done > all ? "?" : clock((long) Math.ceil((all - done) / rate));
    return String.format(
        Locale.ROOT,
        "%s [%s%s%s] %3d %%  %d of %d %s  %s %s/s  %s left",
        task,
        "=".repeat(there),
        "#".repeat(filled - there),
        " ".repeat(bar - filled),
        (int) (100 * part),
        done / unitSize,
        all / unitSize,
        unit,
        Units.significant(rate / unitSize),
        unit,
        left);
  }

  private static String clock(long seconds) {
    return seconds < 3_600
        ? String.format(Locale.ROOT, "%d:%02d", seconds / 60, seconds % 60)
        : String.format(
            Locale.ROOT, "%d:%02d:%02d", seconds / 3_600, seconds / 60 % 60, seconds % 60);
  }
}
