package io.arraywire.benchmarks.report;

import io.arraywire.benchmarks.result.BenchFile;
import io.arraywire.benchmarks.result.Question;
import io.arraywire.benchmarks.result.Row;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A table of the page of figures, and what its cells are according to the files that its section
 * leads to. Headings of columns are read from left to right: one that names a question or a network
 * holds for those behind it, as it does for a reader.
 */
final class FiguresTable {
  private static final Pattern FILE = Pattern.compile("\\(reports/([a-z0-9-]+)\\.json\\.gz\\)");
  private static final Pattern FIGURE =
      Pattern.compile("(?<number>[0-9][0-9,]*(?:\\.[0-9]+)?)(?: (?<unit>us|ms|s)\\b)?");
  private static final Map<String, Double> NANOS = Map.of("us", 1e3, "ms", 1e6, "s", 1e9);
  private static final Pattern CONNECTIONS = Pattern.compile("[0-9,]+");
  private static final String AT = " at ";

  /** Of a digit, and a little more, since a value in between may be rounded either way. */
  private static final double HALF = 0.501;

  /** Of a column that names its question only: a time, or without a unit the ratio. */
  private static final ToDoubleFunction<Row> OWN = Row::nanos;

  private static final Map<String, ToDoubleFunction<Row>> METRICS =
      Map.of(
          "p50", Row::p50,
          "p99", Row::p99,
          "p99.9", Row::p999,
          "GB/s", Row::gigabytesPerSecond,
          "slow quarter, GB/s", Row::slowQuarter,
          "CPU s/GB", Row::cpuSecondsPerGigabyte,
          "CPU us/array", Row::cpuMicrosPerArray,
          "CPU us/request", Row::cpuMicrosPerArray,
          "arrays/s", Row::arraysPerSecond,
          "Jain", Row::jainIndex);

  private static final Map<String, String> NETWORKS =
      Map.of(
          "unshaped", "unshaped",
          "10 Gbit/s", "10gbit",
          "1 Gbit/s", "1gbit",
          "100 Mbit/s", "100mbit",
          "1 % lost", "loss1",
          "5 ms each way", "delay");

  /** What the cells of a column are: figures of the rows of a question. */
  private record Column(Question question, List<ToDoubleFunction<Row>> metrics) {}

  private final String title;
  private final List<List<String>> lines;
  private final List<String> files;
  private final List<Column> columns = new ArrayList<>();

  // What the headings so far have said.
  private BenchFile file;
  private @Nullable Question question;
  private List<ToDoubleFunction<Row>> metrics = List.of(OWN);

  /**
   * Reads the headings.
   *
   * @param section the text with the table
   * @param title the line before it
   * @param lines the headings, and the cells of each line
   */
  FiguresTable(String section, String title, List<List<String>> lines) throws IOException {
    this.title = title;
    this.lines = lines;
    files = FILE.matcher(section).results().map(found -> found.group(1)).toList();
    file = PublishedReports.bench(files.get(0));
    chooseFile(title.replaceFirst("[,:].*", ""));
    chooseQuestion(title.replaceFirst(":$", ""));
    for (String heading : lines.get(0).subList(1, lines.get(0).size())) {
      read(heading);
      if (question == null) {
        question = first(asked -> true);
      }
      columns.add(new Column(question, metrics));
    }
  }

  static boolean isOfKeptFigures(String section, List<List<String>> lines) {
    return FILE.matcher(section).find() && lines.get(0).get(0).equals("Contender");
  }

