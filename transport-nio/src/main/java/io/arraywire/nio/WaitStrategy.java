package io.arraywire.nio;

import java.io.IOException;
import java.time.Duration;

/**
 * How an event loop waits when it has nothing to do. Waiting decides speed: a thread that sleeps
 * pays some tens of microseconds to wake up, a thread that polls pays with its core.
 *
 * <p>One instance serves one event loop; see {@link NioOptions.Builder#waitStrategy}. The loop's
 * thread alone calls {@link #await}. The thread that runs the loop, its own or a waiting caller,
 * calls {@link #moved} and {@link #gaveWay}, one after the other. Any thread calls {@link
 * #helpNanos} at any time.
 */
@FunctionalInterface
public interface WaitStrategy {

  /**
   * Waits until there may be something to do.
   *
   * @param loop what can be waited for
   * @param expecting whether something is likely to come soon: the loop has just moved bytes of
   *     arrays
   * @throws IOException if the selector fails
   */
  void await(Waitable loop, boolean expecting) throws IOException;

  /**
   * How long a caller that waits for an array or an acknowledgement may poll in the loop's place
   * while nothing moves. Then it sleeps, and the loop's own thread takes over again. A caller that
   * runs the loop itself needs no wake-up, which takes longer than all the rest of a small array.
   *
   * @return nanoseconds; 0, which is the default, if callers sleep at once
   */
  default long helpNanos() {
    return 0;
  }

  /**
   * Bytes of an array or of an answer to one have moved, after a time in which none had. Called
   * very often, by the thread that runs the loop.
   *
   * @param gapNanos how long none had moved, in nanoseconds
   */
  default void moved(long gapNanos) {}

  /**
   * A caller that runs the loop has yielded and runs again. A long pause means that other threads
   * want the processor, so that sleeping would be cheaper than polling. Called very often, but not
   * for yields inside {@link #await}.
   *
   * @param nanos how long the pause was, in nanoseconds
   */
  default void gaveWay(long nanos) {}

  /** An event loop, as a strategy sees it. */
  interface Waitable {
    /**
     * Looks without waiting.
     *
     * @return whether there is something to do
     * @throws IOException if the selector fails
     */
    boolean poll() throws IOException;

    /**
     * Sleeps until there is work. May also return without work.
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
   * Polls for a bounded time while something is expected, then sleeps; so do waiting callers. It
   * learns how long to poll, between 50 microseconds and the bound, from bytes that came a little
   * too late or much too late. If a thread that yields waits long for its processor, other threads
   * want the processors, and nothing is polled for a while. An idle loop uses no CPU time.
   *
   * @param bound the longest time to poll, more than zero
   * @return the strategy, for one loop
   * @throws IllegalArgumentException if the bound is not more than zero
   */
  static WaitStrategy adaptive(Duration bound) {
    long nanos = bound.toNanos();
    if (nanos <= 0) {
      throw new IllegalArgumentException("the bound must be more than zero (bound=" + bound + ")");
    }
    return new AdaptiveWait(nanos);
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
