package io.arraywire.benchmarks.report;

import io.arraywire.benchmarks.result.BenchFile;
import io.arraywire.benchmarks.result.Question;
import io.arraywire.benchmarks.result.Row;
import io.arraywire.benchmarks.result.Run;
import io.arraywire.benchmarks.result.Statistics;
import io.arraywire.examples.report.ChartFiles;
import io.arraywire.examples.report.Units;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.w3c.dom.Element;

/** Tables and charts of what was measured, as one page of HTML that needs no other file. */
public final class Report {
  private static final String CSS =
      """

      :root { --ink: #1a1a1a; --paper: #ffffff; --rule: #d9d9d9; --soft: #5c5c5c; }
      body { color: var(--ink); background: var(--paper); font: 16px/1.5 sans-serif;
        max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
      h1, h2, h3, h4 { line-height: 1.2; margin: 2rem 0 0.5rem; }
      h2 { border-top: 2px solid var(--rule); padding-top: 1.5rem; }
      table { border-collapse: collapse; font-size: 0.85rem; font-variant-numeric: tabular-nums; }
      th, td { padding: 0.2rem 0.5rem; border-bottom: 1px solid var(--rule); text-align: right; white-space: nowrap; }
      th:first-child, td:first-child { text-align: left; }
      .facts th { font-weight: normal; color: var(--soft); vertical-align: top; text-align: left; }
      .facts td { text-align: left; white-space: normal; overflow-wrap: anywhere; }
      .noisy { font-weight: bold; }
      .wide { overflow-x: auto; }
      figure { margin: 1rem 0; }
      figure svg { max-width: 100%; height: auto; display: block; }
      figcaption, .soft { color: var(--soft); font-size: 0.85rem; }
      @media screen and (prefers-color-scheme: dark) {
        :root { --ink: #e8e8e8; --paper: #15181b; --rule: #3b4147; --soft: #a8adb2; }
      }
      @media print {
        body { max-width: none; margin: 0; font-size: 10pt; }
        .wide { overflow-x: visible; }
        table { font-size: 7pt; }
        figure, table { break-inside: avoid; }
        h2, h3, h4 { break-after: avoid; }
      }
      """;

  private static final String[] LEGEND = {
    "Every figure is of the elements' bytes, from the call of send to the acknowledgement, and of the"
        + " rounds of one run. Ratios are taken within a round, and of these the median.",
    "99.9 % CI: confidence interval of the geometric mean over the rounds, by Student's t of the"
        + " logarithms. It says how well the rounds of these processes are known, not whether new"
        + " processes would give the same.",
    "slow quarter: a rate that three quarters of all transfers reached. spread: the distance between"
        + " the quartiles of the rounds as a part of their median; differences below it say nothing."
        + " One above "
        + Units.percent(Statistics.NOISY_SPREAD)
        + " has an exclamation mark.",
    "CPU: user and system time of both processes. Percentiles are of single transfers of a closed"
        + " loop, without correction for coordinated omission.",
    "docs/benchmarks.md says more."
  };

  private static final String SPREAD = "spread";

  private final List<BenchFile> files;
  private final Path directory;
  private final List<Path> written = new ArrayList<>();
  private int charts;

  private Report(List<BenchFile> files, Path directory) {
    this.files = files;
    this.directory = directory;
  }

  /**
   * Writes the page and, beside it, each chart as SVG and PNG. Files of these names are replaced.
   *
   * @param files what was measured; at least one
   * @param directory where it all goes; made if it is not there
   * @return what was written, first the page
   * @throws IOException if that fails
   */
  public static List<Path> write(List<BenchFile> files, Path directory) throws IOException {
    return new Report(files, directory).write();
  }

  private List<Path> write() throws IOException {
    Files.createDirectories(directory);
    Page page = new Page("Arraywire benchmarks", CSS + Themes.CSS);
    page.add(page.body(), "h1", "Arraywire benchmarks");
    page.add(
        page.body(),
        "p",
        "How to move a float[] from one JVM into a float[] of another. Only ratios of one run on one"
            + " machine mean something.");
    Map<String, Integer> names = new LinkedHashMap<>();
    for (BenchFile file : files) {
      String name = stem(file.path());
      // Two files may have the same name in different directories.
      int number = names.merge(name, 1, Integer::sum);
      add(page, file, files.size() == 1 ? "" : name + (number == 1 ? "" : "-" + number) + "-");
    }
    page.add(page.body(), "h2", "How to read this");
    for (String each : LEGEND) {
      page.add(page.body(), "p", each);
    }
    Path html = directory.resolve("report.html");
    page.write(html);
    written.add(0, html);
    return List.copyOf(written);
  }

  private static String stem(Path path) {
    return ReportCharts.fileName(String.valueOf(path.getFileName()).replaceAll("\\.json$", ""));
  }

