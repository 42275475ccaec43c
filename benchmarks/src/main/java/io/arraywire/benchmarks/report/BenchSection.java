package io.arraywire.benchmarks.report;

import io.arraywire.benchmarks.report.PageData.Column;
import io.arraywire.benchmarks.result.BenchFile;
import io.arraywire.benchmarks.result.JvmFlags;
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
import org.w3c.dom.Element;

/**
 * What a report has of a file of {@code arraywire bench}.
 *
 * @param page what it is written to
 * @param file what was measured
 * @param prefix of the names of its pictures
 * @param pictures get every chart
 */
record BenchSection(ReportPage page, BenchFile file, String prefix, Pictures pictures) {

  /** Adds it. */
  void write() throws IOException {
    page.file(title());
    Map<String, String> words = new LinkedHashMap<>();
    words.put("File", String.valueOf(file.path().getFileName()));
    words.putAll(file.environment().words());
    page.facts(page.part(), words);
    ReportCharts drawn = new ReportCharts(file, prefix);
    for (Lines each : drawn.connections()) {
      lines(page.part(), "Rate by connections", each);
    }
    for (Lines each : drawn.rates()) {
      lines(page.part(), "Times by offered load", each);
    }
    for (Run run : file.runs()) {
      write(run, drawn);
    }
  }

  private void write(Run run, ReportCharts drawn) throws IOException {
    Element part = page.run(heading(run));
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put(
        "Rounds",
        run.rounds()
            + ", in each of which every contender works for "
            + run.burstMillis()
            + " ms with each size");
    if (!run.python().isEmpty()) {
      facts.put("Python", run.python());
    }
    facts.put("JVM flags", JvmFlags.shown(run.jvmFlags()));
    page.facts(part, facts);
    Optional<Lines> sizes = drawn.sizes(run);
    if (sizes.isPresent()) {
      lines(part, "Rate by size" + of(run), sizes.get());
    }
    for (Question question : run.questions()) {
      Element here =
          page.question(
              part,
              "float[] of " + question.label() + of(run),
              question.label() + of(run),
              question.label());
      page.conclusion(
          here, Conclusions.ratios(run, question, row -> ReportCharts.figure(question, row)));
      Bars ratios = drawn.ratios(run, question);
      page.bars(here, ratios, question.rows(), columns(run, question), Row::noisy);
      pictures.drawBars(ratios);
      Optional<Percentiles> percentiles = drawn.percentiles(run, question);
      if (percentiles.isPresent()) {
        page.conclusion(here, Conclusions.percentiles(percentiles.get().rows()));
        page.percentiles(here, percentiles.get());
        pictures.draw(percentiles.get()::figure);
      }
    }
  }

  private void lines(Element parent, String title, Lines lines) throws IOException {
    Element here = page.question(parent, title, title, "");
    page.conclusion(here, Conclusions.lines(lines));
    page.lines(here, lines);
    pictures.draw(lines::figure);
  }

  /** Where there are several networks, which one. */
  private String of(Run run) {
    return networks().size() == 1 ? "" : ", " + run.network();
  }

  private List<String> networks() {
    return file.runs().stream().map(Run::network).distinct().toList();
  }

  /** What was measured where, in words: the name of a file says that to its owner only. */
  private String title() {
    List<String> networks = networks();
    List<Question> questions =
        file.runs().stream().flatMap(run -> run.questions().stream()).toList();
    long least = questions.stream().mapToLong(Question::bytes).min().orElse(0);
    long most = questions.stream().mapToLong(Question::bytes).max().orElse(0);
    int connections = questions.stream().mapToInt(Question::connections).max().orElse(0);
    long contenders =
        questions.stream()
            .flatMap(question -> question.rows().stream())
            .map(Row::contender)
            .distinct()
            .count();
    String where =
        networks.size() > 2 ? networks.size() + " networks" : String.join(", ", networks);
    return where.substring(0, 1).toUpperCase(Locale.ROOT)
        + where.substring(1)
        + file.environment()
            .kernel()
            .replaceFirst("^.*(?=, TCP )", "")
            .replaceFirst("^(?!, ).*", "")
        + ", JDK "
        + file.environment().javaVersion().replaceFirst("[.+-].*", "")
        + ": "
        + (least == most ? Units.bytes(least) : Units.bytes(least) + " to " + Units.bytes(most))
        + (connections > 1 ? ", up to " + connections + " connections" : "")
        + ", "
        + contenders
        + " contenders";
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
