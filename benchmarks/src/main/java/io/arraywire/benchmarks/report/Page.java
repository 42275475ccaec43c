package io.arraywire.benchmarks.report;

import io.arraywire.examples.report.XmlText;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/**
 * A page of HTML in the making, as a tree: nothing that is put into it can be taken for markup.
 * What is written is HTML and well-formed XML at the same time. Not for several threads.
 */
final class Page {
  private static final String XHTML = "http://www.w3.org/1999/xhtml";

  private final Document document;
  private final Element head;
  private final Element body;

  /** Makes an empty page. */
  Page(String title) throws IOException {
    document = XmlText.document(XHTML, "html");
    Element html = document.getDocumentElement();
    html.setAttribute("lang", "en");
    head = add(html, "head", "");
    add(head, "meta", "").setAttribute("charset", "utf-8");
    meta("viewport", "width=device-width, initial-scale=1");
    meta("color-scheme", "light dark");
    add(head, "title", title);
    body = add(html, "body", "");
  }

  private void meta(String name, String content) {
    Element meta = add(head, "meta", "");
    meta.setAttribute("name", name);
    meta.setAttribute("content", content);
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

  /**
   * Writes the page.
   *
   * @param styles style sheets
   * @param json the figures, without characters that XML escapes
   * @param scripts what runs at the end, in this order
   */
  void write(Path file, List<String> styles, String json, List<String> scripts) throws IOException {
    for (String each : styles) {
      raw(head, "style", each);
    }
    Element figures = add(body, "script", json);
    figures.setAttribute("type", "application/json");
    figures.setAttribute("id", "figures");
    for (String each : scripts) {
      raw(body, "script", each);
    }
    try (Writer out = Files.newBufferedWriter(file, StandardCharsets.UTF_8)) {
      out.write("<!DOCTYPE html>\n");
      XmlText.write(document.getDocumentElement(), out);
    }
  }

  /**
   * Adds what HTML reads as it stands and XML does not: in a section of CDATA, whose marks are
   * comments of CSS and of JavaScript.
   */
  private void raw(Element parent, String name, String text) {
    if (text.contains("]]>") || text.contains("</")) {
      throw new IllegalArgumentException(
          "a " + name + " that ends its element (text=" + name + ")");
    }
    Element element = add(parent, name, "");
    element.appendChild(document.createTextNode("/*"));
    element.appendChild(document.createCDATASection("*/\n" + text + "\n/*"));
    element.appendChild(document.createTextNode("*/"));
  }
}
