package io.arraywire.benchmarks.result;

import java.io.IOException;
import java.nio.file.Path;

/** A file of what was measured. */
public sealed interface FiguresFile permits BenchFile, JmhFile {

  /**
   * The file.
   *
   * @return where it is
   */
  Path path();

  /**
   * Reads a file of either kind: JMH writes a list, {@code arraywire bench} an object.
   *
   * @param path where it is
   * @return what it says
   * @throws IOException if it cannot be read, is not JSON, or neither kind
   */
  static FiguresFile read(Path path) throws IOException {
    Members.Document document = Members.read(path);
    return document.isList() ? JmhFile.of(document) : BenchFile.of(document);
  }
}
