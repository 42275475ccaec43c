package io.arraywire.engine;

/**
 * What was seen of a channel on which something waits, by what looks after it from time to time.
 * Guarded by the connection's lock.
 */
final class SendSeen {
  /** The most doublings of the time between two warnings. */
  private static final int MOST_SAID = 20;

  /** A number that changes whenever something moves. */
  long progress;

  /** For how many looks nothing has moved. */
  long stillLooks;

  /** How often it was said that nothing moves. */
  private int stallsSaid;

  /** Something has moved. */
  void movesOn(long now) {
    progress = now;
    stillLooks = 0;
  }

  /** Whether nothing has moved for so long that it is to be said; it is, then. */
  boolean isToBeSaid(long looks) {
    if (stillLooks < looks << stallsSaid) {
      return false;
    }
    stallsSaid = Math.min(stallsSaid + 1, MOST_SAID);
    return true;
  }
}
