package io.arraywire.client;

/**
 * How often something has failed in a row, and how long ago it was good: what the pause before the
 * next attempt depends on. Guarded by its owner's lock.
 */
final class Outage {
  private final BackOff backOff;
  private final ClientRuntime runtime;
  private int failures;
  private boolean everGood;
  private long lastGood;

  Outage(BackOff backOff, ClientRuntime runtime) {
    this.backOff = backOff;
    this.runtime = runtime;
  }

  void failed() {
    failures++;
  }

  /** It is good now; the failures before count until {@link #end}. */
  void good() {
    everGood = true;
    lastGood = runtime.nanoTime();
  }

  /** It was good until now: the next failure is the first one. */
  void end() {
    good();
    failures = 0;
  }

  boolean wasEverGood() {
    return everGood;
  }

  int failures() {
    return failures;
  }

  /**
   * The pause before the next attempt.
   *
   * @param lasts whether there is an outage; else the pause is that of the first moment of one
   * @return nanoseconds
   */
  long pause(boolean lasts) {
    long time = !lasts ? 0 : everGood ? runtime.nanoTime() - lastGood : BackOff.NEVER_GOOD;
    return backOff.pause(Math.max(1, failures), time, runtime);
  }
}
