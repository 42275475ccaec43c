package io.arraywire.examples.soak;

import io.arraywire.examples.report.ChartFiles;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.XYStyler;
import org.knowm.xchart.style.markers.SeriesMarkers;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NamedNodeMap;
import org.w3c.dom.Node;

/** The samples of a soak as SVG: a picture for each series, two beside each other. */
final class SoakChart {
  private static final int WIDTH = 560;
  private static final int HEIGHT = 280;
  private static final int COLUMNS = 2;

  /** Told apart by people who see colours differently. */
  private static final Color[] COLORS = {new Color(0x1f83c9), new Color(0xd55e00)};

  private SoakChart() {}

  /** Draws lines, in minutes where the run was long. */
  static void write(List<SoakLine> lines, Path file) throws IOException {
    SoakSeries[] all = SoakSeries.values();
    int rows = (all.length + COLUMNS - 1) / COLUMNS;
    Element whole = ChartFiles.svg(chart(lines, all[0]), "a");
    Document document = whole.getOwnerDocument();
    Element first = (Element) whole.cloneNode(true);
    while (whole.hasChildNodes()) {
      whole.removeChild(whole.getFirstChild());
    }
    String width = COLUMNS * WIDTH + "";
    String height = rows * HEIGHT + "";
    whole.setAttribute("width", width);
    whole.setAttribute("height", height);
    whole.setAttribute("viewBox", "0 0 " + width + " " + height);
    Map<String, String> ids = new HashMap<>();
    Element outlines = document.createElementNS(whole.getNamespaceURI(), "defs");
    whole.appendChild(outlines);
    for (int i = 0; i < all.length; i++) {
      Element panel = i == 0 ? first : ChartFiles.svg(chart(lines, all[i]), (char) ('a' + i) + "");
      Element placed = (Element) document.importNode(panel, true);
      placed.setAttribute("x", i % COLUMNS * WIDTH + "");
      placed.setAttribute("y", i / COLUMNS * HEIGHT + "");
      join(placed, outlines, ids);
      whole.appendChild(placed);
    }
    Path directory = file.toAbsolutePath().getParent();
    if (directory != null) {
      Files.createDirectories(directory);
    }
    ChartFiles.writeSvg(whole, file);
  }

  /** XChart draws a line for each two samples. One for all of them takes a tenth of the bytes. */
  private static void join(Element parent, Element outlines, Map<String, String> ids) {
    Element joined = null;
    String end = "";
    for (Node next, each = parent.getFirstChild(); each != null; each = next) {
      next = each.getNextSibling();
      if (!(each instanceof Element element)) {
        continue;
      }
      if (!element.getTagName().equals("line")) {
        joined = null;
        if (element.hasAttribute("d")) {
          parent.replaceChild(outline(element, outlines, ids), element);
        } else {
          join(element, outlines, ids);
        }
        continue;
      }
      String from = element.getAttribute("x1") + "," + element.getAttribute("y1");
      String to = element.getAttribute("x2") + "," + element.getAttribute("y2");
      if (joined != null && from.equals(end)) {
        joined.setAttribute("points", joined.getAttribute("points") + " " + to);
        parent.removeChild(element);
      } else {
        joined = like(element, "polyline", Set.of("x1", "y1", "x2", "y2"));
        joined.setAttribute("points", from + " " + to);
        parent.replaceChild(joined, element);
      }
      end = to;
    }
  }

  /** Text is most of the file, as outlines. Each is there once, for all pictures. */
  private static Element outline(Element path, Element outlines, Map<String, String> ids) {
    // A tenth of a pixel is not seen.
    String outline = path.getAttribute("d").replaceAll("(\\.\\d)\\d", "$1");
    String next = "outline" + ids.size();
    String id = ids.putIfAbsent(outline, next);
    if (id == null) {
      id = next;
      Element first = path.getOwnerDocument().createElementNS(path.getNamespaceURI(), "path");
      first.setAttribute("d", outline);
      first.setAttribute("id", id);
      outlines.appendChild(first);
    }
    Element used = like(path, "use", Set.of("d"));
    used.setAttribute("href", "#" + id);
    return used;
  }

  /** An element of another kind with the same attributes, but for some. */
  private static Element like(Element other, String kind, Set<String> without) {
    Element made = other.getOwnerDocument().createElementNS(other.getNamespaceURI(), kind);
    NamedNodeMap attributes = other.getAttributes();
    for (int i = 0; i < attributes.getLength(); i++) {
      Node each = attributes.item(i);
      if (!without.contains(each.getNodeName())) {
        made.setAttribute(each.getNodeName(), each.getNodeValue());
      }
    }
    return made;
  }

  private static XYChart chart(List<SoakLine> lines, SoakSeries series) {
    boolean minutes =
        lines.stream().flatMapToDouble(line -> Arrays.stream(line.seconds())).max().orElse(0) > 600;
    XYChart chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(series.words())
            .xAxisTitle(minutes ? "minutes" : "seconds")
            .build();
    style(chart.getStyler());
    int color = 0;
    for (SoakLine line : lines) {
      if (line.series() == series) {
        double[] x =
            Arrays.stream(line.seconds()).map(each -> minutes ? each / 60 : each).toArray();
        XYSeries drawn = chart.addSeries(line.name(), x, line.values());
        drawn.setMarker(SeriesMarkers.NONE);
        drawn.setLineColor(COLORS[color++ % COLORS.length]);
        drawn.setLineStyle(new BasicStroke(1.4f));
      }
    }
    return chart;
  }

  private static void style(XYStyler styler) {
    styler.setChartBackgroundColor(Color.WHITE);
    styler.setPlotBorderVisible(false);
    // Solid: each dash of a dashed line would be a shape of its own in the SVG.
    styler.setPlotGridLinesStroke(new BasicStroke(0.5f));
    styler.setPlotGridLinesColor(new Color(0xd0d0d0));
    styler.setPlotGridVerticalLinesVisible(false);
    styler.setChartTitleFont(new Font(Font.SANS_SERIF, Font.BOLD, 14));
    styler.setAxisTickLabelsFont(new Font(Font.SANS_SERIF, Font.PLAIN, 12));
    styler.setAxisTitleFont(new Font(Font.SANS_SERIF, Font.PLAIN, 12));
    styler.setLegendFont(new Font(Font.SANS_SERIF, Font.PLAIN, 12));
    styler.setLegendPosition(Styler.LegendPosition.OutsideS);
    styler.setLegendLayout(Styler.LegendLayout.Horizontal);
    styler.setXAxisTickMarkSpacingHint(110);
    styler.setYAxisTickMarkSpacingHint(60);
    styler.setLegendBorderColor(Color.WHITE);
    styler.setYAxisMin(0.0);
    styler.setLocale(Locale.ROOT);
  }
}
