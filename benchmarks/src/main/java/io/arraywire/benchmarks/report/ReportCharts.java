package io.arraywire.benchmarks.report;

import io.arraywire.benchmarks.report.Bars.Bar;
import io.arraywire.benchmarks.result.BenchFile;
import io.arraywire.benchmarks.result.Question;
import io.arraywire.benchmarks.result.Row;
import io.arraywire.benchmarks.result.Run;
import io.arraywire.examples.report.Units;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.DoubleFunction;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;

/** Makes the charts of what was measured. */
final class ReportCharts {
  static final int WIDTH = 920;
  private final BenchFile file;
  private final String prefix;

  /**
   * Those of a file.
   *
   * @param prefix of the names of their files
   */
  ReportCharts(BenchFile file, String prefix) {
    this.file = file;
    this.prefix = prefix;
  }

  /** How all contenders compare in one question. */
  Bars ratios(Run run, Question question) {
    List<Bar> bars =
        question.rows().stream()
            .map(row ->
                new Bar(row.contender(), row.ratio(), row.ratioInterval(), words(question, row)))
            .toList();
    return new Bars(
        name(run, question, "ratio"),
        heading(run, question) + ": medians, 99.9 % confidence intervals",
        "times as fast as " + run.baseline() + " in the same round",
        bars,
        OptionalDouble.of(1));
  }

  private static String words(Question question, Row row) {
    return ratio(row.ratio()) + " x, " + absolute(question, row);
  }

  /** A factor with three digits, fewer after the point the larger it is. */
  static String ratio(double ratio) {
    return ratio < 0.1 ? plain(ratio) : Units.significant(ratio);
  }

  private static String absolute(Question question, Row row) {
    String spread = row.noisy() ? " ! spread " + Units.percent(row.spread()) : "";
    return figure(question, row) + spread;
  }

  /** What a contender did, as a time or as a rate. */
  static String figure(Question question, Row row) {
    return question.rate() == 0 && (question.pipelined() || question.concurrent())
        ? thousands(row.arraysPerSecond()) + " arrays/s"
        : Units.time((long) row.nanos());
  }

