package io.arraywire.benchmarks.report;

import io.arraywire.benchmarks.report.PageData.Column;
import io.arraywire.benchmarks.result.JmhFile;
import io.arraywire.benchmarks.result.JmhResult;
import io.arraywire.benchmarks.result.JmhSetting;
import io.arraywire.benchmarks.result.Statistics;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.w3c.dom.Element;

/**
 * What a report has of a file of JMH: for each method and choice of parameters a chart and a table
 * of what was compared.
 *
 * @param page what it is written to
 * @param file what was measured
 * @param prefix of the names of its pictures
 * @param pictures get every chart
 */
record JmhSection(ReportPage page, JmhFile file, String prefix, Pictures pictures) {

  /** Adds it. */
  void write() throws IOException {
    Map<JmhSetting, List<JmhResult>> bySetting = new LinkedHashMap<>();
    for (JmhResult each : file.results()) {
      bySetting.computeIfAbsent(each.setting(), key -> new ArrayList<>()).add(each);
    }
    page.file("JMH: " + classes());
    int number = 0;
    for (Map.Entry<JmhSetting, List<JmhResult>> each : bySetting.entrySet()) {
      number++;
      Map<String, String> words = new LinkedHashMap<>();
      words.put("File", String.valueOf(file.path().getFileName()));
      words.putAll(each.getKey().words());
      page.facts(page.part(), words);
      String names = prefix + (bySetting.size() == 1 ? "" : number + "-");
      for (JmhComparison comparison : JmhComparison.of(each.getValue())) {
        Element here =
            page.question(page.part(), comparison.title(), comparison.title(), comparison.title());
        page.conclusion(here, Conclusions.jmh(comparison, JmhChart.timed(comparison.unit())));
        Bars bars = JmhChart.of(comparison, names);
        page.bars(here, bars, comparison.results(), columns(comparison), JmhSection::noisy);
        pictures.drawBars(bars);
      }
    }
  }

  private String classes() {
    return file.results().stream()
        .map(each -> each.benchmark().replaceFirst("\\..*", ""))
        .distinct()
        .collect(Collectors.joining(", "));
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
