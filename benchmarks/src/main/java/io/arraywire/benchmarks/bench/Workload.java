package io.arraywire.benchmarks.bench;

import io.arraywire.examples.report.Units;

/**
 * What all contenders do.
 *
 * @param count elements in each array
 * @param window how many arrays may be on their way at once; 1 if each is waited for
 */
record Workload(int count, int window) {

  /** A workload in which each array is waited for. */
  static Workload oneByOne(int count) {
    return new Workload(count, 1);
  }

  boolean pipelined() {
    return window > 1;
  }

  long bytes() {
    return (long) count * Float.BYTES;
  }

  String label() {
    return Units.bytes(bytes()) + (pipelined() ? ", " + window + " on their way" : "");
  }
}
