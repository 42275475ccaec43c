package io.arraywire.benchmarks.receipts;

import java.util.List;

/**
 * One round.
 *
 * @param elements elements in each array
 * @param burst arrays that are sent one behind the other while as many calls of {@code receiveInto}
 *     wait for them
 * @param bursts how many such bursts count
 */
record Workload(int elements, int burst, int bursts) {
  /** The most arrays in a burst. */
  static final int MOST = 8;

  private static final List<Workload> ALL =
      List.of(
          new Workload(16, MOST, 128),
          new Workload(16 << 10, 4, 8),
          new Workload(1 << 20, 2, 2),
          new Workload(16 << 20, 1, 1));

  /** That of all with no more elements than that. */
  static List<Workload> upTo(int elements) {
    return ALL.stream().filter(workload -> workload.elements <= elements).toList();
  }

  /** The same with a system call or two for each element: fewer arrays. */
  Workload slowly() {
    return new Workload(elements, 1, 2);
  }

  int arrays() {
    return burst * bursts;
  }
}
