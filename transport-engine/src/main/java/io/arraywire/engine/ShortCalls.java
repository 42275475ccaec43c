package io.arraywire.engine;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Knows whether calls of some of the user's code have been short of late. If they have, the thread
 * that reads may make the next one itself. A long call there delays the other connections of that
 * thread. So after each of them twice as many short calls are wanted. A long call elsewhere counts
 * against {@linkplain #LONG_COUNTS some hundred} short ones.
 *
 * <p>A thread that loses its processor makes any call seem long. Where the {@link EngineRuntime}
 * knows that, such a call does not count. On a busy machine one of some thousand calls is like
 * that.
 *
 * <p>Any thread.
 */
final class ShortCalls {
  /** A call that takes longer is worth the wake-up of another thread. */
  static final long SHORT_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

  /** So many short calls are enough at first, and so many at most. */
  static final int FIRST_IN_A_ROW = 32;

  static final int MOST_IN_A_ROW = 1 << 16;

  /**
   * So many short calls are taken back by a long one that delayed no connection. Code that is long
   * more often never has enough of them. One that is so more rarely has them in the end, whatever
   * is wanted.
   */
  static final int LONG_COUNTS = 256;

  /**
   * After so many times the calls that were wanted, half of them are enough. So a long call on the
   * thread that reads is one of some hundred, or of more.
   */
  static final int TIMES_TO_FORGET = 4;

  private final EngineRuntime runtime;
  private final int first;

  /** How many are wanted, above how many there were. */
  private final AtomicLong counts;

  ShortCalls(EngineRuntime runtime) {
    this.runtime = runtime;
    first = runtime.shortCalls(FIRST_IN_A_ROW);
    counts = new AtomicLong(counts(first, 0));
  }

  /** Whether the next call is likely to be short, too. */
  boolean areShort() {
    long now = counts.get();
    return inAll(now) >= wanted(now);
  }

  /** The time at which a call begins, for {@link #took}. */
  long now() {
    return runtime.nanoTime();
  }

  /** A call is over that began at a time; returns how long it took, with a processor. */
  long took(long began) {
    long nanos = runtime.nanoTime() - began;
    boolean isShort = nanos <= SHORT_NANOS;
    if (!isShort) {
      nanos -= Math.min(nanos, Math.max(0, runtime.withoutProcessor()));
      if (nanos <= SHORT_NANOS) {
        return nanos;
      }
    }
    long before;
    long after;
    do {
      before = counts.get();
      after = after(before, isShort);
    } while (before != after && !counts.compareAndSet(before, after));
    return nanos;
  }

  private long after(long before, boolean isShort) {
    int wanted = wanted(before);
    int inAll = inAll(before);
    if (!isShort) {
      return inAll >= wanted
          ? counts(Math.min(2 * wanted, MOST_IN_A_ROW), 0)
          : counts(wanted, Math.max(0, inAll - LONG_COUNTS));
    }
    if (inAll < TIMES_TO_FORGET * wanted) {
      return counts(wanted, inAll + 1);
    }
    int fewer = Math.max(wanted / 2, first);
    return wanted > first ? counts(fewer, fewer) : before;
  }

  private static long counts(int wanted, int inAll) {
    return (long) wanted << Integer.SIZE | inAll;
  }

  private static int wanted(long counts) {
    return (int) (counts >>> Integer.SIZE);
  }

  private static int inAll(long counts) {
    return (int) counts;
  }
}
