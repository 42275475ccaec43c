package io.arraywire.benchmarks.compare;

import io.arraywire.benchmarks.result.Interval;
import io.arraywire.benchmarks.result.Row;
import io.arraywire.benchmarks.result.Statistics;
import org.jspecify.annotations.Nullable;

/**
 * How a contender's time for an array changed from one run to another.
 *
 * @param before the contender in the first run
 * @param after the same in the second
 * @param time the second's time divided by the first's, more than 1 where it got slower
 * @param timeInterval the confidence interval of that
 * @param relative the same, of times that were divided by the baseline's in the same round, so that
 *     a machine that is slower altogether does not count; NaN of the baseline itself
 * @param relativeInterval the confidence interval of that
 */
record Change(
    Row before,
    Row after,
    double time,
    Interval timeInterval,
    double relative,
    Interval relativeInterval) {

  /** What a change is. */
  enum Verdict {
    WITHIN_NOISE("within noise"),
    SLOWER("slower"),
    FASTER("faster"),
    /** Certain of these processes, but no more than their own rounds differ. */
    PERHAPS_SLOWER("perhaps slower"),
    PERHAPS_FASTER("perhaps faster"),
    /** The contender's time changed, and the baseline's with it. */
    AS_BASELINE("as the baseline");

    private final String words;

    Verdict(String words) {
      this.words = words;
    }

    String words() {
      return words;
    }
  }

  /**
   * Compares.
   *
   * @param baselineBefore the baseline in the first run; null if the contender is the baseline
   * @param baselineAfter the same in the second
   */
  static Change of(
      Row before, Row after, @Nullable Row baselineBefore, @Nullable Row baselineAfter) {
    double[] first = before.rounds();
    double[] second = after.rounds();
    double relative = Double.NaN;
    Interval relativeInterval = Interval.UNKNOWN;
    if (baselineBefore != null && baselineAfter != null) {
      double[] firstParts = parts(first, baselineBefore.rounds());
      double[] secondParts = parts(second, baselineAfter.rounds());
      relative = Statistics.ratio(secondParts, firstParts);
      relativeInterval = Statistics.ratioInterval(secondParts, firstParts);
    }
    return new Change(
        before,
        after,
        Statistics.ratio(second, first),
        Statistics.ratioInterval(second, first),
        relative,
        relativeInterval);
  }

  private static double[] parts(double[] nanos, double[] baseline) {
    double[] parts = new double[Math.min(nanos.length, baseline.length)];
    for (int round = 0; round < parts.length; round++) {
      parts[round] = nanos[round] / baseline[round];
    }
    return parts;
  }

  boolean ofBaseline() {
    return Double.isNaN(relative);
  }

  /** What counts: the time relative to the baseline, or that of the baseline itself. */
  double factor() {
    return ofBaseline() ? time : relative;
  }

  Verdict verdict() {
    Interval interval = ofBaseline() ? timeInterval : relativeInterval;
    if (!interval.excludes(1)) {
      return timeInterval.excludes(1) ? Verdict.AS_BASELINE : Verdict.WITHIN_NOISE;
    }
    boolean slower = factor() > 1;
    double change = slower ? factor() - 1 : 1 / factor() - 1;
    if (change <= Math.max(before.spread(), after.spread())) {
      return slower ? Verdict.PERHAPS_SLOWER : Verdict.PERHAPS_FASTER;
    }
    return slower ? Verdict.SLOWER : Verdict.FASTER;
  }
}
