package io.arraywire.nio;

import java.io.IOException;
import java.time.Duration;

/**
 * How an event loop waits when it has nothing to do. Waiting decides speed: a thread that sleeps
 * pays some tens of microseconds to wake up, a thread that polls pays with its core.
 *
 * <p>One instance serves one event loop and is called by its thread alone; see {@link
 * NioOptions.Builder#waitStrategy}.
 */
@FunctionalInterface
public interface WaitStrategy {

  /**
   * Waits until there may be something to do.
   *
   * @param loop what can be waited for
   * @param expecting whether something is likely to come soon: the loop has just moved bytes
   * @throws IOException if the selector fails
   */
  void await(Waitable loop, boolean expecting) throws IOException;

  /** An event loop, as one who waits sees it. */
  interface Waitable {
    /**
     * Looks without waiting.
     *
     * @return whether there is something to do
     * @throws IOException if the selector fails
     */
    boolean poll() throws IOException;

    /**
     * Sleeps until there is something to do.
     *
     * @throws IOException if the selector fails
     */
    void sleep() throws IOException;
  }

  /**
   * Sleeps at once: least CPU time, slowest.
   *
   * @return the strategy, which has no state
   */
  static WaitStrategy sleeping() {
    return (loop, expecting) -> {
      if (!loop.poll()) {
        loop.sleep();
      }
    };
  }

  /**
   * Polls for a bounded time while something is expected, then sleeps. An idle loop burns nothing.
   *
   * @param bound the longest time to poll, more than zero
   * @return the strategy, which has no state
   * @throws IllegalArgumentException if the bound is not more than zero
   */
  static WaitStrategy adaptive(Duration bound) {
    long nanos = bound.toNanos();
    if (nanos <= 0) {
      throw new IllegalArgumentException("the bound must be more than zero (bound=" + bound + ")");
    }
    return (loop, expecting) -> {
      if (loop.poll()) {
        return;
      }
      if (expecting) {
        long start = System.nanoTime();
        while (System.nanoTime() - start < nanos) {
          Thread.onSpinWait();
          if (loop.poll()) {
            return;
          }
        }
      }
      loop.sleep();
    };
  }

  /**
   * Never sleeps: fastest, and takes a whole core, idle or not.
   *
   * @return the strategy, which has no state
   */
  static WaitStrategy busy() {
    return (loop, expecting) -> {
      if (!loop.poll()) {
        Thread.onSpinWait();
      }
    };
  }
}
