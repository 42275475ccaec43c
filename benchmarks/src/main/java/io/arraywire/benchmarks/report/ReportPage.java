package io.arraywire.benchmarks.report;

import io.arraywire.examples.report.ChartFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import org.w3c.dom.Element;

/**
 * What the sections of a report are written to: a page, and a directory for its charts. Not for
 * several threads.
 */
final class ReportPage {
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

  /** The heading of the column in which what is noisy stands out. */
  static final String SPREAD = "spread";

  private final Page page;
  private final Path directory;
  private final List<Path> written = new ArrayList<>();
  private int charts;

  /** Makes one that is empty. */
  ReportPage(String title, Path directory) throws IOException {
    page = new Page(title, CSS + Themes.CSS);
    this.directory = directory;
    heading(1, title);
  }

  /** Adds a heading; 1 is the page's. */
  void heading(int level, String text) {
    page.add(page.body(), "h" + level, text);
  }

  /** Adds a paragraph. */
  void paragraph(String text) {
    page.add(page.body(), "p", text);
  }

  /** Adds what each of some things is. */
  void facts(Map<String, String> facts) {
    Element table = page.add(page.body(), "table", "");
    table.setAttribute("class", "facts");
    Element rows = page.add(table, "tbody", "");
    facts.forEach((name, value) -> {
      Element row = page.add(rows, "tr", "");
      page.add(row, "th", name).setAttribute("scope", "row");
      page.add(row, "td", value);
    });
  }

  /** Adds a chart, and writes it beside the page. */
  void figure(Figure figure) throws IOException {
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

  /** A column: its heading, and what a row has there. */
  record Column<R>(String heading, Function<R, String> cell) {}

  /** Adds a table. */
  <R> void table(List<Column<R>> columns, List<R> rows, Predicate<R> noisy) {
    Element wide = page.add(page.body(), "div", "");
    wide.setAttribute("class", "wide");
    Element table = page.add(wide, "table", "");
    Element head = page.add(page.add(table, "thead", ""), "tr", "");
    for (Column<R> each : columns) {
      page.add(head, "th", each.heading()).setAttribute("scope", "col");
    }
    Element body = page.add(table, "tbody", "");
    for (R row : rows) {
      Element line = page.add(body, "tr", "");
      for (Column<R> each : columns) {
        Element cell = page.add(line, "td", each.cell().apply(row));
        if (each.heading().equals(SPREAD) && noisy.test(row)) {
          cell.setAttribute("class", "noisy");
        }
      }
    }
  }

  /** Writes the page; returns it, and the charts behind it. */
  List<Path> write() throws IOException {
    Path html = directory.resolve("report.html");
    page.write(html);
    List<Path> all = new ArrayList<>(List.of(html));
    all.addAll(written);
    return List.copyOf(all);
  }
}