  private void add(Page page, BenchFile file, String prefix) throws IOException {
    Element body = page.body();
    page.add(body, "h2", String.valueOf(file.path().getFileName()));
    facts(page, body, file.environment().words());
    ReportCharts drawn = new ReportCharts(file, prefix);
    for (Figure each : drawn.connections()) {
      add(page, each);
    }
    for (Run run : file.runs()) {
      page.add(body, "h3", heading(run));
      Map<String, String> facts = new LinkedHashMap<>();
      facts.put(
          "Rounds",
          run.rounds()
              + ", in each of which every contender works for "
              + run.burstMillis()
              + " ms with each size");
      facts.put("JVM flags", String.join(" ", run.jvmFlags()));
      facts(page, body, facts);
      Optional<Figure> sizes = drawn.sizes(run);
      if (sizes.isPresent()) {
        add(page, sizes.get());
      }
      for (Question question : run.questions()) {
        page.add(body, "h4", "float[] of " + question.label());
        add(page, drawn.ratios(run, question));
        table(page, run, question);
        Optional<Figure> percentiles = drawn.percentiles(run, question);
        if (percentiles.isPresent()) {
          add(page, percentiles.get());
        }
      }
    }
  }

  private static String heading(Run run) {
    int connections = run.questions().get(0).connections();
    return connections == 0
        ? run.network()
        : run.network() + ", " + connections + (connections == 1 ? " connection" : " connections");
  }

  private static void facts(Page page, Element parent, Map<String, String> facts) {
    Element table = page.add(parent, "table", "");
    table.setAttribute("class", "facts");
    Element rows = page.add(table, "tbody", "");
    facts.forEach((name, value) -> {
      Element row = page.add(rows, "tr", "");
      page.add(row, "th", name).setAttribute("scope", "row");
      page.add(row, "td", value);
    });
  }

  private void add(Page page, Figure figure) throws IOException {
    charts++;
    Element svg = ChartFiles.svg(figure.chart(), "chart" + charts + "-");
    Themes.mark(svg);
    Element parent = page.add(page.body(), "figure", "");
    page.addSvg(parent, svg, figure.caption());
    page.add(parent, "figcaption", figure.name() + ".svg, " + figure.name() + ".png");
    Themes.addStyle(svg);
    written.add(ChartFiles.writeSvg(svg, directory.resolve(figure.name() + ".svg")));
    written.add(ChartFiles.writePng(figure.chart(), directory.resolve(figure.name() + ".png")));
  }

  /** A column: its heading, and what a contender has there. */
  private record Column(String heading, Function<Row, String> cell) {}

  private static void table(Page page, Run run, Question question) {
    List<Column> columns = columns(run, question);
    Element wide = page.add(page.body(), "div", "");
    wide.setAttribute("class", "wide");
    Element table = page.add(wide, "table", "");
    Element head = page.add(page.add(table, "thead", ""), "tr", "");
    for (Column each : columns) {
      page.add(head, "th", each.heading()).setAttribute("scope", "col");
    }
    Element rows = page.add(table, "tbody", "");
    for (Row row : question.rows()) {
      Element line = page.add(rows, "tr", "");
      for (Column each : columns) {
        Element cell = page.add(line, "td", each.cell().apply(row));
        if (each.heading().equals(SPREAD) && row.noisy()) {
          cell.setAttribute("class", "noisy");
        }
      }
    }
  }

  private static List<Column> columns(Run run, Question question) {
    List<Column> columns =
        new ArrayList<>(
            List.of(
                new Column("contender", Row::contender),
                new Column("x " + run.baseline(), row -> ReportCharts.ratio(row.ratio())),
                new Column("99.9 % CI", row -> row.ratioInterval().words()),
                new Column("time", row -> time(row.nanos())),
                new Column("std. dev.", row -> time(row.standardDeviation())),
                new Column(SPREAD, row -> Statistics.spreadWords(row.spread())),
                new Column("GB/s", row -> ReportCharts.plain(row.gigabytesPerSecond()))));
    if (question.pipelined() || question.concurrent()) {
      columns.add(new Column("arrays/s", row -> ReportCharts.thousands(row.arraysPerSecond())));
      columns.add(new Column("CPU us/array", row -> Units.significant(row.cpuMicrosPerArray())));
    } else {
      columns.add(new Column("slow quarter", row -> ReportCharts.plain(row.slowQuarter())));
      columns.add(new Column("CPU s/GB", row -> Units.significant(row.cpuSecondsPerGigabyte())));
    }
    if (!question.pipelined()) {
      columns.add(new Column("p50", row -> time(row.p50())));
      columns.add(new Column("p99", row -> time(row.p99())));
      columns.add(new Column("p99.9", row -> time(row.p999())));
    }
    if (question.concurrent() && !question.answered()) {
      columns.add(new Column("least/mean", row -> two(row.leastShare())));
      columns.add(new Column("Jain", row -> String.format(Locale.ROOT, "%.3f", row.jainIndex())));
    }
    columns.add(new Column("arrays", row -> String.format(Locale.ROOT, "%,d", row.arrays())));
    return columns;
  }

  private static String two(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }

  private static String time(double nanos) {
    return Double.isNaN(nanos) ? "?" : Units.time(Math.round(nanos));
  }
}
