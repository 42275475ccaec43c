package io.arraywire.examples.report;

import java.awt.Dimension;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.imageio.ImageIO;
import org.apache.batik.svggen.SVGGeneratorContext;
import org.apache.batik.svggen.SVGGraphics2D;
import org.apache.batik.svggen.SVGIDGenerator;
import org.apache.batik.svggen.SVGSyntax;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.internal.chartpart.Chart;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * Charts as SVG and PNG.
 *
 * <p>XChart draws; Batik turns what it draws into SVG (XChart's own way needs a library under the
 * LGPL). Text becomes outlines, so that it looks alike wherever it is looked at.
 */
public final class ChartFiles {
  private static final String SVG = "http://www.w3.org/2000/svg";

  /** Digits behind the point of a pixel: outlines of text are most of a file. */
  private static final int DIGITS = 2;

  private ChartFiles() {}

  /**
   * Draws a chart as SVG and PNG.
   *
   * @param chart what to draw, in its own size
   * @param directory where the files go; made if it is not there
   * @param name of both files, without ending
   * @return the files, first the SVG
   * @throws IOException if they cannot be written
   */
  public static List<Path> write(Chart<?, ?> chart, Path directory, String name)
      throws IOException {
    Files.createDirectories(directory);
    return List.of(
        writeSvg(svg(chart, ""), directory.resolve(name + ".svg")),
        writePng(chart, directory.resolve(name + ".png")));
  }

  /**
   * Draws a chart as SVG.
   *
   * @param chart what to draw, in its own size
   * @param idPrefix before each {@code id} in it, so that several can be part of one page
   * @return the element {@code svg}, in a document of its own
   * @throws IOException if there is no support for XML
   */
  public static Element svg(Chart<?, ?> chart, String idPrefix) throws IOException {
    Document document = XmlText.document(SVG, "svg");
    SVGGeneratorContext context = SVGGeneratorContext.createDefault(document);
    context.setPrecision(DIGITS);
    context.setIDGenerator(
        new SVGIDGenerator() {
          @Override
          public String generateID(String prefix) {
            return super.generateID(idPrefix + prefix);
          }
        });
    SVGGraphics2D graphics = new SVGGraphics2D(context, false);
    graphics.setSVGCanvasSize(new Dimension(chart.getWidth(), chart.getHeight()));
    chart.paint(graphics, chart.getWidth(), chart.getHeight());
    Element root = graphics.getRoot(document.getDocumentElement());
    NodeList definitions = root.getElementsByTagName("defs");
    for (int i = 0; i < definitions.getLength(); i++) {
      Element each = (Element) definitions.item(i);
      // The one whose name is not generated.
      if (each.getAttribute("id").equals(SVGSyntax.ID_PREFIX_GENERIC_DEFS)) {
        each.setAttribute("id", idPrefix + each.getAttribute("id"));
      }
    }
    // So that a page can make it smaller.
    root.setAttribute("viewBox", "0 0 " + chart.getWidth() + " " + chart.getHeight());
    return root;
  }

  /**
   * Writes what {@link #svg} made.
   *
   * @param svg the element
   * @param file where it goes
   * @return the file
   * @throws IOException if it cannot be written
   */
  public static Path writeSvg(Element svg, Path file) throws IOException {
    try (Writer out = Files.newBufferedWriter(file, StandardCharsets.UTF_8)) {
      XmlText.write(svg, out);
    }
    return file;
  }

  /**
   * Draws a chart as PNG.
   *
   * @param chart what to draw, in its own size
   * @param file where it goes
   * @return the file
   * @throws IOException if it cannot be written
   */
  public static Path writePng(Chart<?, ?> chart, Path file) throws IOException {
    ImageIO.write(BitmapEncoder.getBufferedImage(chart), "png", file.toFile());
    return file;
  }
}