  /** How the times of single arrays are distributed; none where arrays were not waited for. */
  Optional<Percentiles> percentiles(Run run, Question question) {
    List<Row> rows =
        question.rows().stream().filter(row -> row.times().getTotalCount() > 0).toList();
    return rows.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Percentiles(
                name(run, question, "percentiles"),
                heading(run, question) + ": time of single arrays",
                rows));
  }

  /** Rates by size, if more than one size was measured. */
  Optional<Lines> sizes(Run run) {
    List<Question> questions =
        run.questions().stream()
            .filter(question -> !question.pipelined() && !question.concurrent())
            .sorted(Comparator.comparingLong(Question::bytes))
            .toList();
    return lines(
        new Words(
            name(run.network(), "sizes"),
            "float[] over " + run.network() + ", one after the other: rate by size",
            "size of an array (logarithmic)",
            "10^9 bytes per second (logarithmic)"),
        questions,
        Question::bytes,
        bytes -> Units.bytes((long) bytes),
        Row::gigabytesPerSecond,
        Lines.Unit.GIGABYTES);
  }

  /** Rates by the number of connections, one chart for each size; none without such runs. */
  List<Lines> connections() {
    Set<String> seen = new LinkedHashSet<>();
    List<Lines> figures = new ArrayList<>();
    for (Run run : file.runs()) {
      for (Question question : run.questions()) {
        if (question.concurrent()
            && !question.answered()
            && seen.add(run.network() + " " + question.bytes())) {
          connections(run.network(), question.bytes()).ifPresent(figures::add);
        }
      }
    }
    return figures;
  }

  /** Percentiles by rate, two charts for each size; none without such runs. */
  List<Lines> rates() {
    Set<String> seen = new LinkedHashSet<>();
    List<Lines> figures = new ArrayList<>();
    for (Run run : file.runs()) {
      for (Question question : run.questions()) {
        if (question.rate() > 0
            && seen.add(run.network() + " " + question.bytes() + " " + question.atOnce())) {
          List<Question> questions =
              questions(
                  run.network(),
                  each ->
                      each.rate() > 0
                          && each.bytes() == question.bytes()
                          && each.atOnce() == question.atOnce(),
                  Question::rate);
          rates(run.network(), questions, "p99", Row::p99).ifPresent(figures::add);
          rates(run.network(), questions, "p99.9", Row::p999).ifPresent(figures::add);
        }
      }
    }
    return figures;
  }

  private Optional<Lines> rates(
      String network, List<Question> questions, String percentile, ToDoubleFunction<Row> nanos) {
    Question like = questions.get(0);
    return lines(
        new Words(
            name(
                network,
                size(like.bytes())
                    + (like.atOnce() > 1 ? "-at-once-" + like.atOnce() : "")
                    + "-by-rate-"
                    + percentile),
            "float[] of "
                + Units.bytes(like.bytes())
                + " over "
                + network
                + (like.atOnce() > 1 ? ", " + like.atOnce() + " at once" : "")
                + ": "
                + percentile
                + " by offered load",
            "requests per second that fall due (logarithmic)",
            percentile + " from when a request was due to its answer (logarithmic)"),
        questions,
        Question::rate,
        ReportCharts::thousands,
        row -> nanos.applyAsDouble(row) / 1e3,
        Lines.Unit.MICROS);
  }

  private Optional<Lines> connections(String network, long bytes) {
    List<Question> questions =
        questions(
            network,
            each -> each.concurrent() && !each.answered() && each.bytes() == bytes,
            Question::connections);
    return lines(
        new Words(
            name(network, size(bytes) + "-by-connections"),
            "float[] of " + Units.bytes(bytes) + " over " + network + ": rate of all connections",
            "connections that work at the same time (logarithmic)",
            "arrays per second (logarithmic)"),
        questions,
        Question::connections,
        ReportCharts::thousands,
        Row::arraysPerSecond,
        Lines.Unit.PER_SECOND);
  }

  /** The questions of one kind in all runs over a network, in the order of a chart. */
  private List<Question> questions(
      String network, Predicate<Question> kind, ToIntFunction<Question> order) {
    return file.runs().stream()
        .filter(run -> run.network().equals(network))
        .flatMap(run -> run.questions().stream())
        .filter(kind)
        .sorted(Comparator.comparingInt(order))
        .toList();
  }

  /** What a chart of lines says. */
  private record Words(String name, String title, String xTitle, String yTitle) {}

  /** Lines through what was asked for, if there is more than a point of each. */
  private static Optional<Lines> lines(
      Words words,
      List<Question> questions,
      ToDoubleFunction<Question> where,
      DoubleFunction<String> whereLabel,
      ToDoubleFunction<Row> what,
      Lines.Unit unit) {
    if (questions.size() < 2) {
      return Optional.empty();
    }
    Set<String> contenders = new LinkedHashSet<>();
    questions.forEach(question -> question.rows().forEach(row -> contenders.add(row.contender())));
    double[] wheres = questions.stream().mapToDouble(where).distinct().toArray();
    List<Lines.Line> lines = new ArrayList<>();
    for (String contender : contenders) {
      double[] values = new double[wheres.length];
      Arrays.fill(values, Double.NaN);
      for (Question each : questions) {
        int place = Arrays.binarySearch(wheres, where.applyAsDouble(each));
        each.row(contender).ifPresent(row -> values[place] = what.applyAsDouble(row));
      }
      lines.add(new Lines.Line(contender, Arrays.stream(values).boxed().toList()));
    }
    return Optional.of(
        new Lines(
            words.name(),
            words.title(),
            words.xTitle(),
            words.yTitle(),
            Arrays.stream(wheres).boxed().toList(),
            whereLabel,
            unit,
            lines));
  }

  private static String heading(Run run, Question question) {
    return "float[] of " + question.label() + ", " + run.network();
  }

  private String name(Run run, Question question, String what) {
    return name(
        run.network(),
        size(question.bytes())
            + (question.pipelined() ? "-window-" + question.window() : "")
            + (question.concurrent() ? "-connections-" + question.connections() : "")
            + (question.threads() > 0 ? "-threads-" + question.threads() : "")
            + (question.rate() > 0 ? "-rate-" + question.rate() : "")
            + (question.atOnce() > 1 ? "-at-once-" + question.atOnce() : "")
            + (question.slowAnswers().isEmpty() ? "" : "-slow-answers")
            + "-"
            + what);
  }

  private String name(String network, String what) {
    return fileName(prefix + network + "-" + what);
  }

  /** Letters, digits, points and hyphens, which no shell and no browser reads otherwise. */
  static String fileName(String words) {
    return words.replaceAll("[^A-Za-z0-9.-]+", "-");
  }

  private static String size(long bytes) {
    return Units.bytes(bytes).replace(" bytes", "B").replace(" ", "");
  }

  /** As short as it may be, such as {@code 0.5}, {@code 12.3} or {@code 0.004}. */
  static String plain(double value) {
    if (value == 0) {
      return "0";
    }
    int digits = (int) Math.max(0, 2 - Math.floor(Math.log10(value)));
    String text = String.format(Locale.ROOT, "%." + Math.min(digits, 9) + "f", value);
    return text.contains(".") ? text.replaceAll("0+$", "").replaceAll("\\.$", "") : text;
  }

  static String thousands(double value) {
    return String.format(Locale.ROOT, "%,.0f", value);
  }
}
