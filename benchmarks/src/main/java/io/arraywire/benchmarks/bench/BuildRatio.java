package io.arraywire.benchmarks.bench;

import io.arraywire.benchmarks.result.Interval;
import io.arraywire.benchmarks.result.Statistics;
import java.util.ArrayList;
import java.util.List;

/**
 * How the rate of one contender with one workload in this build compares with that in another
 * build. The unit is a launch: a fresh pair of JVMs of each build. Two JVMs of the same build may
 * differ by more than their rounds do.
 */
final class BuildRatio {
  /** How sure the interval is. */
  static final double CONFIDENCE = 0.99;

  /** Fewer launches say nothing of how launches differ. */
  static final int LEAST_LAUNCHES = 5;

  /** How far the ends of the interval may be from the ratio. */
  static final double PRECISION = 0.05;

  /** Of each launch; above 1 where this build is faster. */
  private final List<Double> ratios = new ArrayList<>();

  /** Of each launch; above 1 where this build takes more of the processors. */
  private final List<Double> expenses = new ArrayList<>();

  private final List<Double> nanos = new ArrayList<>();
  private final List<Double> otherNanos = new ArrayList<>();

  /**
   * A launch is done.
   *
   * @param own of each round, the burst of this build
   * @param others of each round, that of the other build
   */
  void add(List<Burst> own, List<Burst> others) {
    double[] times = own.stream().mapToDouble(Burst::nanosPerArray).toArray();
    double[] otherTimes = others.stream().mapToDouble(Burst::nanosPerArray).toArray();
    ratios.add(Statistics.ratio(otherTimes, times));
    expenses.add(Statistics.ratio(cpuPerArray(own), cpuPerArray(others)));
    nanos.add(Statistics.geometricMean(times));
    otherNanos.add(Statistics.geometricMean(otherTimes));
  }

  private static double[] cpuPerArray(List<Burst> bursts) {
    return bursts.stream()
        .mapToDouble(
            each -> (double) Math.max(1, each.expense().cpuNanos()) / Math.max(1, each.arrays()))
        .toArray();
  }

  int launches() {
    return ratios.size();
  }

  /** Nanoseconds for an array in this build. */
  double nanos() {
    return Statistics.median(array(nanos));
  }

  /** Nanoseconds for an array in the other build. */
  double otherNanos() {
    return Statistics.median(array(otherNanos));
  }

  /** The rate of this build divided by that of the other: the geometric mean of all launches. */
  double ratio() {
    return Statistics.geometricMean(array(ratios));
  }

  /** The CPU time for an array in this build divided by that in the other. */
  double expense() {
    return Statistics.geometricMean(array(expenses));
  }

  Interval interval() {
    return Statistics.interval(array(ratios), CONFIDENCE);
  }

  /** Whether the interval is as narrow as it is to be. */
  boolean isPrecise() {
    Interval interval = interval();
    return launches() >= LEAST_LAUNCHES
        && interval.known()
        && interval.high() <= ratio() * (1 + PRECISION)
        && interval.low() >= ratio() / (1 + PRECISION);
  }

  /** What the interval says, in words. */
  String verdict() {
    Interval interval = interval();
    if (!interval.known() || launches() < LEAST_LAUNCHES) {
      return "too few launches";
    }
    if (!interval.excludes(1)) {
      return isPrecise() ? "no difference" : "not known";
    }
    return interval.high() < 1 ? "SLOWER" : "faster";
  }

  private static double[] array(List<Double> numbers) {
    return numbers.stream().mapToDouble(Double::doubleValue).toArray();
  }
}
