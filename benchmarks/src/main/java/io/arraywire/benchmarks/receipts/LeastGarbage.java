package io.arraywire.benchmarks.receipts;

import io.arraywire.benchmarks.HeapAllocations;
import java.util.Locale;

/** What work costs the collector, in the round that made least. */
final class LeastGarbage {
  private LeastGarbage() {}

  /** Something to be measured. */
  @FunctionalInterface
  interface Work {
    void run() throws Exception;
  }

  /**
   * Prints a line with the name and the bytes per run. Rounds are made until one is free of what
   * only the JVM makes, to begin with its compilers.
   *
   * @param runs in each round
   * @param rounds at most
   */
  static void report(String name, int runs, int rounds, Work work) throws Exception {
    long least = Long.MAX_VALUE;
    for (int round = 0; round < rounds && least >= runs / 2; round++) {
      long before = HeapAllocations.bytes();
      for (int i = 0; i < runs; i++) {
        work.run();
      }
      least = Math.min(least, HeapAllocations.bytes() - before);
    }
    System.out.printf(Locale.ROOT, "%s %.1f%n", name, (double) least / runs);
  }
}
