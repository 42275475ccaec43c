package io.arraywire.examples.file;

import java.util.function.LongSupplier;

/**
 * How fast a peer sends elements: the time that its last {@value #LEAST_BYTES} bytes took, or the
 * next ones have taken already. It does not begin again with each array, so arrays that are begun
 * and withdrawn are no progress. Any thread.
 */
final class Pace {
  /** Less is no progress. */
  static final long LEAST_BYTES = 64 << 10;

  private final LongSupplier nanoTime;

  // Guarded by this.
  private long moved;
  private long beganNanos;
  private long lastNanos;

  Pace(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    beganNanos = nanoTime.getAsLong();
  }

  /** Bytes of an array came. */
  synchronized void moved(long bytes) {
    moved += bytes;
    if (moved >= LEAST_BYTES) {
      moved = 0;
      long now = nanoTime.getAsLong();
      lastNanos = now - beganNanos;
      beganNanos = now;
    }
  }

  /** How long the next {@value #LEAST_BYTES} bytes have taken already. */
  synchronized long waitingNanos() {
    return nanoTime.getAsLong() - beganNanos;
  }

  /** Nanoseconds for {@value #LEAST_BYTES} bytes; the age of a peer that sent none. */
  synchronized long nanos() {
    return Math.max(lastNanos, waitingNanos());
  }
}
