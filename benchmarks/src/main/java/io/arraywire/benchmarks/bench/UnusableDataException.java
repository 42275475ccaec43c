package io.arraywire.benchmarks.bench;

import java.io.IOException;
import java.nio.file.Path;

/** A file whose elements no arrays can be filled with: the text says why, and what to do. */
final class UnusableDataException extends IOException {
  private static final long serialVersionUID = 1;

  private final transient Path file;

  /**
   * Makes one.
   *
   * @param text what is wrong with it, and what to do
   * @param file the file
   * @param facts names and values by turns
   */
  UnusableDataException(String text, Path file, Object... facts) {
    super(text + " (file=" + file + words(facts) + ")");
    this.file = file;
  }

  /** The file. */
  Path file() {
    return file;
  }

  private static String words(Object[] facts) {
    StringBuilder words = new StringBuilder();
    for (int i = 0; i + 1 < facts.length; i += 2) {
      words.append(", ").append(facts[i]).append('=').append(facts[i + 1]);
    }
    return words.toString();
  }
}
