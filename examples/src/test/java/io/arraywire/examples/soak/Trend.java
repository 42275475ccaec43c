package io.arraywire.examples.soak;

import java.util.Arrays;

/**
 * Where a series goes in the second half of its time. The slope is the median of the slopes of all
 * pairs of samples (Theil and Sen), which single peaks do not move. The score is that of Mann and
 * Kendall: beyond 4 it is chance in one of 30,000 series.
 *
 * @param level the median
 * @param change the slope times the time that the second half lasts
 * @param score how many standard deviations the series is away from one that goes nowhere
 */
record Trend(double level, double change, double score) {
  /** Fewer samples in the second half show nothing. */
  static final int LEAST = 10;

  private static final double CHANCE = 4;

  /** The trend of samples, whose times ascend. */
  static Trend of(double[] seconds, double[] values) {
    if (seconds.length != values.length || seconds.length < 2 * LEAST) {
      throw new IllegalArgumentException(
          "too few samples; let the soak run longer (samples="
              + values.length
              + ", least="
              + 2 * LEAST
              + ")");
    }
    double middle = (seconds[0] + seconds[seconds.length - 1]) / 2;
    int from = 0;
    while (seconds[from] < middle) {
      from++;
    }
    double[] x = Arrays.copyOfRange(seconds, from, seconds.length);
    double[] y = Arrays.copyOfRange(values, from, values.length);
    int n = x.length;
    double[] slopes = new double[n * (n - 1) / 2];
    int pairs = 0;
    long ascending = 0;
    for (int i = 0; i < n; i++) {
      for (int j = i + 1; j < n; j++) {
        slopes[pairs++] = (y[j] - y[i]) / (x[j] - x[i]);
        ascending += Double.compare(y[j], y[i]);
      }
    }
    double deviation = Math.sqrt(n * (n - 1.0) * (2 * n + 5) / 18);
    return new Trend(median(y), median(slopes) * (x[n - 1] - x[0]), ascending / deviation);
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int half = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
  }

  /** Whether a series goes the wrong way: by more than its limit, and not by chance. */
  boolean isWrong(SoakSeries series) {
    return series.wrong() * change > series.limit(level) && series.wrong() * score > CHANCE;
  }
}
