package io.arraywire.engine;

import java.util.concurrent.TimeUnit;

/**
 * Finds out how much a peer sends on a channel within a round trip. This side asks for a PONG, and
 * counts what comes until it is there. A peer that sends a whole window in that time waits for
 * credit, however fast the channel is taken from. (gRPC sizes its windows in this way; see also
 * dynamic right-sizing of TCP, Fisk and Feng, 2001.) Guarded by the connection's lock.
 */
final class WindowSample {
  /** How long a sample that found the window to be large enough holds. */
  private static final long HOLDS_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** What had come when this side asked; 0 while it waits for no PONG. */
  private int from;

  /** When the next sample may begin, if {@link #limited}. */
  private long next;

  private boolean limited;

  /** Whether a PONG is awaited. */
  boolean isOpen() {
    return from != 0;
  }

  /**
   * Begins a sample, unless one is open or the last one holds.
   *
   * @param received what has come so far
   * @return what the PONG is to bring back; 0 if there is to be none
   */
  int begin(long received, long now) {
    if (isOpen() || (limited && now - next < 0)) {
      return 0;
    }
    from = (int) received | 1;
    return from;
  }

  /**
   * Ends the sample.
   *
   * @param tag what a PONG has brought back
   * @param received what has come so far
   * @return what came within the round trip; -1 if it is not the PONG that was asked for
   */
  long end(int tag, long received) {
    if (!isOpen() || tag != from) {
      return -1;
    }
    long came = ((int) received - (long) from) & 0xffff_ffffL;
    from = 0;
    return came;
  }

  /** The window was large enough: that holds for a while. */
  void holds(long now) {
    limited = true;
    next = now + HOLDS_NANOS;
  }

  /** The window has grown, and is looked at again with the next array. */
  void looksAgain() {
    limited = false;
  }
}
