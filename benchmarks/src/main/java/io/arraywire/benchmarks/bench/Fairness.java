package io.arraywire.benchmarks.bench;

import java.util.List;

/** How evenly connections that all want as much as they can get are served. */
final class Fairness {
  private Fairness() {}

  /**
   * What the connection that was served least had, as a part of what each would have had if all had
   * been served alike.
   *
   * @param served how many arrays each connection had, at least one of them any
   * @return 0 if one had nothing, to 1 if all had the same
   */
  static double leastShare(List<Long> served) {
    long least = served.stream().mapToLong(Long::longValue).min().orElseThrow();
    return least / served.stream().mapToLong(Long::longValue).average().orElseThrow();
  }

  /**
   * Jain's fairness index, the square of the sum divided by the number times the sum of the squares
   * (R. Jain, D. Chiu, W. Hawe, "A Quantitative Measure of Fairness and Discrimination for Resource
   * Allocation in Shared Computer Systems", DEC-TR-301, 1984).
   *
   * @param served how many arrays each connection had, at least one of them any
   * @return 1/n if one of n had all, to 1 if all had the same; k/n if k had the same and the others
   *     nothing
   */
  static double jainIndex(List<Long> served) {
    double sum = 0;
    double squares = 0;
    for (long each : served) {
      sum += each;
      squares += (double) each * each;
    }
    return sum * sum / (served.size() * squares);
  }
}
