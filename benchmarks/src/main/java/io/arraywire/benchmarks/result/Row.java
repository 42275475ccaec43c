package io.arraywire.benchmarks.result;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/**
 * How a contender fared. What is not known, such as percentiles where arrays were not waited for
 * one by one, is NaN.
 *
 * @param contender its name, and whether it loses bits
 * @param bytes of elements that are moved in the time of one array: twice its own on a round trip
 * @param ratio how many times as fast as the baseline: the median over the rounds of what it was
 *     within the round
 * @param ratioInterval the confidence interval of that
 * @param nanos for an array: the median of the rounds
 * @param standardDeviation of the rounds, in nanoseconds
 * @param interval the confidence interval of the time for an array, in nanoseconds
 * @param spread the distance between the quartiles of the rounds as a part of their median
 * @param slowQuarter a rate that three quarters of the transfers reached, in 10^9 bytes per second
 * @param cpuSecondsPerGigabyte of both processes together
 * @param allocatedBytesPerArray on the heaps of both processes together
 * @param p50 nanoseconds that half the transfers did not exceed
 * @param p99 the same for 99 % of them
 * @param p999 the same for 99.9 % of them
 * @param leastShare what the connection that was served least had, as a part of the mean
 * @param jainIndex how evenly the connections were served, up to 1
 * @param reachedPerSecond how many requests were answered in a second where they fell due at a rate
 * @param arrays how many were sent in all rounds
 * @param roundNanos nanoseconds for an array in each round
 * @param times of all transfers in nanoseconds; empty if they were not waited for one by one
 */
public record Row(
    String contender,
    long bytes,
    double ratio,
    Interval ratioInterval,
    double nanos,
    double standardDeviation,
    Interval interval,
    double spread,
    double slowQuarter,
    double cpuSecondsPerGigabyte,
    double allocatedBytesPerArray,
    double p50,
    double p99,
    double p999,
    double leastShare,
    double jainIndex,
    double reachedPerSecond,
    long arrays,
    List<Double> roundNanos,
    Histogram times) {
  private static final int DIGITS = 3;

  /** Not in files that were written before it was measured. */
  private static final String ALLOCATED = "allocatedBytesPerArray";

  static Row parse(Members members, long bytes) throws IOException {
    Histogram times = new Histogram(DIGITS);
    if (members.has("times")) {
      addTimes(members, times);
    }
    List<Double> roundNanos = new ArrayList<>();
    for (Members round : members.objects("rounds")) {
      double nanos = round.number("nanos");
      if (!(nanos > 0)) {
        throw round.wrong("nanos", "a number above 0");
      }
      roundNanos.add(nanos);
      if (round.has("times")) {
        addTimes(round, times);
      }
    }
    if (roundNanos.isEmpty()) {
      throw members.wrong("rounds", "one round or more");
    }
    return new Row(
        OldNames.contender(members.text("contender")) + (members.has("loss") ? " (lossy)" : ""),
        bytes,
        members.number("ratio"),
        interval(members, "ratioInterval"),
        members.number("nanos"),
        members.number("standardDeviation"),
        interval(members, "nanosInterval"),
        members.number("spread"),
        members.number("slowQuarterGigabytesPerSecond"),
        members.number("cpuSecondsPerGigabyte"),
        members.has(ALLOCATED) ? members.number(ALLOCATED) : Double.NaN,
        members.number("p50"),
        members.number("p99"),
        members.number("p99.9"),
        members.has("leastShare") ? members.number("leastShare") : Double.NaN,
        members.has("jainIndex") ? members.number("jainIndex") : Double.NaN,
        members.has("reachedPerSecond") ? members.number("reachedPerSecond") : Double.NaN,
        members.whole("arrays"),
        roundNanos,
        times);
  }

  private static void addTimes(Members of, Histogram times) throws IOException {
    try {
      EncodedTimes.add(of.text("times"), times);
    } catch (IllegalArgumentException e) {
      throw of.wrong("times", "a histogram");
    }
  }

  private static Interval interval(Members members, String name) throws IOException {
    Members interval = members.object(name);
    return new Interval(interval.number("low"), interval.number("high"));
  }

  /** 10^9 bytes of elements per second. */
  public double gigabytesPerSecond() {
    return bytes / nanos;
  }

  /** Arrays per second. */
  public double arraysPerSecond() {
    return 1e9 / nanos;
  }

  /** Microseconds of the processors for an array. */
  public double cpuMicrosPerArray() {
    return cpuSecondsPerGigabyte * bytes / 1e3;
  }

  /**
   * For tables: whole bytes, and one digit more where there are few.
   *
   * @param bytes on the heap, for an array
   * @return such as {@code 0.3} or {@code 1,048,592}
   */
  public static String bytesPerArray(double bytes) {
    return String.format(Locale.ROOT, bytes < 9.95 ? "%.1f" : "%,.0f", bytes);
  }

  /** Whether the rounds differ so much that a reader of the median should know. */
  public boolean noisy() {
    return Statistics.noisy(spread);
  }

  /** {@link #roundNanos} for {@link Statistics}. */
  public double[] rounds() {
    return roundNanos.stream().mapToDouble(Double::doubleValue).toArray();
  }
}
