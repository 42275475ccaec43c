package io.arraywire.examples.soak;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The samples of a soak as SVG: a picture for each series, two beside each other. Its words are
 * text, which a reader can search and select.
 */
final class SoakChart {
  private static final int WIDTH = 560;
  private static final int HEIGHT = 280;
  private static final int COLUMNS = 2;

  private static final int LEFT = 64;
  private static final int RIGHT = 20;
  private static final int TOP = 40;
  private static final int BOTTOM = 66;

  /** At most so many lines of the grid, and as many numbers below. */
  private static final int MOST_TICKS = 6;

  private static final double LONG_SECONDS = 600;

  private final StringBuilder svg = new StringBuilder();

  private SoakChart() {}

  /** Draws lines, in minutes where the run was long. */
  static void write(List<SoakLine> lines, Path file) throws IOException {
    SoakChart chart = new SoakChart();
    chart.draw(lines);
    Path directory = file.toAbsolutePath().getParent();
    if (directory != null) {
      Files.createDirectories(directory);
    }
    Files.writeString(file, chart.svg);
  }

  private void draw(List<SoakLine> lines) {
    SoakSeries[] all = SoakSeries.values();
    int rows = (all.length + COLUMNS - 1) / COLUMNS;
    double longest =
        lines.stream().flatMapToDouble(line -> Arrays.stream(line.seconds())).max().orElse(0);
    String names =
        lines.stream().map(SoakLine::name).distinct().collect(Collectors.joining(" and "));
    svg.append(
        String.format(
            Locale.ROOT,
            """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img" aria-labelledby="title desc">
              <title id="title">A soak of %s</title>
              <desc id="desc">For %s, over time: %s.</desc>
              <style>
                text { font: 12px sans-serif; fill: #1a1a1a; }
                .head { font-weight: bold; }
                .grid { stroke: #d0d0d0; stroke-width: 0.5; }
                polyline { fill: none; stroke-width: 1.4; }
                .line0 { stroke: #1f83c9; fill: #1f83c9; }
                .line1 { stroke: #d55e00; fill: #d55e00; }
                polyline.line0, polyline.line1 { fill: none; }
                .paper { fill: #ffffff; }
                @media (prefers-color-scheme: dark) {
                  text { fill: #e8e8e8; } .grid { stroke: #50565c; } .paper { fill: #15181b; }
                }
              </style>
              <rect class="paper" width="%1$d" height="%2$d"/>
            """,
            COLUMNS * WIDTH,
            rows * HEIGHT,
            longest > LONG_SECONDS
                ? Math.round(longest / 60) + " minutes"
                : Math.round(longest) + " seconds",
            escaped(names),
            escaped(Arrays.stream(all).map(SoakSeries::words).collect(Collectors.joining("; ")))));
    for (int i = 0; i < all.length; i++) {
      SoakSeries series = all[i];
      panel(
          series,
          lines.stream().filter(line -> line.series() == series).toList(),
          longest,
          i % COLUMNS * WIDTH,
          i / COLUMNS * HEIGHT);
    }
    svg.append("</svg>\n");
  }

  private void panel(SoakSeries series, List<SoakLine> lines, double longest, int x, int y) {
    boolean minutes = longest > LONG_SECONDS;
    double most =
        lines.stream().flatMapToDouble(line -> Arrays.stream(line.values())).max().orElse(1);
    List<Double> across = ticks(minutes ? longest / 60 : longest);
    List<Double> up = ticks(most);
    double xScale = (WIDTH - LEFT - RIGHT) / (minutes ? longest / 60 : longest);
    double yScale = (HEIGHT - TOP - BOTTOM) / Math.max(most, up.get(up.size() - 1));
    int bottom = y + HEIGHT - BOTTOM;
    text("head", x + WIDTH / 2.0, y + 22, "middle", series.words());
    for (double tick : up) {
      double at = bottom - tick * yScale;
      svg.append(
          String.format(
              Locale.ROOT,
              "  <line class=\"grid\" x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%2$.1f\"/>%n",
              x + LEFT,
              at,
              x + WIDTH - RIGHT));
      text("", x + LEFT - 6, at + 4, "end", number(tick));
    }
    for (double tick : across) {
      text("", x + LEFT + tick * xScale, bottom + 18, "middle", number(tick));
    }
    text(
        "",
        x + (LEFT + WIDTH - RIGHT) / 2.0,
        bottom + 36,
        "middle",
        minutes ? "minutes" : "seconds");
    double legend = x + LEFT;
    for (int i = 0; i < lines.size(); i++) {
      SoakLine line = lines.get(i);
      double[] seconds = line.seconds();
      double[] values = line.values();
      List<String> points = new ArrayList<>();
      for (int j = 0; j < values.length; j++) {
        points.add(
            String.format(
                Locale.ROOT,
                "%.1f,%.1f",
                x + LEFT + (minutes ? seconds[j] / 60 : seconds[j]) * xScale,
                bottom - values[j] * yScale));
      }
      svg.append("  <polyline class=\"line")
          .append(i % 2)
          .append("\" points=\"")
          .append(String.join(" ", points))
          .append("\"/>\n");
      svg.append(
          String.format(
              Locale.ROOT,
              "  <rect class=\"line%d\" x=\"%.1f\" y=\"%d\" width=\"18\" height=\"3\"/>%n",
              i % 2,
              legend,
              bottom + 50));
      text("", legend + 24, bottom + 55, "start", line.name());
      legend += (WIDTH - LEFT - RIGHT) / (double) lines.size();
    }
  }

  private void text(String style, double x, double y, String anchor, String words) {
    svg.append(
        String.format(
            Locale.ROOT,
            "  <text%s x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>%n",
            style.isEmpty() ? "" : " class=\"" + style + "\"",
            x,
            y,
            anchor,
            escaped(words)));
  }

  /** From 0 to a value, by 1, 2 or 5 of a power of ten. */
  private static List<Double> ticks(double most) {
    double step = Math.pow(10, Math.floor(Math.log10(Math.max(most, 1e-6) / MOST_TICKS)));
    for (double factor : new double[] {1, 2, 5, 10}) {
      if (most / (step * factor) <= MOST_TICKS) {
        step *= factor;
        break;
      }
    }
    List<Double> ticks = new ArrayList<>();
    for (int i = 0; i * step <= most; i++) {
      ticks.add(i * step);
    }
    return ticks;
  }

  private static String number(double value) {
    return new DecimalFormat("#,##0.###", DecimalFormatSymbols.getInstance(Locale.ROOT))
        .format(value);
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
  }
}
