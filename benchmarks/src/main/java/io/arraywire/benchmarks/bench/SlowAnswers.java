package io.arraywire.benchmarks.bench;

import java.time.Duration;

/**
 * Requests of which some are answered late, as if their handler waited for something else.
 *
 * @param requests how many the clients make, all together
 * @param every one in so many is slow; 0 if none is
 * @param delay how long a slow one takes
 */
record SlowAnswers(int requests, int every, Duration delay) {
  /** For workloads without slow answers, whose number of requests nobody knows beforehand. */
  static final SlowAnswers NONE = new SlowAnswers(0, 0, Duration.ZERO);

  /** Whether the request of that number is slow. Requests have their numbers in turn. */
  boolean isSlow(long number) {
    return every > 0 && number % every == 0;
  }

  String label() {
    return String.format("%,d requests, 1 of %d answered after ", requests, every)
        + delay.toMillis()
        + " ms";
  }
}
