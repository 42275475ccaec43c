package io.arraywire.benchmarks.report;

import io.arraywire.benchmarks.report.ReportPage.Column;
import io.arraywire.benchmarks.result.BenchFile;
import io.arraywire.benchmarks.result.Question;
import io.arraywire.benchmarks.result.Row;
import io.arraywire.benchmarks.result.Run;
import io.arraywire.benchmarks.result.Statistics;
import io.arraywire.examples.report.Units;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What a report has of a file of {@code arraywire bench}.
 *
 * @param page what it is written to
 * @param file what was measured
 * @param prefix of the names of its charts
 */
record BenchSection(ReportPage page, BenchFile file, String prefix) {

  /** Adds it. */
  void write() throws IOException {
    page.facts(file.environment().words());
    ReportCharts drawn = new ReportCharts(file, prefix);
    for (Figure each : drawn.connections()) {
      page.figure(each);
    }
    for (Figure each : drawn.rates()) {
      page.figure(each);
    }
    for (Run run : file.runs()) {
      page.heading(3, heading(run));
      Map<String, String> facts = new LinkedHashMap<>();
      facts.put(
          "Rounds",
          run.rounds()
              + ", in each of which every contender works for "
              + run.burstMillis()
              + " ms with each size");
      facts.put("JVM flags", String.join(" ", run.jvmFlags()));
      page.facts(facts);
      Optional<Figure> sizes = drawn.sizes(run);
      if (sizes.isPresent()) {
        page.figure(sizes.get());
      }
      for (Question question : run.questions()) {
        page.heading(4, "float[] of " + question.label());
        page.figure(drawn.ratios(run, question));
        page.table(columns(run, question), question.rows(), Row::noisy);
        Optional<Figure> percentiles = drawn.percentiles(run, question);
        if (percentiles.isPresent()) {
          page.figure(percentiles.get());
        }
      }
    }
  }

  private static String heading(Run run) {
    int connections = run.questions().get(0).connections();
    return connections == 0
            || run.questions().get(0).threads() > 0
            || run.questions().get(0).rate() > 0
        ? run.network()
        : run.network() + ", " + connections + (connections == 1 ? " connection" : " connections");
  }

  private static List<Column<Row>> columns(Run run, Question question) {
    List<Column<Row>> columns =
        new ArrayList<>(
            List.of(
                new Column<Row>("contender", Row::contender),
                new Column<>("x " + run.baseline(), row -> ReportCharts.ratio(row.ratio())),
                new Column<>("99.9 % CI", row -> row.ratioInterval().words()),
                new Column<>("time", row -> time(row.nanos())),
                new Column<>("std. dev.", row -> time(row.standardDeviation())),
                new Column<>(ReportPage.SPREAD, row -> Statistics.spreadWords(row.spread())),
                new Column<>("GB/s", row -> ReportCharts.plain(row.gigabytesPerSecond()))));
    if (question.rate() > 0) {
      columns.add(
          new Column<>("requests/s", row -> ReportCharts.thousands(row.reachedPerSecond())));
      columns.add(
          new Column<>("CPU us/request", row -> Units.significant(row.cpuMicrosPerArray())));
    } else if (question.pipelined() || question.concurrent()) {
      columns.add(new Column<>("arrays/s", row -> ReportCharts.thousands(row.arraysPerSecond())));
      columns.add(new Column<>("CPU us/array", row -> Units.significant(row.cpuMicrosPerArray())));
    } else {
      columns.add(new Column<>("slow quarter", row -> ReportCharts.plain(row.slowQuarter())));
      columns.add(new Column<>("CPU s/GB", row -> Units.significant(row.cpuSecondsPerGigabyte())));
    }
    if (question.rows().stream().anyMatch(row -> !Double.isNaN(row.allocatedBytesPerArray()))) {
      columns.add(new Column<>("B/array", row -> Row.bytesPerArray(row.allocatedBytesPerArray())));
    }
    if (!question.pipelined()) {
      columns.add(new Column<>("p50", row -> time(row.p50())));
      columns.add(new Column<>("p99", row -> time(row.p99())));
      columns.add(new Column<>("p99.9", row -> time(row.p999())));
    }
    if (question.concurrent() && !question.answered()) {
      columns.add(new Column<>("least/mean", row -> two(row.leastShare())));
      columns.add(new Column<>("Jain", row -> String.format(Locale.ROOT, "%.3f", row.jainIndex())));
    }
    columns.add(new Column<>("arrays", row -> String.format(Locale.ROOT, "%,d", row.arrays())));
    return columns;
  }

  private static String two(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }

  private static String time(double nanos) {
    return Double.isNaN(nanos) ? "?" : Units.time(Math.round(nanos));
  }
}
