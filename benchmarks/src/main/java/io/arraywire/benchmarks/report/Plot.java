package io.arraywire.benchmarks.report;

import io.arraywire.benchmarks.result.Interval;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.Shape;
import java.awt.font.FontRenderContext;
import java.awt.font.TextLayout;
import java.awt.geom.AffineTransform;
import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.XYSeries.XYSeriesRenderStyle;
import org.knowm.xchart.internal.chartpart.Annotation;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.XYStyler;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** A chart in the making: what all charts of a report have in common. Not for several threads. */
final class Plot {
  /** Text, marks and intervals. */
  static final Color INK = new Color(0x1a1a1a);

  /** Lines that lead the eye. */
  static final Color GRID = new Color(0xd9d9d9);

  static final Color PAPER = Color.WHITE;

  private static final Font TEXT = new Font(Font.SANS_SERIF, Font.PLAIN, 13);
  private static final Font TITLE = new Font(Font.SANS_SERIF, Font.BOLD, 15);

  /** Around the chart, in pixels. */
  private static final int PADDING = 14;

  /** More than those of the longest names take, in pixels. */
  private static final int LEGEND_WIDTH = 180;

  private static final BasicStroke THIN = new BasicStroke(0.7f);
  private static final BasicStroke INTERVAL = new BasicStroke(1.4f);
  private static final BasicStroke REFERENCE = new BasicStroke(1.2f);

  /** How long the head of an arrow is, as a part of the axis. */
  private static final double ARROW = 0.006;

  /** Between an axis and the labels of its marks, in pixels. */
  private static final int GAP = 8;

  /** What the labels of the lower axis take, in pixels. */
  private static final int LABEL_HEIGHT = 26;

  private final XYChart chart;
  private final Scale x;
  private final Scale y;
  private final Labels labels = new Labels();

  /** Where a text stands to its point. */
  private enum Side {
    ABOVE,
    LEFT,
    BELOW,
    RIGHT
  }

  private record Label(double x, double y, String text, Side side) {}

  /** Makes an empty chart with its grid. */
  Plot(String title, int width, int height, Scale x, Scale y, boolean legend) {
    this.x = x;
    this.y = y;
    chart =
        new XYChartBuilder().width(width).height(height).title(title).xAxisTitle(x.title()).build();
    style(chart.getStyler(), legend);
    chart.getStyler().setChartTitleFont(fitting(title, titleWidth(width, legend)));
    chart.addAnnotation(labels);
    if (!y.title().isEmpty()) {
      // Lying: upright it would be hard to read, and in the way of the labels.
      labels.add(new Label(x.low(), y.high(), y.title(), Side.ABOVE));
    }
    for (Scale.Tick each : x.ticks()) {
      rule(each.place(), each.place(), y.low(), y.high());
      labels.add(new Label(each.place(), y.low(), each.label(), Side.BELOW));
    }
    for (Scale.Tick each : y.ticks()) {
      if (!y.title().isEmpty()) {
        // Names need no line, which would go through the text beside their bars.
        rule(x.low(), x.high(), each.place(), each.place());
      }
      labels.add(new Label(x.low(), each.place(), each.label(), Side.LEFT));
    }
  }

  private void style(XYStyler styler, boolean legend) {
    styler.setChartBackgroundColor(PAPER);
    styler.setPlotBackgroundColor(PAPER);
    styler.setPlotBorderVisible(false);
    styler.setPlotGridLinesVisible(false);
    styler.setPlotContentSize(1);
    styler.setPlotMargin(0);
    styler.setAxisTicksVisible(false);
    styler.setXAxisMin(x.low());
    styler.setXAxisMax(x.high());
    styler.setYAxisMin(y.low());
    styler.setYAxisMax(y.high());
    styler.setYAxisLeftWidthHint(leftWidth());
    styler.setAxisTitlePadding(LABEL_HEIGHT);
    styler.setAxisTitleFont(TEXT);
    styler.setXAxisTitleColor(INK);
    styler.setYAxisTitleColor(INK);
    styler.setChartFontColor(INK);
    styler.setChartTitleFontColor(INK);
    styler.setChartTitlePadding(y.title().isEmpty() ? 10 : LABEL_HEIGHT + 6);
    styler.setChartPadding(PADDING);
    styler.setLegendVisible(legend);
    styler.setLegendPosition(Styler.LegendPosition.OutsideE);
    styler.setLegendBackgroundColor(PAPER);
    styler.setLegendBorderColor(PAPER);
    styler.setLegendFont(TEXT);
    styler.setLegendSeriesLineLength(32);
    styler.setMarkerSize(8);
  }

  /** Room for the longest label. */
  private int leftWidth() {
    double longest = y.ticks().stream().mapToDouble(tick -> width(tick.label())).max().orElse(0);
    return (int) Math.ceil(longest) + 3 * GAP;
  }

  /** What there is for a title, which stands above the middle of the plot, not of the chart. */
  private int titleWidth(int width, boolean legend) {
    int left = PADDING + leftWidth();
    int right = width - PADDING - (legend ? LEGEND_WIDTH : 0);
    int middle = (left + right) / 2;
    return 2 * (Math.min(middle, width - middle) - PADDING);
  }

