package io.arraywire.engine;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongUnaryOperator;

/**
 * How long to wait before attempts to connect again: twice as long each time up to a limit. The
 * time is random within bounds, so that many sides that lost the same peer do not all come back at
 * once. (Exponential back-off with "equal jitter": M. Brooker, Exponential Backoff And Jitter, AWS
 * Architecture Blog, 2015.) Any thread.
 */
final class ReconnectPauses {
  private static final long FIRST = TimeUnit.MILLISECONDS.toNanos(10);

  /** More than any pause needs that a duration can hold. */
  private static final int MOST_DOUBLINGS = 60;

  private final long longest;
  private final LongUnaryOperator below;

  /**
   * Pauses with jitter.
   *
   * @param longest more than zero
   * @param below draws a number that is not negative and below a bound
   */
  ReconnectPauses(Duration longest, LongUnaryOperator below) {
    this.longest = SystemDeadlines.nanos(longest);
    this.below = below;
  }

  /**
   * The pause before the next attempt.
   *
   * @param failures how many in a row have failed
   * @return nanoseconds; 0 before the first attempt
   */
  long nanos(int failures) {
    if (failures == 0) {
      return 0;
    }
    int doublings = Math.min(failures - 1, MOST_DOUBLINGS);
    long pause = FIRST > longest >> doublings ? longest : FIRST << doublings;
    return pause - pause / 2 + below.applyAsLong(Math.max(1, pause / 2));
  }
}
