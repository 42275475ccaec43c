package io.arraywire.benchmarks.bench;

/** Where a library's thread puts the answer to a request. */
interface AnswerTarget {

  /** Where the answer goes; until {@link #answered} for the thread that has it. */
  float[] answer();

  /** The answer is there. */
  void answered();

  /** There will be none. */
  void fail(Throwable cause);
}
