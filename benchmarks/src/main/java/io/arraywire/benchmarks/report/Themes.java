package io.arraywire.benchmarks.report;

import java.awt.Color;
import java.util.Locale;
import java.util.Map;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

/**
 * Light and dark: charts are drawn in light colours, and those that belong to no contender get a
 * class, which a style sheet gives other colours where the reader wants it dark. Paper stays light.
 */
final class Themes {
  private static final Map<Color, String> CLASSES =
      Map.of(Plot.INK, "ink", Plot.GRID, "grid", Plot.PAPER, "paper");

  /** No characters that XML or HTML would take for something else. */
  static final String CSS =
      """
      @media screen and (prefers-color-scheme: dark) {
        .ink-fill { fill: #e8e8e8; } .ink-stroke { stroke: #e8e8e8; }
        .grid-fill { fill: #3b4147; } .grid-stroke { stroke: #3b4147; }
        .paper-fill { fill: #15181b; } .paper-stroke { stroke: #15181b; }
      }
      """;

  private Themes() {}

  /** Marks what changes its colour. */
  static void mark(Element svg) {
    markOne(svg);
    NodeList children = svg.getChildNodes();
    for (int i = 0; i < children.getLength(); i++) {
      if (children.item(i) instanceof Element child) {
        mark(child);
      }
    }
  }

  private static void markOne(Element element) {
    StringBuilder classes = new StringBuilder();
    for (String paint : new String[] {"fill", "stroke"}) {
      String value = element.getAttribute(paint);
      for (Map.Entry<Color, String> each : CLASSES.entrySet()) {
        if (value.equals(words(each.getKey()))) {
          classes
              .append(classes.length() == 0 ? "" : " ")
              .append(each.getValue())
              .append('-')
              .append(paint);
        }
      }
    }
    if (classes.length() > 0) {
      element.setAttribute("class", classes.toString());
    }
  }

  /** As Batik writes a colour. */
  private static String words(Color color) {
    return color.equals(Color.WHITE)
        ? "white"
        : String.format(
            Locale.ROOT, "rgb(%d,%d,%d)", color.getRed(), color.getGreen(), color.getBlue());
  }

  /** Makes a chart that stands alone know both. */
  static void addStyle(Element svg) {
    Node style = svg.getOwnerDocument().createElementNS(svg.getNamespaceURI(), "style");
    style.setTextContent(CSS);
    svg.insertBefore(style, svg.getFirstChild());
  }
}
