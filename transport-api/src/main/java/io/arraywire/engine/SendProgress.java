package io.arraywire.engine;

import java.time.Duration;

/**
 * How a thread that waits for an array finds out that the array stands still: it wakes up several
 * times within the limit and looks whether anything has moved. Progress starts the time anew, so a
 * transfer that moves, however slowly, goes on; a stall is noticed after 1 to 1.25 times the limit.
 */
final class SendProgress {
  /** So many times in a row nothing has moved, and the limit is over. */
  static final int SLICES = 4;

  private SendProgress() {}

  /** How long to wait before each look. */
  static long sliceNanos(Duration limit) {
    return Math.max(1, SystemDeadlines.nanos(limit) / SLICES);
  }
}
