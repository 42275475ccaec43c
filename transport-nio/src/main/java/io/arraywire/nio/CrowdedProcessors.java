package io.arraywire.nio;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Notices that other threads want the processors. A thread that polls and yields is then away for a
 * time slice, some milliseconds on Linux, again and again. A thread that sleeps instead has used
 * less than its share and gets a processor as soon as it is woken. One long time alone says
 * nothing: an interrupt, or a hypervisor, takes a processor away now and then.
 */
final class CrowdedProcessors {
  /** Two threads that exchange arrays keep a processor for less than this between two polls. */
  private static final long LONG = TimeUnit.MILLISECONDS.toNanos(1);

  /** So many long times make a crowd. */
  private static final int MANY = 3;

  /**
   * If they come within this time of the first, without themselves. Where many threads want the
   * processors, each of them is that long.
   */
  private static final long TOGETHER = TimeUnit.MILLISECONDS.toNanos(30);

  /**
   * For how long it is taken to stay so, the first time. A hypervisor, a compiler or a collector
   * may soon be done, and a thread that sleeps takes four times as long for each small array.
   */
  private static final long SHORTEST = TimeUnit.MILLISECONDS.toNanos(10);

  /** For how long at most, if it is found to be so again and again, twice as long each time. */
  private static final long LONGEST = TimeUnit.MILLISECONDS.toNanos(800);

  private final LongSupplier nanoTime;

  // For the thread that runs the loop.
  private long first;
  private long away;
  private int count;
  private long until;
  private long stays;

  /** Read, and given up, by others, too. */
  private volatile boolean crowded;

  CrowdedProcessors(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** A thread has let others have its processor and has had to wait for so long. */
  void gaveWay(long nanos) {
    if (nanos < LONG) {
      return;
    }
    long now = nanoTime.getAsLong();
    away += nanos;
    if (count == 0 || now - first - away > TOGETHER) {
      first = now - nanos;
      away = nanos;
      count = 0;
    }
    count++;
    if (count >= MANY) {
      count = 0;
      boolean again = stays > 0 && now - until - away <= 2 * TOGETHER;
      stays = again ? Math.min(2 * stays, LONGEST) : SHORTEST;
      until = now + stays;
      crowded = true;
    }
  }

  /** Whether it is so now, as far as is known. */
  boolean areCrowded() {
    if (crowded && nanoTime.getAsLong() - until >= 0) {
      crowded = false;
    }
    return crowded;
  }
}