  private void read(String heading) throws IOException {
    int colon = heading.indexOf(": ");
    int at = heading.indexOf(AT);
    if (colon >= 0) {
      String first = heading.substring(0, colon);
      if (!chooseQuestion(first)) {
        chooseFile(first);
      }
      read(heading.substring(colon + 2));
    } else if (at > 0) {
      chooseConnections(heading.substring(at + AT.length()));
      read(heading.substring(0, at));
    } else if (heading.startsWith("at ")) {
      chooseNetwork(heading.substring(3));
    } else if (chooseQuestion(heading)) {
      metrics = List.of(OWN);
    } else if (NETWORKS.containsKey(heading)) {
      chooseNetwork(heading);
      metrics = List.of(OWN);
    } else if (CONNECTIONS.matcher(heading).matches()) {
      chooseConnections(heading);
      metrics = List.of(Row::arraysPerSecond, Row::ratio);
    } else if (heading.startsWith("x `")) {
      metrics = List.of(Row::ratio);
    } else if (heading.equals("p50, p99")) {
      metrics = List.of(Row::p50, Row::p99);
    } else if (heading.equals("CPU s/GB, unshaped")) {
      chooseNetwork("unshaped");
      metrics = List.of(Row::cpuSecondsPerGigabyte);
    } else if (METRICS.containsKey(heading)) {
      metrics = List.of(METRICS.get(heading));
      if (heading.equals("arrays/s") && (question == null || !question.pipelined())) {
        question = first(Question::pipelined);
      }
    } else {
      throw new AssertionError("a column that says nothing (heading=" + heading + ")");
    }
  }

  /** The file of another JDK or other data, if that is what the words say. */
  private void chooseFile(String words) throws IOException {
    for (String each : files) {
      boolean older = each.endsWith("-jdk17");
      if (words.equals("JDK 17")
          ? older
          : words.equals("JDK 25") ? !older : each.endsWith("-" + words)) {
        file = PublishedReports.bench(each);
        if (question != null) {
          question = first(question::isLike);
        }
        return;
      }
    }
  }

  private boolean chooseQuestion(String words) {
    Question found = find(asked -> asked.label().equals(words));
    question = found == null ? question : found;
    return found != null;
  }

  private void chooseConnections(String number) {
    question = first(asked -> asked.connections() == Integer.parseInt(number.replace(",", "")));
  }

  private void chooseNetwork(String words) {
    Question asked = question == null ? first(each -> true) : question;
    question =
        file.runs().stream()
            .filter(run -> run.network().startsWith(NETWORKS.get(words) + " "))
            .flatMap(run -> run.questions().stream())
            .filter(asked::isLike)
            .findFirst()
            .orElseThrow(() -> new AssertionError("no such network (network=" + words + ")"));
  }

  private @Nullable Question find(Predicate<Question> wanted) {
    return file.runs().stream()
        .flatMap(run -> run.questions().stream())
        .filter(wanted)
        .findFirst()
        .orElse(null);
  }

  private Question first(Predicate<Question> wanted) {
    Question found = find(wanted);
    if (found == null) {
      throw new AssertionError("no such question (table=" + title + ", file=" + file.path() + ")");
    }
    return found;
  }

  /** Compares every cell; returns how many figures there were, and adds those that are wrong. */
  int compare(List<String> wrong) {
    int figures = 0;
    for (List<String> line : lines.subList(2, lines.size())) {
      String contender = line.get(0).replaceFirst("^`([^`]*)`(, plain)?", "$1");
      for (int i = 0; i < columns.size(); i++) {
        Column column = columns.get(i);
        Row row =
            column.question.rows().stream()
                .filter(each -> each.contender().equals(contender))
                .findFirst()
                .orElseThrow(() -> new AssertionError("not in the file: " + contender));
        Matcher figure = FIGURE.matcher(line.get(i + 1));
        for (ToDoubleFunction<Row> metric : column.metrics) {
          if (!figure.find() || !isOf(figure, row, metric)) {
            wrong.add(title + " " + contender + ", column " + (i + 1) + ": " + line.get(i + 1));
          }
          figures++;
        }
      }
    }
    return figures;
  }

  private static boolean isOf(Matcher figure, Row row, ToDoubleFunction<Row> metric) {
    String unit = figure.group("unit");
    double value =
        metric == OWN && unit == null
            ? row.ratio()
            : metric.applyAsDouble(row) / (unit == null ? 1 : NANOS.get(unit));
    return isRounded(figure.group("number"), value);
  }

  /** Whether a number is a value, rounded to the last digit that is written. */
  static boolean isRounded(String number, double value) {
    String digits = number.replace(",", "");
    int point = digits.indexOf('.');
    int last =
        point < 0
            ? digits.length() - digits.replaceFirst("0+$", "").length()
            : point + 1 - digits.length();
    return Math.abs(value - Double.parseDouble(digits)) <= HALF * Math.pow(10, last);
  }
}
