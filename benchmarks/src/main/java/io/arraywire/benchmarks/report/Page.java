package io.arraywire.benchmarks.report;

import io.arraywire.examples.report.XmlText;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/**
 * A page of HTML in the making, as a tree: nothing that is put into it can be taken for markup.
 * What is written is HTML and well-formed XML at the same time. Not for several threads.
 */
final class Page {
  private static final String XHTML = "http://www.w3.org/1999/xhtml";

  private final Document document;
  private final Element body;

  /**
   * Makes an empty page.
   *
   * @param css without characters that XML escapes: a browser would not undo that
   */
  Page(String title, String css) throws IOException {
    document = XmlText.document(XHTML, "html");
    Element html = document.getDocumentElement();
    html.setAttribute("lang", "en");
    Element head = add(html, "head", "");
    add(head, "meta", "").setAttribute("charset", "utf-8");
    Element viewport = add(head, "meta", "");
    viewport.setAttribute("name", "viewport");
    viewport.setAttribute("content", "width=device-width");
    Element scheme = add(head, "meta", "");
    scheme.setAttribute("name", "color-scheme");
    scheme.setAttribute("content", "light dark");
    add(head, "title", title);
    add(head, "style", css);
    body = add(html, "body", "");
  }

  Element body() {
    return body;
  }

  /** Adds an element with a text, which may be empty. */
  Element add(Element parent, String name, String text) {
    Element element = document.createElementNS(XHTML, name);
    if (!text.isEmpty()) {
      element.setTextContent(text);
    }
    parent.appendChild(element);
    return element;
  }

  /** Adds a chart. */
  void addSvg(Element parent, Element svg, String label) {
    Element copy = (Element) document.importNode(svg, true);
    copy.setAttribute("role", "img");
    copy.setAttribute("aria-label", label);
    parent.appendChild(copy);
  }

  void write(Path file) throws IOException {
    try (Writer out = Files.newBufferedWriter(file, StandardCharsets.UTF_8)) {
      out.write("<!DOCTYPE html>\n");
      XmlText.write(document.getDocumentElement(), out);
    }
  }
}
