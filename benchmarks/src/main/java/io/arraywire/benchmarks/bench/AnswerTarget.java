package io.arraywire.benchmarks.bench;

/** A request that waits for its answer, as a library's thread sees it. */
interface AnswerTarget {

  /**
   * The array for the answer. The thread that has the answer fills it, then calls {@link
   * #answered}.
   */
  float[] answer();

  /** The array has the answer. */
  void answered();

  /** No answer will come. */
  void fail(Throwable cause);
}
