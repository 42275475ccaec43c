package io.arraywire.benchmarks.bench;

import java.util.Arrays;

/** Order statistics of a few numbers. */
final class Statistics {
  private Statistics() {}

  /** The middle one, or the mean of the middle two. */
  static double median(double[] numbers) {
    return quantile(numbers, 0.5);
  }

  /**
   * What that part of the numbers does not exceed, between two of them in proportion (type 7 of
   * Hyndman and Fan, "Sample Quantiles in Statistical Packages", 1996).
   *
   * @param numbers at least one, in any order
   * @param part 0 for the smallest to 1 for the largest
   */
  static double quantile(double[] numbers, double part) {
    if (numbers.length == 0) {
      throw new IllegalArgumentException("no numbers");
    }
    double[] sorted = numbers.clone();
    Arrays.sort(sorted);
    double place = part * (sorted.length - 1);
    int below = (int) place;
    int above = Math.min(below + 1, sorted.length - 1);
    return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
  }

  /** The distance between the quartiles as a part of the median. */
  static double spread(double[] numbers) {
    return (quantile(numbers, 0.75) - quantile(numbers, 0.25)) / median(numbers);
  }
}
