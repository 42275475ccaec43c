package io.arraywire.benchmarks.bench;

/**
 * Tells when a contender is warm: three bursts in a row were no faster than the fastest before
 * them. Two alike are not enough: compilers work for seconds, and the rate rises in steps.
 */
final class Warmth {
  /** Faster is what takes less time by more than that. */
  private static final double FASTER = 0.05;

  private static final int BURSTS_WITHOUT_GAIN = 3;

  private double fastest = Double.POSITIVE_INFINITY;
  private int withoutGain;

  /** Takes the next burst's time of an array. */
  void add(double nanosPerArray) {
    boolean faster = nanosPerArray < fastest * (1 - FASTER);
    withoutGain = faster ? 0 : withoutGain + 1;
    if (faster) {
      // What is faster by less stays measured against the same: small gains add up.
      fastest = nanosPerArray;
    }
  }

  boolean isWarm() {
    return withoutGain >= BURSTS_WITHOUT_GAIN;
  }
}
