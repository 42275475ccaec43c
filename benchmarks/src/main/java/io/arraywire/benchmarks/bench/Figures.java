package io.arraywire.benchmarks.bench;

import io.arraywire.benchmarks.result.Interval;
import io.arraywire.benchmarks.result.Statistics;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.Histogram;

/**
 * What the rounds of one contender with one workload say.
 *
 * @param contender its name
 * @param workload what it did
 * @param bursts what it did in each round
 * @param roundRatios how many times as fast as the baseline it was, in each round
 * @param nanos nanoseconds for an array ({@link Burst#nanosPerArray}): the median of the rounds
 * @param standardDeviation of the rounds
 * @param interval the confidence interval of the rounds
 * @param spread the distance of their quartiles as a part of their median
 * @param ratio the median of roundRatios
 * @param ratioInterval the confidence interval of roundRatios
 * @param slowNanos what three quarters of the transfers do not exceed
 * @param cpuSecondsPerGigabyte of both processes together, 10^9 bytes of elements
 * @param allocatedBytesPerArray on the heaps of both processes together
 * @param arrays how many were sent in all rounds
 * @param times of all transfers; empty if they were not waited for one by one
 * @param leastShare {@link Fairness#leastShare} in each round, of these the median; NaN where one
 *     connection works alone
 * @param jainIndex {@link Fairness#jainIndex} likewise
 */
record Figures(
    String contender,
    Workload workload,
    List<Burst> bursts,
    List<Double> roundRatios,
    double nanos,
    double standardDeviation,
    Interval interval,
    double spread,
    double ratio,
    Interval ratioInterval,
    double slowNanos,
    double cpuSecondsPerGigabyte,
    double allocatedBytesPerArray,
    long arrays,
    Histogram times,
    double leastShare,
    double jainIndex) {
  /** What is less than so many times as long is of the same mode. */
  private static final double SAME_MODE = 2;

  /**
   * The part of a rate that counts as reached: a burst lasts until its last answer, which comes
   * after all requests were due.
   */
  private static final double REACHED = 0.95;

  /**
   * Makes figures.
   *
   * @param bursts of the contender, a round each
   * @param baseline those of the baseline in the same rounds
   */
  static Figures of(
      Participant contender, Workload workload, List<Burst> bursts, List<Burst> baseline) {
    double[] nanos = bursts.stream().mapToDouble(Burst::nanosPerArray).toArray();
    double[] ratios = new double[nanos.length];
    long arrays = 0;
    Expense expense = Expense.NONE;
    Histogram times = Burst.emptyTimes();
    for (int round = 0; round < nanos.length; round++) {
      Burst burst = bursts.get(round);
      ratios[round] = baseline.get(round).nanosPerArray() / nanos[round];
      arrays += burst.arrays();
      expense = expense.plus(burst.expense());
      times.add(burst.times());
    }
    double slow =
        times.getTotalCount() > 0
            ? times.getValueAtPercentile(75)
            : Statistics.quantile(nanos, 0.75);
    // Nanoseconds per byte are seconds per 10^9 bytes.
    double cpu = expense.cpuNanos() / ((double) arrays * workload.movedBytes());
    return new Figures(
        contender.name(),
        workload,
        List.copyOf(bursts),
        Arrays.stream(ratios).boxed().toList(),
        Statistics.median(nanos),
        Statistics.standardDeviation(nanos),
        Statistics.interval(nanos),
        Statistics.spread(nanos),
        Statistics.median(ratios),
        Statistics.interval(ratios),
        slow,
        cpu,
        (double) expense.allocatedBytes() / arrays,
        arrays,
        times,
        fairness(bursts, Fairness::leastShare),
        fairness(bursts, Fairness::jainIndex));
  }

  private static double fairness(List<Burst> bursts, ToDoubleFunction<List<Long>> measure) {
    return Statistics.median(
        bursts.stream()
            .map(Burst::served)
            .mapToDouble(served -> served.isEmpty() ? Double.NaN : measure.applyAsDouble(served))
            .toArray());
  }

  /** 10^9 bytes of elements per second. */
  double gigabytesPerSecond() {
    return workload.movedBytes() / nanos;
  }

  /** The same, of which three quarters of the transfers were no slower. */
  double slowGigabytesPerSecond() {
    return workload.movedBytes() / slowNanos;
  }

  double arraysPerSecond() {
    return 1e9 / nanos;
  }

  /** Answers per second where requests fell due at a rate: the median of the rounds. */
  double reachedPerSecond() {
    return Statistics.median(
        bursts.stream().mapToDouble(each -> 1e9 * each.arrays() / each.nanos()).toArray());
  }

  /** Whether requests fell due at a rate that was not reached. */
  boolean missedRate() {
    Rate rate = workload.rate();
    return rate != null && reachedPerSecond() < REACHED * rate.perSecond();
  }

  double cpuMicrosPerArray() {
    return cpuSecondsPerGigabyte * workload.movedBytes() / 1e3;
  }

  /** Whether the rounds differ so much that a reader of the median should know. */
  boolean noisy() {
    return Statistics.noisy(spread);
  }

  /**
   * Whether a typical transfer takes much less or more than the typical round says. Then each of
   * the two figures belongs to one mode of several, and so does every ratio made of it.
   */
  boolean inSeveralModes() {
    if (times.getTotalCount() == 0 || workload.concurrent()) {
      return false;
    }
    double typical = percentile(50);
    return typical < nanos / SAME_MODE || typical > nanos * SAME_MODE;
  }

  /** How many arrays of a burst fall to each connection, about. */
  double arraysPerConnection() {
    return (double) arrays / bursts.size() / Math.max(1, workload.connections());
  }

  /** A time that this percentage of the transfers did not exceed, in nanoseconds. */
  double percentile(double percentage) {
    return times.getTotalCount() == 0 ? Double.NaN : times.getValueAtPercentile(percentage);
  }
}
