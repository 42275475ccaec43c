package io.arraywire.engine;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Knows whether calls of some of the user's code have been short of late. If they have, the thread
 * that reads may make the next one itself. A long call there delays the other connections of that
 * thread. So after each of them twice as many short calls in a row are wanted.
 *
 * <p>Any thread.
 */
final class ShortCalls {
  /** A call that takes longer is worth the wake-up of another thread. */
  static final long SHORT_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

  /** So many short calls in a row are enough at first, and so many at most. */
  static final int FIRST_IN_A_ROW = 32;

  static final int MOST_IN_A_ROW = 1 << 16;

  /**
   * After so many times the calls that were wanted, half of them are enough. So a long call on the
   * thread that reads is one of some hundred, or of more.
   */
  static final int TIMES_TO_FORGET = 4;

  private final EngineRuntime runtime;
  private final int firstInARow;

  /** How many in a row are wanted, above how many there were. */
  private final AtomicLong counts;

  ShortCalls(EngineRuntime runtime) {
    this.runtime = runtime;
    firstInARow = runtime.shortCalls(FIRST_IN_A_ROW);
    counts = new AtomicLong(counts(firstInARow, 0));
  }

  /** Whether the next call is likely to be short, too. */
  boolean areShort() {
    long now = counts.get();
    return inARow(now) >= wanted(now);
  }

  /** The time at which a call begins, for {@link #took}. */
  long now() {
    return runtime.nanoTime();
  }

  /** A call is over that began at a time; returns how long it took. */
  long took(long began) {
    long nanos = runtime.nanoTime() - began;
    boolean isShort = nanos <= SHORT_NANOS;
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
    int inARow = inARow(before);
    if (!isShort) {
      return counts(inARow >= wanted ? Math.min(2 * wanted, MOST_IN_A_ROW) : wanted, 0);
    }
    if (inARow < TIMES_TO_FORGET * wanted) {
      return counts(wanted, inARow + 1);
    }
    int fewer = Math.max(wanted / 2, firstInARow);
    return wanted > firstInARow ? counts(fewer, fewer) : before;
  }

  private static long counts(int wanted, int inARow) {
    return (long) wanted << Integer.SIZE | inARow;
  }

  private static int wanted(long counts) {
    return (int) (counts >>> Integer.SIZE);
  }

  private static int inARow(long counts) {
    return (int) counts;
  }
}
