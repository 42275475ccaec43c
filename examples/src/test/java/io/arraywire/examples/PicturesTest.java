package io.arraywire.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.Font;
import java.awt.font.FontRenderContext;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/** The pictures of the pages: text that lives in the repository, and that a reader can select. */
@Tag("newest")
class PicturesTest {
  private static final Path ROOT =
      Path.of(System.getProperty("basedir", "."))
          .toAbsolutePath()
          .normalize()
          .resolve("..")
          .normalize();

  private static final Path IMAGES = ROOT.resolve("docs/images");

  /** Fonts differ from host to host. */
  private static final double OTHER_FONT = 1.05;

  private static final Pattern SIZE = Pattern.compile("font(?:-size)?:[^;}]*?(\\d+)px");

  private static final Pattern SHOWN = Pattern.compile("!\\[([^\\]]*)]\\((?:docs/)?images/([^)]+)");

  private static final FontRenderContext CONTEXT = new FontRenderContext(null, true, true);

  private static List<Path> drawings() throws IOException {
    try (Stream<Path> files = Files.list(IMAGES)) {
      List<Path> drawings =
          files.filter(file -> file.toString().endsWith(".svg")).sorted().toList();
      assertThat(drawings).hasSizeGreaterThanOrEqualTo(6);
      return drawings;
    }
  }

  private static Document parse(String drawing) throws Exception {
    DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
    factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
    return factory.newDocumentBuilder().parse(new InputSource(new StringReader(drawing)));
  }

  private static List<Element> elements(Document document, String name) {
    List<Element> elements = new ArrayList<>();
    NodeList found = document.getElementsByTagName(name);
    for (int i = 0; i < found.getLength(); i++) {
      elements.add((Element) found.item(i));
    }
    return elements;
  }

  /** What of a drawing lies outside of its page, or could not be drawn everywhere. */
  private static List<String> faults(String drawing) throws Exception {
    List<String> faults = new ArrayList<>();
    Document document = parse(drawing);
    String[] box = document.getDocumentElement().getAttribute("viewBox").split(" ");
    double width = Double.parseDouble(box[2]);
    double height = Double.parseDouble(box[3]);
    for (String name : List.of("title", "desc", "text")) {
      if (elements(document, name).isEmpty()) {
        faults.add("no " + name);
      }
    }
    for (String name : List.of("script", "image", "foreignObject", "a")) {
      if (!elements(document, name).isEmpty()) {
        faults.add("has " + name);
      }
    }
    for (Element text : elements(document, "text")) {
      double x = number(text, "x");
      double y = number(text, "y");
      double length = length(text, drawing);
      double left =
          switch (text.getAttribute("text-anchor")) {
            case "end" -> x - length;
            case "middle" -> x - length / 2;
            default -> x;
          };
      if (left < 0 || left + length > width || y < 0 || y > height) {
        faults.add("outside of the page: " + text.getTextContent());
      }
    }
    return faults;
  }

  private static double number(Element element, String attribute) {
    for (Node at = element; at instanceof Element ancestor; at = at.getParentNode()) {
      if (!ancestor.getAttribute(attribute).isEmpty()) {
        return Double.parseDouble(ancestor.getAttribute(attribute));
      }
    }
    return 0;
  }

  private static double length(Element text, String drawing) {
    String style = drawing.substring(drawing.indexOf("<style>"), drawing.indexOf("</style>"));
    String rule = style.lines().filter(line -> line.strip().startsWith("text ")).findFirst().get();
    MatchResult size = SIZE.matcher(rule).results().findFirst().get();
    boolean bold = text.getAttribute("class").contains("head");
    String family = rule.contains("monospace") ? Font.MONOSPACED : Font.SANS_SERIF;
    Font font = new Font(family, bold ? Font.BOLD : Font.PLAIN, Integer.parseInt(size.group(1)));
    return font.getStringBounds(text.getTextContent(), CONTEXT).getWidth() * OTHER_FONT;
  }

  @Test
  void everyDrawingIsTextOnItsPage() throws Exception {
    for (Path each : drawings()) {
      assertThat(faults(Files.readString(each))).as(each.getFileName().toString()).isEmpty();
    }
  }

  @Test
  void textBesideThePageIsFound() throws Exception {
    String threads = Files.readString(IMAGES.resolve("threads.svg"));
    assertThat(faults(threads.replace("Handler executor", "Handler executor of the whole process")))
        .containsExactly("outside of the page: Handler executor of the whole process");
    assertThat(faults(threads.replaceAll("<desc[^>]*>[^<]*</desc>", "")))
        .containsExactly("no desc");
  }

  /** A picture that no page shows is forgotten when the thing changes. */
  @Test
  void everyPictureIsShownAndDescribed() throws IOException {
    Set<String> shown = new TreeSet<>();
    List<Path> pages = new ArrayList<>(List.of(ROOT.resolve("README.md")));
    try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
      docs.filter(page -> page.toString().endsWith(".md")).forEach(pages::add);
    }
    for (Path page : pages) {
      for (MatchResult each : SHOWN.matcher(Files.readString(page)).results().toList()) {
        assertThat(each.group(1)).as("words for %s on %s", each.group(2), page).isNotBlank();
        shown.add(each.group(2));
      }
    }
    try (Stream<Path> files = Files.list(IMAGES)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrderElementsOf(shown);
    }
  }
}
