package io.arraywire.benchmarks.report;

import io.arraywire.benchmarks.report.PageData.Column;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.function.Predicate;
import org.w3c.dom.Element;

/**
 * The page that the sections of a report are written to. Headings, contents and conclusions are
 * text; figures are data that the script of the page draws. Not for several threads.
 */
final class ReportPage {
  /** The heading of the column in which what is noisy stands out. */
  static final String SPREAD = "spread";

  /** Where the jar of uPlot says its version. */
  private static final String UPLOT = "/META-INF/maven/org.webjars.npm/uplot/pom.properties";

  private final Page page;
  private final PageData data = new PageData();
  private final Element contents;
  private final Element questions;
  private final Element names;
  private final Set<String> asked = new LinkedHashSet<>();
  private Element part;
  private Element links;
  private int headings;

  /** Makes one that is empty. */
  ReportPage(String title, String introduction) throws IOException {
    page = new Page(title);
    Element body = page.body();
    page.add(body, "h1", title);
    page.add(body, "p", introduction);
    Element controls = page.add(body, "div", "");
    controls.setAttribute("class", "controls");
    controls.setAttribute("hidden", "hidden"); // until the script runs
    Element ask = page.add(controls, "label", "Question ");
    questions = page.add(ask, "select", "");
    questions.setAttribute("id", "question");
    page.add(questions, "option", "all questions").setAttribute("value", "");
    Element who = page.add(controls, "details", "");
    Element summary = page.add(who, "summary", "Contenders: ");
    page.add(summary, "span", "all").setAttribute("id", "how-many");
    button(who, "all");
    button(who, "none");
    names = page.add(who, "div", "");
    names.setAttribute("class", "names");
    page.add(
        page.add(body, "noscript", ""),
        "p",
        "Charts and tables need JavaScript; the conclusions do not.");
    contents = page.add(body, "nav", "");
    contents.setAttribute("class", "contents");
    page.add(contents, "h2", "Contents");
    links = page.add(contents, "ul", "");
    part = body;
  }

  private void button(Element parent, String name) {
    Element button = page.add(parent, "button", name);
    button.setAttribute("id", name);
    button.setAttribute("type", "button");
  }

  /** Begins the section of a file; what follows is in it. */
  void file(String title) {
    part = section(page.body(), "file");
    heading(part, 2, title, links());
    Element last = (Element) links().getLastChild();
    links = page.add(last, "ul", "");
  }

  /** The list that links to files. */
  private Element links() {
    return (Element) contents.getLastChild();
  }

  /** Begins what was measured in one run, or the end of the page; what follows is in it. */
  Element run(String title) {
    Element run = section(part, "run");
    heading(run, 3, title, null);
    return run;
  }

  /** Ends the files: adds a section that is of none of them. */
  Element end(String title) {
    Element end = section(page.body(), "end");
    heading(end, 2, title, links());
    return end;
  }

  /**
   * Begins a question, to which a link leads.
   *
   * @param parent what it is part of
   * @param title of its heading
   * @param link the text of the link
   * @param label what a reader chooses to see only this; empty if it belongs to several
   */
  Element question(Element parent, String title, String link, String label) {
    Element question = section(parent, "question");
    question.setAttribute("data-question", label);
    if (!label.isEmpty() && asked.add(label)) {
      page.add(questions, "option", label).setAttribute("value", label);
    }
    Element heading = page.add(question, "h4", title);
    link(heading, link, links);
    return question;
  }

  private Element section(Element parent, String name) {
    Element section = page.add(parent, "section", "");
    section.setAttribute("class", name);
    return section;
  }

  private void heading(
      Element parent, int level, String text, @org.jspecify.annotations.Nullable Element list) {
    Element heading = page.add(parent, "h" + level, text);
    if (list != null) {
      link(heading, text, list);
    }
  }

  private void link(Element heading, String text, Element list) {
    headings++;
    heading.setAttribute("id", "h" + headings);
    page.add(page.add(list, "li", ""), "a", text).setAttribute("href", "#h" + headings);
  }

  /** The section of the file that was begun last. */
  Element part() {
    return part;
  }

  /** Adds a paragraph. */
  void paragraph(Element parent, String text) {
    page.add(parent, "p", text);
  }

  /** Adds what the figures say. */
  void conclusion(Element parent, String text) {
    page.add(parent, "p", text).setAttribute("class", "conclusion");
  }

  /** Adds what each of some things is. */
  void facts(Element parent, Map<String, String> facts) {
    Element table = page.add(parent, "table", "");
    table.setAttribute("class", "facts");
    Element rows = page.add(table, "tbody", "");
    facts.forEach((name, value) -> {
      Element row = page.add(rows, "tr", "");
      page.add(row, "th", name).setAttribute("scope", "row");
      page.add(row, "td", value);
    });
  }

  /** Adds a chart of bars, with its table. */
  <R> void bars(
      Element parent, Bars bars, List<R> rows, List<Column<R>> columns, Predicate<R> noisy) {
    figure(parent, bars.title(), data.bars(bars, rows, columns, noisy));
    bars.leftOut().ifPresent(text -> page.add(parent, "p", text).setAttribute("class", "soft"));
  }

  /** Adds a chart of lines. */
  void lines(Element parent, Lines lines) {
    figure(parent, lines.title(), data.lines(lines));
  }

  /** Adds curves of percentiles. */
  void percentiles(Element parent, Percentiles percentiles) {
    figure(parent, percentiles.title(), data.percentiles(percentiles));
  }

  private void figure(Element parent, String title, int chart) {
    Element figure = page.add(parent, "figure", "");
    figure.setAttribute("data-chart", Integer.toString(chart));
    page.add(figure, "figcaption", title);
  }

  /** Writes the page. */
  void write(Path file) throws IOException {
    int number = 0;
    for (String each : data.contenders()) {
      Element label = page.add(names, "label", "");
      Element box = page.add(label, "input", "");
      box.setAttribute("type", "checkbox");
      box.setAttribute("checked", "checked");
      box.setAttribute("value", Integer.toString(number));
      label.appendChild(label.getOwnerDocument().createTextNode(" " + each));
      number++;
    }
    String home = uplot();
    page.write(
        file,
        List.of(text(home + "dist/uPlot.min.css"), text("report.css")),
        data.json(),
        List.of(
            "/* uPlot, which draws the lines:\n" + text(home + "LICENSE") + "*/",
            // Its only address is that of its home, which nothing loads.
            text(home + "dist/uPlot.iife.min.js").replace("https://", ""),
            text("report.js")));
  }

  private static String uplot() throws IOException {
    Properties properties = new Properties();
    try (InputStream in = resource(UPLOT)) {
      properties.load(in);
    }
    return "/META-INF/resources/webjars/uplot/" + properties.getProperty("version") + "/";
  }

  private static String text(String name) throws IOException {
    try (InputStream in = resource(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static InputStream resource(String name) throws IOException {
    InputStream in = ReportPage.class.getResourceAsStream(name);
    if (in == null) {
      throw new IOException("the build lacks a part of the page (resource=" + name + ")");
    }
    return in;
  }
}
