package io.arraywire.nio;

import java.util.concurrent.TimeUnit;

/**
 * How long the handlers that an event loop's thread calls may have kept it from its connections. It
 * is a part of the time, and some at once. Of one thread at a time.
 */
final class StallBudget {
  /** One of so many parts of the time. */
  static final long PART = 50;

  /** How much at once. */
  static final long MOST = TimeUnit.MILLISECONDS.toNanos(20);

  private final long most;
  private final long part;
  private long debt;
  private long at = System.nanoTime();

  StallBudget(long most, long part) {
    this.most = most;
    this.part = part;
  }

  /** The usual one. */
  static StallBudget usual() {
    return new StallBudget(MOST, PART);
  }

  /** Whether there is something left, at a time by {@link System#nanoTime()}. */
  boolean isLeft(long now) {
    return debt == 0 || settled(now) <= most;
  }

  /** So much of it is used. */
  void uses(long nanos, long now) {
    debt = settled(now) + nanos;
  }

  private long settled(long now) {
    long back = (now - at) / part;
    debt = Math.max(0, debt - back);
    // The rest counts the next time.
    at = debt == 0 ? now : at + back * part;
    return debt;
  }
}
