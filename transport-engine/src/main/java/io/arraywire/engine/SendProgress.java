package io.arraywire.engine;

import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;

/**
 * How long nothing has moved of an array that has begun to leave, for the thread that waits for it.
 * What is planned of it counts, what the peer allows, and, while the channel takes too little, each
 * byte that is written.
 */
final class SendProgress {
  /** So many looks within the limit find out whether bytes are written. */
  private static final int SLICES = 4;

  private final Outbound outbound;
  private final OutboundArray array;
  private final long limit;

  private int written;
  private long writtenAt;

  SendProgress(Outbound outbound, OutboundArray array, Duration limit) {
    this.outbound = outbound;
    this.array = array;
    this.limit = SystemDeadlines.nanos(limit);
    writtenAt = outbound.scope.context().runtime().nanoTime();
    ReentrantLock lock = outbound.scope.lock();
    lock.lock();
    try {
      written = outbound.movedBytes();
    } finally {
      lock.unlock();
    }
  }

  boolean isOf(OutboundArray other) {
    return array.equals(other);
  }

  /** How long to wait between two looks. */
  static long nanosOfLook(long limit) {
    return limit / SLICES + 1;
  }

  /** How long to wait before the next look; not positive if nothing has moved for the limit. */
  long nanosToLook() {
    long now = outbound.scope.context().runtime().nanoTime();
    ReentrantLock lock = outbound.scope.lock();
    lock.lock();
    try {
      if (outbound.isStuck() && written != outbound.movedBytes()) {
        written = outbound.movedBytes();
        writtenAt = now;
      }
      // Overflow is a matter of differences.
      long still = Math.min(now - writtenAt, now - array.movedAt);
      return Math.min(nanosOfLook(limit), limit - still);
    } finally {
      lock.unlock();
    }
  }
}