  /** The font of titles, or a smaller one with which a long title is not cut off. */
  static Font fitting(String title, int width) {
    Font font = TITLE;
    // One by one: with the hints of a font, widths are not in proportion to its size.
    while (width(title, font) > width && font.getSize() > 1) {
      font = font.deriveFont(font.getSize() - 1f);
    }
    return font;
  }

  /** How many pixels a text takes. */
  static double width(String text) {
    return width(text, TEXT);
  }

  static double width(String text, Font font) {
    return text.isEmpty()
        ? 0
        : new TextLayout(text, font, new FontRenderContext(null, true, false)).getAdvance();
  }

  private void rule(double x1, double x2, double y1, double y2) {
    add(new double[] {x1, x2}, new double[] {y1, y2}, GRID, THIN);
  }

  /** A straight line from bottom to top at a value. */
  void reference(double value) {
    double place = x.at(value);
    add(new double[] {place, place}, new double[] {y.low(), y.high()}, INK, REFERENCE);
  }

  /** A bar that lies along the lower axis, at a place of the upright one. */
  void bar(double value, double place, double thickness, Color color) {
    double end = x.at(value);
    double below = place - thickness / 2;
    double above = place + thickness / 2;
    XYSeries series =
        add(
            new double[] {x.low(), end, end, x.low()},
            new double[] {below, below, above, above},
            color,
            null);
    series.setXYSeriesRenderStyle(XYSeriesRenderStyle.PolygonArea);
    series.setFillColor(color);
  }

  /**
   * From where to where a value may be, as a line with ends across. A line that goes on beyond what
   * is shown has the head of an arrow.
   *
   * @param least what is shown at least
   * @param most what is shown at most
   */
  void interval(Interval interval, double least, double most, double place, double thickness) {
    double from = x.at(Math.max(least, interval.low()));
    double to = x.at(Math.min(most, interval.high()));
    add(new double[] {from, to}, new double[] {place, place}, INK, INTERVAL);
    double head = ARROW * (x.high() - x.low());
    end(from, interval.low() >= least ? 0 : head, place, thickness);
    end(to, interval.high() <= most ? 0 : -head, place, thickness);
  }

  /** Straight across, or the head of an arrow. */
  private void end(double at, double head, double place, double thickness) {
    add(
        new double[] {at + head, at, at + head},
        new double[] {place - thickness / 2, place, place + thickness / 2},
        INK,
        INTERVAL);
  }

  /** Text to the right of a value. */
  void text(double value, double place, String text) {
    labels.add(new Label(x.at(value), place, text, Side.RIGHT));
  }

  /** A line through points, with a line in the legend. */
  void line(String contender, double[] xs, double[] ys, boolean markers) {
    Look look = Look.of(contender);
    XYSeries series =
        chart.addSeries(
            contender,
            Arrays.stream(xs).map(x::at).toArray(),
            Arrays.stream(ys).map(y::at).toArray());
    series.setLineColor(look.color());
    series.setLineStyle(look.line());
    series.setMarker(markers ? look.marker() : SeriesMarkers.NONE);
    series.setMarkerColor(look.color());
  }

  /** Places, not values; not in the legend. */
  private XYSeries add(double[] xs, double[] ys, Color color, @Nullable BasicStroke stroke) {
    XYSeries series = chart.addSeries("part " + chart.getSeriesCollection().size(), xs, ys);
    series.setShowInLegend(false);
    series.setMarker(SeriesMarkers.NONE);
    series.setLineColor(color);
    series.setLineStyle(stroke == null ? new BasicStroke(0) : stroke);
    return series;
  }

  XYChart chart() {
    return chart;
  }

  /** Draws the text that XChart has no way for. */
  private static final class Labels extends Annotation {
    private final List<Label> all = new ArrayList<>();

    Labels() {
      super(false);
    }

    void add(Label label) {
      all.add(label);
    }

    @Override
    public void paint(Graphics2D g) {
      g.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
      g.setColor(INK);
      for (Label each : all) {
        if (!each.text().isEmpty()) {
          paint(g, each);
        }
      }
    }

    private void paint(Graphics2D g, Label label) {
      TextLayout text = new TextLayout(label.text(), TEXT, g.getFontRenderContext());
      double left = getXAxisScreenValue(label.x());
      double base = getYAxisScreenValue(label.y());
      double middle = (text.getAscent() - text.getDescent()) / 2;
      switch (label.side()) {
        case ABOVE -> {
          left = GAP;
          base -= GAP + text.getDescent();
        }
        case LEFT -> {
          left -= text.getAdvance() + GAP;
          base += middle;
        }
        case RIGHT -> {
          left += GAP;
          base += middle;
          background(g, text, left, base);
        }
        case BELOW -> {
          left -= text.getAdvance() / 2;
          base += text.getAscent() + 4;
        }
      }
      Shape outline = text.getOutline(AffineTransform.getTranslateInstance(left, base));
      g.fill(outline);
    }

    /** No line of the chart goes through a text that stands in the plot. */
    private static void background(Graphics2D g, TextLayout text, double left, double base) {
      g.setColor(PAPER);
      g.fill(
          new Rectangle2D.Double(
              left - GAP / 4.0,
              base - text.getAscent(),
              text.getAdvance() + GAP / 2.0,
              text.getAscent() + text.getDescent()));
      g.setColor(INK);
    }
  }
}
