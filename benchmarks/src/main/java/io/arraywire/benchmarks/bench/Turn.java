package io.arraywire.benchmarks.bench;

/**
 * Whether the contender of this process is the one that works now. All are alive all the time. A
 * contender whose threads never sleep must let them sleep while it is not its turn, or it would
 * take the processors from the others.
 */
final class Turn {
  private static volatile boolean ours;

  private Turn() {}

  /** Whether it is; any thread. */
  static boolean isOurs() {
    return ours;
  }

  /** It is from now on. */
  static void begin() {
    ours = true;
  }

  /** It is no longer. */
  static void end() {
    ours = false;
  }
}
