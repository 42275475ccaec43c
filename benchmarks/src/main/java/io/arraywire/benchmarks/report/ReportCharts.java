package io.arraywire.benchmarks.report;

import io.arraywire.benchmarks.result.BenchFile;
import io.arraywire.benchmarks.result.Question;
import io.arraywire.benchmarks.result.Row;
import io.arraywire.benchmarks.result.Run;
import io.arraywire.examples.report.Units;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.DoubleFunction;
import java.util.function.ToDoubleFunction;

/** The charts of what was measured. */
final class ReportCharts {
  private static final int WIDTH = 920;
  private static final int LINES_HEIGHT = 480;
  private static final int BAR_HEIGHT = 34;
  private static final int AROUND_BARS = 130;
  private static final double BAR = 0.66;
  private static final double CAP = 0.3;

  /** Wider ranges need a logarithmic axis: short bars would not be seen. */
  private static final double WIDE = 40;

  /** How much beyond the bars intervals are shown. */
  private static final double FAR = 1.5;

  /** What is neither name nor plot, in pixels, with some to spare. */
  private static final double BESIDE_BARS = 70;

  /** Part of the transfers that a curve of percentiles leaves out at its end: one in a thousand. */
  private static final double REST = 0.001;

  private static final double[] PERCENTILES = {50, 90, 99, 99.9};

  /** Enough for a smooth curve. */
  private static final int POINTS = 120;

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
  Figure ratios(Run run, Question question) {
    List<Row> rows =
        question.rows().stream().sorted(Comparator.comparingDouble(Row::ratio)).toList();
    double fastest = rows.get(rows.size() - 1).ratio();
    double slowest = rows.get(0).ratio();
    boolean wide = fastest / slowest > WIDE;
    // An interval that knows next to nothing must not make everything else too small to see.
    double least = wide ? slowest / FAR : 0;
    double most = FAR * fastest;
    List<Scale.Tick> names = new ArrayList<>();
    for (int i = 0; i < rows.size(); i++) {
      names.add(new Scale.Tick(i, rows.get(i).contender()));
    }
    Scale y = new Scale("", each -> each, -0.6, rows.size() - 0.4, names);
    Plot plot =
        new Plot(
            heading(run, question) + ": medians, 99.9 % confidence intervals",
            WIDTH,
            AROUND_BARS + rows.size() * BAR_HEIGHT,
            ratioScale(run, question, rows, least, most),
            y,
            false);
    for (int i = 0; i < rows.size(); i++) {
      Row row = rows.get(i);
      plot.bar(row.ratio(), i, BAR, Look.of(row.contender()).color());
    }
    plot.reference(1);
    for (int i = 0; i < rows.size(); i++) {
      Row row = rows.get(i);
      if (row.ratioInterval().known()) {
        plot.interval(row.ratioInterval(), least, most, i, CAP);
      }
      plot.text(farthest(row, most), i, words(question, row));
    }
    return new Figure(
        name(run, question, "ratio"),
        "How many times as fast as "
            + run.baseline()
            + " each contender was: "
            + heading(run, question),
        plot.chart());
  }

  /** Ends where there is room for the text beside each bar. */
  private static Scale ratioScale(
      Run run, Question question, List<Row> rows, double least, double most) {
    String title = "times as fast as " + run.baseline() + " in the same round";
    Scale scale =
        least == 0
            ? Scale.fromZero(title, 2 * most, ReportCharts::plain)
            : Scale.logarithmic(
                title + " (logarithmic)", least, most * most / least, ReportCharts::plain);
    double longestName =
        rows.stream().mapToDouble(row -> Plot.width(row.contender())).max().orElse(0);
    double width = WIDTH - longestName - BESIDE_BARS;
    double end =
        rows.stream()
            .mapToDouble(row -> {
              double part = Plot.width(words(question, row)) / width;
              return scale.low() + (scale.at(farthest(row, most)) - scale.low()) / (1 - part);
            })
            .max()
            .orElse(scale.high());
    return scale.endingAt(end);
  }

  /** Where the text beside a bar begins. */
  private static double farthest(Row row, double most) {
    return row.ratioInterval().known()
        ? Math.max(row.ratio(), Math.min(most, row.ratioInterval().high()))
        : row.ratio();
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
    return (question.pipelined() || question.concurrent()
            ? thousands(row.arraysPerSecond()) + " arrays/s"
            : Units.time((long) row.nanos()))
        + spread;
  }

