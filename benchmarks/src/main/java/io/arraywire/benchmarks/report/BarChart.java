package io.arraywire.benchmarks.report;

import io.arraywire.benchmarks.report.Bars.Bar;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;
import org.knowm.xchart.XYChart;

/** Bars that lie, the longest on top, with confidence intervals and a text beside each. */
final class BarChart {
  private static final int HEIGHT = 34;
  private static final int AROUND = 130;
  private static final double THICKNESS = 0.66;
  private static final double CAP = 0.3;

  /** Wider ranges need a logarithmic axis: short bars would not be seen. */
  private static final double WIDE = 40;

  /** How much beyond the bars intervals are shown. */
  private static final double FAR = 1.5;

  /** What is neither name nor plot, in pixels, with some to spare. */
  private static final double BESIDE = 70;

  private BarChart() {}

  /**
   * Draws them.
   *
   * @param title of the chart
   * @param axis what the values are, with their unit
   * @param bars at least one, in any order
   * @param reference a value with a line through all bars
   */
  static XYChart of(String title, String axis, List<Bar> bars, OptionalDouble reference) {
    List<Bar> ascending = bars.stream().sorted(Comparator.comparingDouble(Bar::value)).toList();
    double shortest = ascending.get(0).value();
    double longest = ascending.get(ascending.size() - 1).value();
    boolean wide = longest / shortest > WIDE;
    // An interval that knows next to nothing must not make everything else too small to see.
    double least = wide ? shortest / FAR : 0;
    double most = FAR * longest;
    List<Scale.Tick> names = new ArrayList<>();
    for (int i = 0; i < ascending.size(); i++) {
      names.add(new Scale.Tick(i, ascending.get(i).name()));
    }
    Plot plot =
        new Plot(
            title,
            ReportCharts.WIDTH,
            AROUND + ascending.size() * HEIGHT,
            scale(axis, ascending, least, most),
            new Scale("", each -> each, -0.6, ascending.size() - 0.4, names),
            false);
    for (int i = 0; i < ascending.size(); i++) {
      Bar bar = ascending.get(i);
      plot.bar(bar.value(), i, THICKNESS, Look.of(bar.name()).color());
    }
    reference.ifPresent(plot::reference);
    for (int i = 0; i < ascending.size(); i++) {
      Bar bar = ascending.get(i);
      if (bar.interval().known()) {
        plot.interval(bar.interval(), least, most, i, CAP);
      }
      plot.text(bar.end(most), i, bar.words());
    }
    return plot.chart();
  }

  /** Ends where there is room for the text beside each bar. */
  private static Scale scale(String axis, List<Bar> bars, double least, double most) {
    Scale scale =
        least == 0
            ? Scale.fromZero(axis, 2 * most, ReportCharts::plain)
            : Scale.logarithmic(
                axis + " (logarithmic)", least, most * most / least, ReportCharts::plain);
    double longestName = bars.stream().mapToDouble(bar -> Plot.width(bar.name())).max().orElse(0);
    double width = ReportCharts.WIDTH - longestName - BESIDE;
    double end =
        bars.stream()
            .mapToDouble(bar -> {
              double part = Plot.width(bar.words()) / width;
              return scale.low() + (scale.at(bar.end(most)) - scale.low()) / (1 - part);
            })
            .max()
            .orElse(scale.high());
    return scale.endingAt(end);
  }
}
