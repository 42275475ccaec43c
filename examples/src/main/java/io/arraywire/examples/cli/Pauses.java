package io.arraywire.examples.cli;

import java.time.Duration;

/**
 * Pauses between attempts: each twice as long as the one before, at most a second, until a time
 * limit. For one thread.
 */
final class Pauses {
  private static final long FIRST_MILLIS = 50;
  private static final long LONGEST_MILLIS = 1_000;

  private final long end;
  private long next = FIRST_MILLIS;

  /**
   * The time limit begins now.
   *
   * @param limit how long to try; zero for one attempt
   */
  Pauses(Duration limit) {
    end = System.nanoTime() + limit.toNanos();
  }

  /**
   * Waits before another attempt.
   *
   * @return false, at once, if the time is over
   * @throws InterruptedException if the caller is interrupted
   */
  boolean pause() throws InterruptedException {
    long left = (end - System.nanoTime()) / 1_000_000;
    if (left <= 0) {
      return false;
    }
    Thread.sleep(Math.min(next, left));
    next = Math.min(2 * next, LONGEST_MILLIS);
    return true;
  }
}
