package io.arraywire.engine;

import java.time.Duration;

/**
 * Runs something later. The one source of time for the protocol, so that a test can be the clock.
 * Any thread may call it.
 */
@FunctionalInterface
public interface Deadlines {

  /**
   * Runs a task once, after a delay, unless it is cancelled before.
   *
   * @param delay how long to wait
   * @param task what to run; short, never blocks
   * @return cancels the task when run; idempotent
   */
  Runnable after(Duration delay, Runnable task);

  /**
   * Deadlines by the system's monotonic clock, on one daemon thread that all transports share.
   *
   * @return the deadlines
   */
  static Deadlines system() {
    return SystemDeadlines.INSTANCE;
  }
}
