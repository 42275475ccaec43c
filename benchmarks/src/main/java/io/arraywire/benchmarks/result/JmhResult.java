package io.arraywire.benchmarks.result;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * What JMH measured of one method with one choice of parameters. What is not known is NaN.
 *
 * @param benchmark class and method, such as {@code CodecBenchmark.encode}
 * @param setting how it was measured
 * @param parameters their names and values
 * @param score the mean of the iterations
 * @param unit that of the score, such as {@code us/op}
 * @param interval the confidence interval of the score, at 99.9 %
 * @param iterations the scores of all iterations of all forks; none where JMH keeps a histogram
 * @param allocatedBytes on the heap for an operation, if the profiler {@code gc} took part
 */
public record JmhResult(
    String benchmark,
    JmhSetting setting,
    Map<String, String> parameters,
    double score,
    String unit,
    Interval interval,
    List<Double> iterations,
    double allocatedBytes) {
  private static final String RAW = "rawData";
  private static final String ALLOCATED = "gc.alloc.rate.norm";

  static JmhResult parse(Members members) throws IOException {
    Members metric = members.object("primaryMetric");
    double score = metric.number("score");
    if (!(score > 0)) {
      throw metric.wrong("score", "a number above 0");
    }
    double[] interval = metric.numbers("scoreConfidence");
    if (interval.length != 2) {
      throw metric.wrong("scoreConfidence", "two numbers");
    }
    List<Double> iterations =
        metric.has(RAW)
            ? metric.table(RAW).stream().flatMap(fork -> Arrays.stream(fork).boxed()).toList()
            : List.of();
    Members others = members.object("secondaryMetrics");
    return new JmhResult(
        members.text("benchmark").replaceFirst("^.*\\.(?=[^.]+\\.[^.]+$)", ""),
        JmhSetting.parse(members),
        members.has("params") ? members.object("params").allTexts() : Map.of(),
        score,
        metric.text("scoreUnit"),
        // One iteration has an interval without width, which says nothing.
        iterations.size() == 1 ? Interval.UNKNOWN : new Interval(interval[0], interval[1]),
        iterations,
        others.has(ALLOCATED) ? others.object(ALLOCATED).number("score") : Double.NaN);
  }

  /**
   * How much the iterations differ.
   *
   * @return the distance between their quartiles as a part of their median; NaN if they are not
   *     known
   */
  public double spread() {
    return iterations.isEmpty() ? Double.NaN : Statistics.spread(numbers());
  }

  /**
   * How much the iterations differ, in the unit of the score.
   *
   * @return their standard deviation; NaN of fewer than two
   */
  public double standardDeviation() {
    return Statistics.standardDeviation(numbers());
  }

  private double[] numbers() {
    return iterations.stream().mapToDouble(Double::doubleValue).toArray();
  }
}
