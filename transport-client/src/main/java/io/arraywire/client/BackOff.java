package io.arraywire.client;

/**
 * How long to wait before an address is tried again. It is a random time below a limit that doubles
 * with each failure (exponential back-off with "full jitter": M. Brooker, Exponential Backoff And
 * Jitter, AWS Architecture Blog, 2015).
 *
 * <p>The limit stays low for some time after an address was last good. A server that restarts is
 * back within seconds, and its clients wait for it. Any thread.
 *
 * @param first the limit after the first failure, in nanoseconds
 * @param probe the highest limit while an address was good not long ago
 * @param probeTime how long that is
 * @param longest the highest limit otherwise
 */
record BackOff(long first, long probe, long probeTime, long longest) {
  /** The limit of an address that was never good, as an outage. */
  static final long NEVER_GOOD = Long.MAX_VALUE;

  /** Full jitter may draw nothing, over and over. */
  private static final long LEAST = 1_000_000;

  private static final int MOST_DOUBLINGS = 60;

  /**
   * The next pause.
   *
   * @param failures how many attempts have failed in a row, at least 1
   * @param outage the time since the address was last good, in nanoseconds
   * @param runtime draws the number
   * @return nanoseconds, at least a millisecond
   */
  long pause(int failures, long outage, ClientRuntime runtime) {
    return LEAST + runtime.below(Math.max(1, limit(failures, outage) - LEAST));
  }

  /** What no pause exceeds. */
  long limit(int failures, long outage) {
    long most = outage < probeTime ? Math.min(probe, longest) : longest;
    int doublings = Math.min(Math.max(0, failures - 1), MOST_DOUBLINGS);
    return first > most >> doublings ? most : first << doublings;
  }
}
