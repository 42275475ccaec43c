package io.arraywire.examples.file;

import java.util.function.LongSupplier;

/**
 * How fast a peer sends elements: the time that its last {@value Watchdog#LEAST_BYTES} bytes took,
 * or the next ones have taken already. Unlike the deadlines of a {@link Watchdog} it does not begin
 * again with each array, so arrays that are begun and withdrawn are no progress. One thread moves,
 * any asks.
 */
final class Pace {
  private final LongSupplier nanoTime;

  // Of the thread that moves.
  private long moved;

  private volatile long beganNanos;
  private volatile long lastNanos;

  Pace(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    beganNanos = nanoTime.getAsLong();
  }

  /** Bytes of an array moved. */
  void moved(long bytes) {
    moved += bytes;
    if (moved >= Watchdog.LEAST_BYTES) {
      moved = 0;
      long now = nanoTime.getAsLong();
      lastNanos = now - beganNanos;
      beganNanos = now;
    }
  }

  /** Nanoseconds for {@value Watchdog#LEAST_BYTES} bytes; the age of a peer that sent none. */
  long nanos() {
    return Math.max(lastNanos, nanoTime.getAsLong() - beganNanos);
  }
}
