package io.arraywire.benchmarks.report;

import io.arraywire.benchmarks.result.Row;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * How the times of single arrays are distributed.
 *
 * @param name of its file, without ending
 * @param title what it shows
 * @param rows those whose arrays were waited for, at least one
 */
record Percentiles(String name, String title, List<Row> rows) {
  static final String X_TITLE = "percentile of the transfers";
  static final String Y_TITLE = "send to acknowledgement (logarithmic)";

  /** Part of the transfers that a curve leaves out at its end: one in a thousand. */
  private static final double REST = 0.001;

  /** Those that are marked, after 0. */
  private static final double[] MARKED = {50, 90, 99, 99.9};

  private static final int HEIGHT = 480;

  /** Enough for a smooth curve of a picture. */
  private static final int POINTS = 120;

  /** Microseconds that so many percent of the transfers did not exceed. */
  static double micros(Row row, double percentage) {
    return row.times().getValueAtPercentile(percentage) / 1e3;
  }

  /** 1 for 90 %, 2 for 99 %, 3 for 99.9 %. */
  private static double nines(double percentage) {
    return -Math.log10(1 - percentage / 100);
  }

  /** So many percentages, from 0 to 99.9, at equal distances on the axis. */
  static double[] percentages(int points) {
    return IntStream.rangeClosed(0, points)
        .mapToDouble(i -> 100 * (1 - Math.pow(REST, (double) i / points)))
        .toArray();
  }

  /** The marks of the axis. */
  static List<Scale.Tick> ticks() {
    List<Scale.Tick> ticks = new ArrayList<>(List.of(new Scale.Tick(0, "0")));
    for (double each : MARKED) {
      ticks.add(
          new Scale.Tick(nines(each), "p" + (each == Math.rint(each) ? "" + (int) each : each)));
    }
    return ticks;
  }

  /** The few curves that are shown before a reader asks for others: Arraywire's and the lowest. */
  List<String> main() {
    Stream<String> lowest =
        rows.stream()
            .sorted(Comparator.comparingDouble(row -> micros(row, 99)))
            .map(Row::contender);
    Stream<String> ours =
        Stream.of("nio", "stream")
            .filter(name -> rows.stream().anyMatch(row -> row.contender().equals(name)));
    return Stream.concat(ours, lowest).distinct().limit(Lines.MAIN).toList();
  }

  /** As a picture. */
  Figure figure() {
    double last = MARKED[MARKED.length - 1];
    double least = rows.stream().mapToDouble(row -> micros(row, 0)).min().orElse(1);
    double most = rows.stream().mapToDouble(row -> micros(row, last)).max().orElse(1);
    Scale x = new Scale(X_TITLE, Percentiles::nines, 0, nines(last), ticks());
    Scale y = Scale.logarithmic(Y_TITLE, Math.max(least, 0.001), most, Lines.Unit.MICROS::words);
    Plot plot = new Plot(title, ReportCharts.WIDTH, HEIGHT, x, y, true);
    double[] percentages = percentages(POINTS);
    for (Row row : rows) {
      double[] micros = new double[percentages.length];
      for (int i = 0; i < micros.length; i++) {
        micros[i] = micros(row, percentages[i]);
      }
      plot.line(row.contender(), percentages, micros, false);
    }
    return new Figure(name, plot.chart());
  }
}
