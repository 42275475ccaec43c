package io.arraywire.nio;

import java.io.IOException;

/**
 * Polls for as long as is likely to pay. Two processes that talk to each other are in one of two
 * modes. In the first each polls long enough to see what the other sends, and so answers soon. In
 * the second each has gone to sleep by then, takes some tens of microseconds to wake up, and finds
 * the other asleep. So the time to poll is not fixed: what came a little too late makes it longer,
 * what came much too late makes it shorter.
 */
final class AdaptiveWait implements WaitStrategy {
  /** Less than one wake-up costs: what is polled in vain at the least. */
  private static final long LEAST = 50_000;

  /** How long it keeps the processor to itself. */
  private static final long SOLE = 10_000;

  /** How much shorter it gets by what comes in time, so that it gets there at all. */
  private static final int DECAY_SHIFT = 8;

  private final long longest;
  private final long least;
  private final CrowdedProcessors crowded;

  /** Written by the thread that runs the loop, read by threads that would like to. */
  private volatile long bound;

  AdaptiveWait(long longest) {
    this(longest, new CrowdedProcessors(System::nanoTime));
  }

  AdaptiveWait(long longest, CrowdedProcessors crowded) {
    this.longest = longest;
    this.crowded = crowded;
    least = Math.min(LEAST, longest);
    bound = longest;
  }

  @Override
  public void await(Waitable loop, boolean expecting) throws IOException {
    if (loop.poll()) {
      return;
    }
    if (expecting) {
      long start = System.nanoTime();
      for (long waited = 0; waited < helpNanos(); waited = System.nanoTime() - start) {
        pause(waited, this);
        if (loop.poll()) {
          return;
        }
      }
    }
    loop.sleep();
  }

  /**
   * Passes the time between two looks. After a while in a way that lets another thread have the
   * processor: perhaps it is what this one waits for.
   */
  static void pause(long waitedNanos, WaitStrategy strategy) {
    if (waitedNanos < SOLE) {
      Thread.onSpinWait();
    } else {
      giveWay(strategy);
    }
  }

  /** Lets others have the processor, and tells how long they had it. */
  static void giveWay(WaitStrategy strategy) {
    long before = System.nanoTime();
    giveWay();
    strategy.gaveWay(System.nanoTime() - before);
  }

  @SuppressWarnings(
      "ThreadPriorityCheck") // A hint is enough: the waiting thread sees it in the end.
  static void giveWay() {
    Thread.yield();
  }

  @Override
  public long helpNanos() {
    return crowded.areCrowded() ? 0 : bound;
  }

  @Override
  public void gaveWay(long nanos) {
    crowded.gaveWay(nanos);
  }

  @Override
  public void moved(long gapNanos) {
    long now = bound;
    long wanted = gapNanos > longest ? now / 2 : Math.max(now - (now >> DECAY_SHIFT), 2 * gapNanos);
    long next = Math.max(least, Math.min(longest, wanted));
    if (next != now) {
      bound = next;
    }
  }
}
