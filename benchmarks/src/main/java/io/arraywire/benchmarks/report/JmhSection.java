package io.arraywire.benchmarks.report;

import io.arraywire.benchmarks.report.ReportPage.Column;
import io.arraywire.benchmarks.result.JmhFile;
import io.arraywire.benchmarks.result.JmhResult;
import io.arraywire.benchmarks.result.JmhSetting;
import io.arraywire.benchmarks.result.Statistics;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a report has of a file of JMH: for each method and choice of parameters a chart and a table
 * of what was compared.
 *
 * @param page what it is written to
 * @param file what was measured
 * @param prefix of the names of its charts
 */
record JmhSection(ReportPage page, JmhFile file, String prefix) {

  /** Adds it. */
  void write() throws IOException {
    Map<JmhSetting, List<JmhResult>> bySetting = new LinkedHashMap<>();
    for (JmhResult each : file.results()) {
      bySetting.computeIfAbsent(each.setting(), key -> new ArrayList<>()).add(each);
    }
    int number = 0;
    for (Map.Entry<JmhSetting, List<JmhResult>> each : bySetting.entrySet()) {
      number++;
      page.facts(each.getKey().words());
      String names = prefix + (bySetting.size() == 1 ? "" : number + "-");
      for (JmhComparison comparison : JmhComparison.of(each.getValue())) {
        page.heading(3, comparison.title());
        page.figure(JmhChart.of(comparison, names));
        page.table(columns(comparison), comparison.results(), JmhSection::noisy);
      }
    }
  }

  private static boolean noisy(JmhResult result) {
    return Statistics.noisy(result.spread());
  }

  private static List<Column<JmhResult>> columns(JmhComparison comparison) {
    List<Column<JmhResult>> columns =
        new ArrayList<>(
            List.of(
                new Column<JmhResult>(comparison.subject(), comparison::name),
                new Column<>(
                    "score, " + comparison.unit(), result -> ReportCharts.plain(result.score())),
                new Column<>("99.9 % CI", result -> interval(result)),
                new Column<>("std. dev.", result -> known(result.standardDeviation())),
                new Column<>(
                    ReportPage.SPREAD,
                    result ->
                        Double.isNaN(result.spread())
                            ? "?"
                            : Statistics.spreadWords(result.spread()))));
    if (comparison.results().stream().anyMatch(each -> !Double.isNaN(each.allocatedBytes()))) {
      columns.add(new Column<>("bytes allocated/op", result -> known(result.allocatedBytes())));
    }
    return columns;
  }

  private static String interval(JmhResult result) {
    return result.interval().known()
        ? known(result.interval().low()) + " to " + known(result.interval().high())
        : "too few iterations";
  }

  private static String known(double value) {
    return Double.isNaN(value)
        ? "?"
        : value < 0 ? "-" + ReportCharts.plain(-value) : ReportCharts.plain(value);
  }
}
