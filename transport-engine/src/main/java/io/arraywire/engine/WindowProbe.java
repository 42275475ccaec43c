package io.arraywire.engine;

import java.util.concurrent.TimeUnit;

/**
 * The round trip in which a connection looks whether the window of one of its channels is too
 * small: from a CREDIT and a PING to the PONG. Everything that the peer had sent when it got both
 * has come by then, so this side knows what the peer had left of the credit before.
 *
 * <p>A connection looks at one channel at a time, since a peer may answer the last of several PINGs
 * only, and not too often, since a peer bears only so many. Guarded by the connection's lock.
 */
final class WindowProbe {
  /** How often, once the first ones are used up. */
  private static final long INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  /** So many may follow each other without a pause: windows grow by doubling. */
  private static final int AT_ONCE = 16;

  /** A PONG that has not come after so long will not come. */
  private static final long LOST_NANOS = TimeUnit.SECONDS.toNanos(10);

  private boolean open;
  private long tag;
  private long received;
  private long allowedBefore;
  private long begun;

  /** When the next one may begin, if they did so evenly; 0 before the first. */
  private long even;

  private boolean any;

  /**
   * Begins a round trip, unless one is under way or there were too many.
   *
   * @param channel whose window it is about
   * @param receivedBytes what has come on the channel since the beginning
   * @param allowedBytes what the peer was allowed to send on it before the CREDIT
   * @return what the PONG is to bring back; 0 if there is to be none
   */
  long begin(int channel, long receivedBytes, long allowedBytes, long now) {
    if (open && now - begun < LOST_NANOS) {
      return 0;
    }
    long from = any && even - now > 0 ? even : now;
    if (from - now > (AT_ONCE - 1) * INTERVAL_NANOS) {
      return 0;
    }
    even = from + INTERVAL_NANOS;
    any = true;
    open = true;
    tag = ((long) channel << Integer.SIZE) | Integer.toUnsignedLong((int) receivedBytes | 1);
    received = receivedBytes;
    allowedBefore = allowedBytes;
    begun = now;
    return tag;
  }

  /** The channel that a PONG was asked for by. */
  static int channelOf(long tag) {
    return (int) (tag >>> Integer.SIZE);
  }

  /** A PONG has come; returns whether it is the one that is awaited. */
  boolean ends(long tagOfPong) {
    boolean awaited = open && tag == tagOfPong;
    open &= !awaited;
    return awaited;
  }

  /** How long the round trip that has ended took. */
  long roundTrip(long now) {
    return now - begun;
  }

  /**
   * Whether the peer waited for the CREDIT, or was about to, and had not stopped long before.
   *
   * @param receivedBytes what has come by now
   * @param part how many bytes are next to nothing
   */
  boolean foundPeerWaiting(long receivedBytes, long part) {
    return receivedBytes - received >= part && receivedBytes >= allowedBefore - part;
  }
}
