package io.arraywire.benchmarks.network;

/** What libraries throw, in words. */
final class Failures {
  private Failures() {}

  /** The innermost cause, which says what is wrong; what is around it says what was tried. */
  static String words(Throwable failure) {
    Throwable inner = failure;
    while (inner.getCause() != null) {
      inner = inner.getCause();
    }
    String message = inner.getMessage();
    return (message == null ? inner.toString() : message).strip().replaceAll("\\s+", " ");
  }
}
