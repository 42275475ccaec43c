package io.arraywire.examples.report;

import java.io.IOException;
import java.io.Writer;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.transform.OutputKeys;
import javax.xml.transform.Transformer;
import javax.xml.transform.TransformerException;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamResult;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/**
 * Makes and writes XML: without declaration and document type, so that nobody fetches a DTD to read
 * it.
 */
public final class XmlText {
  private XmlText() {}

  /**
   * Makes a document with one element.
   *
   * @param namespace of the element
   * @param name of the element
   * @return the document
   * @throws IOException if there is no support for XML
   */
  public static Document document(String namespace, String name) throws IOException {
    try {
      return DocumentBuilderFactory.newInstance()
          .newDocumentBuilder()
          .getDOMImplementation()
          .createDocument(namespace, name, null);
    } catch (ParserConfigurationException e) {
      throw new IOException("no XML support in this JVM", e);
    }
  }

  /**
   * Writes an element with all that is in it, and a line break.
   *
   * @param element what to write
   * @param out where it goes; stays open
   * @throws IOException if that fails
   */
  public static void write(Element element, Writer out) throws IOException {
    try {
      Transformer transformer = TransformerFactory.newInstance().newTransformer();
      transformer.setOutputProperty(OutputKeys.METHOD, "xml");
      transformer.setOutputProperty(OutputKeys.OMIT_XML_DECLARATION, "yes");
      transformer.setOutputProperty(OutputKeys.ENCODING, "UTF-8");
      transformer.transform(new DOMSource(element), new StreamResult(out));
      out.write("\n");
    } catch (TransformerException e) {
      throw new IOException("XML was not written: " + e.getMessage(), e);
    }
  }
}
