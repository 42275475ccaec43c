package io.arraywire.engine;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.function.LongSupplier;

/**
 * Lets through so many messages of a kind, and so many more each second, for what a peer may cause
 * as often as it likes. Counts those that it does not let through. Any thread.
 */
final class LogThrottle {
  /** What {@link #before} says of a message that is not to be logged. */
  static final long HELD_BACK = -1;

  private static final double NANOS = 1e9;

  private final int most;
  private final double perSecond;
  private final LongSupplier clock;

  @GuardedBy("this")
  private double left;

  @GuardedBy("this")
  private long then;

  @GuardedBy("this")
  private long heldBack;

  /**
   * Makes one that has let nothing through.
   *
   * @param clock nanoseconds that only grow
   */
  LogThrottle(int most, double perSecond, LongSupplier clock) {
    this.most = most;
    this.perSecond = perSecond;
    this.clock = clock;
    left = most;
    then = clock.getAsLong();
  }

  /** How many were held back before a message that is to be logged, or {@link #HELD_BACK}. */
  synchronized long before() {
    long now = clock.getAsLong();
    left = Math.min(most, left + (now - then) / NANOS * perSecond);
    then = now;
    if (left < 1) {
      heldBack++;
      return HELD_BACK;
    }
    left--;
    long before = heldBack;
    heldBack = 0;
    return before;
  }

  /** Messages were held back elsewhere of which the next one that is logged here is to tell. */
  synchronized void heldBack(long messages) {
    heldBack += messages;
  }
}
