package io.arraywire.examples.soak;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The samples of one series of one process, or of one kind of connection. Not for threads. */
final class SoakLine {
  private final SoakSeries series;
  private final String name;
  private final List<Double> seconds = new ArrayList<>();
  private final List<Double> values = new ArrayList<>();

  SoakLine(SoakSeries series, String name) {
    this.series = series;
    this.name = name;
  }

  void add(double second, double value) {
    seconds.add(second);
    values.add(value);
  }

  SoakSeries series() {
    return series;
  }

  String name() {
    return name;
  }

  double[] seconds() {
    return seconds.stream().mapToDouble(each -> each).toArray();
  }

  double[] values() {
    return values.stream().mapToDouble(each -> each).toArray();
  }

  Trend trend() {
    return Trend.of(seconds(), values());
  }

  boolean isWrong() {
    return trend().isWrong(series);
  }

  @Override
  public String toString() {
    Trend trend = trend();
    return String.format(
        Locale.ROOT,
        "%s of %s: level=%.2f, change=%+.2f, limit=%.2f, score=%.1f%s",
        series.words(),
        name,
        trend.level(),
        trend.change(),
        series.limit(trend.level()),
        trend.score(),
        trend.isWrong(series) ? " BEYOND" : "");
  }
}
