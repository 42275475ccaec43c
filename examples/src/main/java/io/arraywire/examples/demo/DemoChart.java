package io.arraywire.examples.demo;

import io.arraywire.examples.report.ChartFiles;
import io.arraywire.examples.report.Units;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.style.CategoryStyler;
import org.knowm.xchart.style.Styler;

/**
 * A bar chart of a demo's rates, as SVG and PNG. It has a group of bars for each codec, slowest
 * first, and in it a bar for each transport, on a logarithmic scale.
 *
 * <p>See {@link ChartFiles}.
 */
public final class DemoChart {
  private static final int WIDTH = 1280;
  private static final int HEIGHT = 680;

  /** Told apart by people who see colours differently, and in grey. */
  private static final Color[] COLORS = {
    new Color(0x9ecae1), new Color(0x08519c), new Color(0xfdae6b), new Color(0xa63603)
  };

  private DemoChart() {}

  /**
   * Draws a chart.
   *
   * @param result what to draw
   * @param directory where {@code demo.svg} and {@code demo.png} go; made if it is not there
   * @return the files
   * @throws IOException if they cannot be written
   */
  public static List<Path> write(DemoResult result, Path directory) throws IOException {
    return ChartFiles.write(chart(result), directory, "demo");
  }

  private static CategoryChart chart(DemoResult result) {
    String type = result.header().dtype().type().typeName();
    CategoryChart chart =
        new CategoryChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(
                type
                    + "[] from one JVM to another over loopback TCP: "
                    + sizes(result)
                    + ", median of "
                    + result.settings().rounds())
            .xAxisTitle("codec")
            .yAxisTitle("MB/s (10^6 bytes per second, logarithmic)")
            .build();
    style(chart.getStyler(), result);
    List<String> codecs = codecs(result);
    for (String transport : transports(result)) {
      List<Double> rates = new ArrayList<>();
      for (String codec : codecs) {
        rates.add(rounded(rate(result, transport, codec)));
      }
      chart.addSeries(transport, codecs, rates);
    }
    return chart;
  }

  private static void style(CategoryStyler styler, DemoResult result) {
    styler.setChartBackgroundColor(Color.WHITE);
    styler.setPlotBorderVisible(false);
    // Solid: each dash of a dashed line would be a shape of its own in the SVG.
    styler.setPlotGridLinesStroke(new BasicStroke(0.5f));
    styler.setPlotGridLinesColor(new Color(0xd0d0d0));
    styler.setPlotGridVerticalLinesVisible(false);
    styler.setSeriesColors(COLORS);
    styler.setChartTitleFont(new Font(Font.SANS_SERIF, Font.BOLD, 15));
    styler.setAxisTickLabelsFont(new Font(Font.SANS_SERIF, Font.PLAIN, 12));
    styler.setAxisTitleFont(new Font(Font.SANS_SERIF, Font.PLAIN, 13));
    styler.setLegendFont(new Font(Font.SANS_SERIF, Font.PLAIN, 13));
    styler.setLegendPosition(Styler.LegendPosition.InsideNW);
    styler.setLabelsFont(new Font(Font.SANS_SERIF, Font.PLAIN, 12));
    styler.setLabelsVisible(true);
    styler.setLabelsPosition(0.97);
    styler.setAxisTickPadding(6);
    styler.setChartPadding(16);
    styler.setAvailableSpaceFill(0.86);
    styler.setLocale(Locale.ROOT);
    styler.setYAxisLogarithmic(true);
    styler.setYAxisLogarithmicDecadeOnly(true);
    styler.setYAxisDecimalPattern("#,##0.##");
    // A third, so that the lowest bar is long enough for its label.
    styler.setYAxisMin(decade(lowest(result) / 3, false));
    styler.setYAxisMax(decade(highest(result), true));
  }

  private static double lowest(DemoResult result) {
    return result.measurements().stream()
        .mapToDouble(Measurement::megabytesPerSecond)
        .min()
        .orElse(1);
  }

  private static double highest(DemoResult result) {
    return result.measurements().stream()
        .mapToDouble(Measurement::megabytesPerSecond)
        .max()
        .orElse(1);
  }

  /** The power of ten below or above a rate, so that the axis ends at marks with numbers. */
  private static double decade(double rate, boolean above) {
    double exponent = Math.log10(Math.max(rate, 1e-6));
    return Math.pow(10, above ? Math.ceil(exponent) : Math.floor(exponent));
  }

  /** Three digits: what is printed on a bar, which nobody can read more exactly anyway. */
  private static double rounded(double rate) {
    return new BigDecimal(rate).round(new MathContext(3)).doubleValue();
  }

  private static String sizes(DemoResult result) {
    Set<Long> sizes = new TreeSet<>();
    result.measurements().forEach(each -> sizes.add(each.contender().bytes()));
    List<String> words = sizes.stream().map(Units::bytes).toList();
    if (words.size() < 2) {
      return String.join("", words);
    }
    return words.get(words.size() - 1)
        + " ("
        + words.get(0)
        + " where each element is a system call)";
  }

  /** Slowest first, by what the faster of a codec's transports gives. */
  private static List<String> codecs(DemoResult result) {
    Map<String, Double> best = new HashMap<>();
    for (Measurement each : result.measurements()) {
      best.merge(each.contender().codec().name(), each.megabytesPerSecond(), Math::max);
    }
    return best.entrySet().stream()
        .sorted(Map.Entry.comparingByValue())
        .map(Map.Entry::getKey)
        .toList();
  }

  private static Set<String> transports(DemoResult result) {
    Set<String> transports = new TreeSet<>();
    result.measurements().forEach(each -> transports.add(each.contender().transport()));
    return transports;
  }

  private static double rate(DemoResult result, String transport, String codec) {
    return result.measurements().stream()
        .filter(each -> each.contender().transport().equals(transport))
        .filter(each -> each.contender().codec().name().equals(codec))
        .mapToDouble(Measurement::megabytesPerSecond)
        .findFirst()
        .orElseThrow();
  }
}