  /** How the times of single arrays are distributed; none where arrays were not waited for. */
  Optional<Figure> percentiles(Run run, Question question) {
    List<Row> rows =
        question.rows().stream().filter(row -> row.times().getTotalCount() > 0).toList();
    if (rows.isEmpty()) {
      return Optional.empty();
    }
    double least = rows.stream().mapToDouble(row -> micros(row, 0)).min().orElse(1);
    double most = rows.stream().mapToDouble(row -> micros(row, PERCENTILES[3])).max().orElse(1);
    List<Scale.Tick> ticks = new ArrayList<>(List.of(new Scale.Tick(0, "0")));
    for (double each : PERCENTILES) {
      ticks.add(
          new Scale.Tick(nines(each), "p" + (each == Math.rint(each) ? "" + (int) each : each)));
    }
    Scale x =
        new Scale(
            "percentile of the transfers", ReportCharts::nines, 0, nines(PERCENTILES[3]), ticks);
    Scale y =
        Scale.logarithmic(
            "send to acknowledgement (logarithmic)",
            Math.max(least, 0.001),
            most,
            ReportCharts::time);
    Plot plot =
        new Plot(
            heading(run, question) + ": time of single arrays", WIDTH, LINES_HEIGHT, x, y, true);
    for (Row row : rows) {
      double[] percentages = new double[POINTS + 1];
      double[] micros = new double[POINTS + 1];
      for (int i = 0; i <= POINTS; i++) {
        percentages[i] = 100 * (1 - Math.pow(REST, (double) i / POINTS));
        micros[i] = micros(row, percentages[i]);
      }
      plot.line(row.contender(), percentages, micros, false);
    }
    return Optional.of(
        new Figure(
            name(run, question, "percentiles"),
            "Percentiles of the time from send to acknowledgement: " + heading(run, question),
            plot.chart()));
  }

  private static double micros(Row row, double percentage) {
    return row.times().getValueAtPercentile(percentage) / 1e3;
  }

  /** 1 for 90 %, 2 for 99 %, 3 for 99.9 %. */
  private static double nines(double percentage) {
    return -Math.log10(1 - percentage / 100);
  }

  /** Rates by size, if more than one size was measured. */
  Optional<Figure> sizes(Run run) {
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
        ReportCharts::plain);
  }

  /** Rates by the number of connections, one chart for each size; none without such runs. */
  List<Figure> connections() {
    Set<String> seen = new LinkedHashSet<>();
    List<Figure> figures = new ArrayList<>();
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

  private Optional<Figure> connections(String network, long bytes) {
    List<Question> questions =
        file.runs().stream()
            .filter(run -> run.network().equals(network))
            .flatMap(run -> run.questions().stream())
            .filter(question ->
                question.concurrent() && !question.answered() && question.bytes() == bytes)
            .sorted(Comparator.comparingInt(Question::connections))
            .toList();
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
        ReportCharts::thousands);
  }

  /** What a chart of lines says. */
  private record Words(String name, String title, String xTitle, String yTitle) {}

  /** Lines through what was asked for, if there is more than a point of each. */
  private static Optional<Figure> lines(
      Words words,
      List<Question> questions,
      ToDoubleFunction<Question> where,
      DoubleFunction<String> whereLabel,
      ToDoubleFunction<Row> what,
      DoubleFunction<String> whatLabel) {
    if (questions.size() < 2) {
      return Optional.empty();
    }
    Set<String> contenders = new LinkedHashSet<>();
    questions.forEach(question -> question.rows().forEach(row -> contenders.add(row.contender())));
    double[] wheres = questions.stream().mapToDouble(where).distinct().toArray();
    double[] all =
        questions.stream()
            .flatMap(question -> question.rows().stream())
            .mapToDouble(what)
            .sorted()
            .toArray();
    Plot plot =
        new Plot(
            words.title(),
            WIDTH,
            LINES_HEIGHT,
            Scale.logarithmic(words.xTitle(), wheres, whereLabel),
            Scale.logarithmic(words.yTitle(), all[0], all[all.length - 1], whatLabel),
            true);
    for (String contender : contenders) {
      List<Question> there =
          questions.stream().filter(question -> question.row(contender).isPresent()).toList();
      plot.line(
          contender,
          there.stream().mapToDouble(where).toArray(),
          there.stream()
              .mapToDouble(question -> what.applyAsDouble(question.row(contender).orElseThrow()))
              .toArray(),
          true);
    }
    return Optional.of(new Figure(words.name(), words.title(), plot.chart()));
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
            + (question.answered() ? "-slow-answers" : "")
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

  /** Microseconds, for marks, which are round. */
  private static String time(double micros) {
    return micros < 1e3
        ? plain(micros) + " us"
        : micros < 1e6 ? plain(micros / 1e3) + " ms" : plain(micros / 1e6) + " s";
  }

  static String thousands(double value) {
    return String.format(Locale.ROOT, "%,.0f", value);
  }
}
