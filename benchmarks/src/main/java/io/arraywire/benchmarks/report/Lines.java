package io.arraywire.benchmarks.report;

import io.arraywire.examples.report.Units;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.DoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A chart of lines: a value for each contender at some places.
 *
 * @param name of its file, without ending
 * @param title what it shows
 * @param xTitle what the places are
 * @param yTitle what the values are
 * @param x the places, ascending
 * @param xLabel a place in words
 * @param unit that of the values
 * @param lines at least one
 */
record Lines(
    String name,
    String title,
    String xTitle,
    String yTitle,
    List<Double> x,
    DoubleFunction<String> xLabel,
    Unit unit,
    List<Line> lines) {
  private static final int HEIGHT = 480;

  /** More lines than these nobody tells apart. */
  static final int MAIN = 7;

  /** What values are. */
  enum Unit {
    /** Microseconds; less is better. */
    MICROS,
    /** 10^9 bytes per second; more is better. */
    GIGABYTES,
    /** So many per second; more is better. */
    PER_SECOND;

    /** A value, for a mark or in a sentence. */
    String words(double value) {
      return switch (this) {
        case MICROS ->
            value < 1e3
                ? ReportCharts.plain(value) + " us"
                : value < 1e6
                    ? ReportCharts.plain(value / 1e3) + " ms"
                    : ReportCharts.plain(value / 1e6) + " s";
        case GIGABYTES -> ReportCharts.plain(value);
        case PER_SECOND -> ReportCharts.thousands(value);
      };
    }

    /** A value with its unit. */
    String measured(double value) {
      return switch (this) {
        case MICROS -> Units.time(Math.round(1e3 * value));
        case GIGABYTES -> Units.significant(value) + " GB/s";
        case PER_SECOND -> words(value) + " per second";
      };
    }

    /** The better first. */
    Comparator<Double> order() {
      return this == MICROS ? Comparator.naturalOrder() : Comparator.reverseOrder();
    }
  }

  /**
   * A line.
   *
   * @param name of the contender, whose colour it has
   * @param values one for each place; NaN where it was not measured
   */
  record Line(String name, List<Double> values) {
    boolean at(int place) {
      return !Double.isNaN(values.get(place));
    }
  }

  /** The lines that were measured at a place, the best first. */
  List<Line> ranked(int place) {
    return lines.stream()
        .filter(line -> line.at(place))
        .sorted(Comparator.comparing(line -> line.values().get(place), unit.order()))
        .toList();
  }

  /**
   * The few lines that are shown before a reader asks for others. They are the best at the last
   * place, without further variants of a family, and Arraywire's.
   */
  List<String> main() {
    List<Line> ranked = ranked(x.size() - 1);
    return Stream.concat(
            Stream.of("nio", "stream").filter(this::line), ranked.stream().map(Line::name))
        .distinct()
        .limit(MAIN)
        .toList();
  }

  private static double[] numbers(List<Double> list) {
    return list.stream().mapToDouble(Double::doubleValue).toArray();
  }

  private boolean line(String name) {
    return lines.stream().anyMatch(line -> line.name().equals(name));
  }

  /** The same as a picture. */
  Figure figure() {
    double[] all =
        lines.stream()
            .flatMap(line -> line.values().stream())
            .mapToDouble(Double::doubleValue)
            .filter(value -> !Double.isNaN(value))
            .sorted()
            .toArray();
    Plot plot =
        new Plot(
            title,
            ReportCharts.WIDTH,
            HEIGHT,
            Scale.logarithmic(xTitle, numbers(x), xLabel),
            Scale.logarithmic(yTitle, all[0], all[all.length - 1], unit::words),
            true);
    for (Line line : lines) {
      int[] there = IntStream.range(0, x.size()).filter(line::at).toArray();
      plot.line(
          line.name(),
          Arrays.stream(there).mapToDouble(x::get).toArray(),
          Arrays.stream(there).mapToDouble(line.values()::get).toArray(),
          true);
    }
    return new Figure(name, plot.chart());
  }
}
