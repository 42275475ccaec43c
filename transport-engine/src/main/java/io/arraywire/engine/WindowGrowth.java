package io.arraywire.engine;

import java.util.concurrent.TimeUnit;

/**
 * What a channel knows of its window, once it was looked at: whether to look again, and whether a
 * larger one helped the last time. Guarded by the connection's lock.
 */
final class WindowGrowth {
  /** How long it holds that the window suffices. */
  private static final long HOLDS_NANOS = TimeUnit.SECONDS.toNanos(1);

  private long next;
  private boolean suffices;

  /** The round trip after which the window grew last; 0 if it has not grown. */
  private long roundTrip;

  /** Whether to look at the window now. */
  boolean looks(long now) {
    return !suffices || now - next >= 0;
  }

  /**
   * Whether a larger window would help. The last one, twice as large as the one before, has brought
   * at least a quarter more in the same time, unless its round trips take that much longer. Then
   * what the peer sends only stands in a queue somewhere.
   */
  boolean helps(long nanos) {
    return roundTrip == 0 || nanos / 8 <= roundTrip / 5;
  }

  /** The window has grown after a round trip, and is looked at again with the next CREDIT. */
  void grew(long nanos) {
    roundTrip = Math.max(1, nanos);
    suffices = false;
  }

  /** The window is large enough: that holds for a while. */
  void suffices(long now) {
    suffices = true;
    next = now + HOLDS_NANOS;
  }
}
