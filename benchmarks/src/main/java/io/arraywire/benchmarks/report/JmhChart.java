package io.arraywire.benchmarks.report;

import io.arraywire.benchmarks.report.Bars.Bar;
import io.arraywire.benchmarks.result.JmhResult;
import io.arraywire.benchmarks.result.Statistics;
import io.arraywire.examples.report.Units;
import java.util.List;
import java.util.OptionalDouble;

/** Makes the chart of what JMH has measured. */
final class JmhChart {
  private JmhChart() {}

  /**
   * Makes it.
   *
   * @param prefix of the name of its files
   */
  static Bars of(JmhComparison comparison, String prefix) {
    List<Bar> bars =
        comparison.results().stream()
            .map(result ->
                new Bar(comparison.name(result), result.score(), result.interval(), words(result)))
            .toList();
    return new Bars(
        ReportCharts.fileName(prefix + comparison.title()),
        comparison.title() + ": means, 99.9 % confidence intervals",
        comparison.unit() + (timed(comparison.unit()) ? ", shorter is faster" : ""),
        bars,
        OptionalDouble.empty());
  }

  /** Whether a unit is that of a time, such as {@code us/op}, and not of a rate. */
  static boolean timed(String unit) {
    return unit.endsWith("/op");
  }

  private static String words(JmhResult result) {
    return ReportCharts.plain(result.score())
        + " "
        + result.unit()
        + (Statistics.noisy(result.spread()) ? " ! spread " + Units.percent(result.spread()) : "");
  }
}
