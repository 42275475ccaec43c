package io.arraywire.engine;

/**
 * How fast a link takes bytes, measured while it is what holds up the sender. The measurement goes
 * from one moment in which the channel takes no more to another. At both its buffers are full. What
 * is written between them is what the link has taken. Where writes block, such a moment is the
 * beginning of a write that takes long. The writing thread's.
 */
final class LinkRate {
  /** Shorter measurements say more of the scheduler than of the link. */
  static final long LEAST_NANOS = 20_000_000;

  static final long LEAST_BYTES = 256 << 10;

  /** In place of how long ago the channel took no more: it was not seen to. */
  static final long NEVER = -1;

  /** A pause in which a channel's buffers may have become empty. */
  private static final long LONGEST_PAUSE_NANOS = 2_000_000;

  private static final double NANOS = 1e9;

  private long begin;
  private long bytes;
  private long pausedAt;

  LinkRate() {}

  /**
   * Bytes were written.
   *
   * @param count how many
   * @param full whether the channel takes no more
   * @param over whether nothing is left to be written
   * @param now {@link System#nanoTime()} or a clock like it; never 0
   * @return bytes in a second, if that ends a measurement; else 0
   */
  double wrote(long count, boolean full, boolean over, long now) {
    if (pausedAt != 0 && now - pausedAt > LONGEST_PAUSE_NANOS) {
      begin = 0;
    }
    pausedAt = over ? now : 0;
    bytes += count;
    if (!full) {
      return 0;
    }
    if (begin == 0) {
      restart(now);
      return 0;
    }
    long nanos = now - begin;
    if (nanos < LEAST_NANOS || bytes < LEAST_BYTES) {
      return 0;
    }
    double rate = bytes * NANOS / nanos;
    restart(now);
    return rate;
  }

  private void restart(long now) {
    begin = now;
    bytes = 0;
  }
}
