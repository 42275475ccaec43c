package io.arraywire.benchmarks.bench;

import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.Histogram;

/**
 * What the rounds of one contender with one workload say.
 *
 * @param contender its name
 * @param workload what it did
 * @param roundNanos nanoseconds for an array, in each round: the median of the transfers, or the
 *     mean if they were not waited for one by one, or many connections worked
 * @param nanos the median of those
 * @param spread the distance of their quartiles as a part of their median
 * @param ratio how many times as fast as the baseline: the median over the rounds of what it was
 *     within the round
 * @param slowNanos what three quarters of the transfers do not exceed
 * @param cpuSecondsPerGigabyte of both processes together, 10^9 bytes of elements
 * @param arrays how many were sent in all rounds
 * @param times of all transfers; empty if they were not waited for one by one
 * @param leastShare {@link Fairness#leastShare} in each round, of these the median; NaN where one
 *     connection works alone
 * @param jainIndex {@link Fairness#jainIndex} likewise
 */
record Figures(
    String contender,
    Workload workload,
    List<Double> roundNanos,
    double nanos,
    double spread,
    double ratio,
    double slowNanos,
    double cpuSecondsPerGigabyte,
    long arrays,
    Histogram times,
    double leastShare,
    double jainIndex) {

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
    long cpuNanos = 0;
    Histogram times = Burst.emptyTimes();
    for (int round = 0; round < nanos.length; round++) {
      Burst burst = bursts.get(round);
      ratios[round] = baseline.get(round).nanosPerArray() / nanos[round];
      arrays += burst.arrays();
      cpuNanos += burst.cpuNanos();
      times.add(burst.times());
    }
    double slow =
        times.getTotalCount() > 0
            ? times.getValueAtPercentile(75)
            : Statistics.quantile(nanos, 0.75);
    // Nanoseconds per byte are seconds per 10^9 bytes.
    double cpu = (double) cpuNanos / ((double) arrays * workload.bytes());
    return new Figures(
        contender.name(),
        workload,
        Arrays.stream(nanos).boxed().toList(),
        Statistics.median(nanos),
        Statistics.spread(nanos),
        Statistics.median(ratios),
        slow,
        cpu,
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
    return workload.bytes() / nanos;
  }

  /** The same, of which three quarters of the transfers were no slower. */
  double slowGigabytesPerSecond() {
    return workload.bytes() / slowNanos;
  }

  double arraysPerSecond() {
    return 1e9 / nanos;
  }

  double cpuMicrosPerArray() {
    return cpuSecondsPerGigabyte * workload.bytes() / 1e3;
  }

  /** How many arrays of a burst fall to each connection, about. */
  double arraysPerConnection() {
    return (double) arrays / roundNanos.size() / Math.max(1, workload.connections());
  }

  /** A time that this percentage of the transfers did not exceed, in nanoseconds. */
  double percentile(double percentage) {
    return times.getTotalCount() == 0 ? Double.NaN : times.getValueAtPercentile(percentage);
  }
}
