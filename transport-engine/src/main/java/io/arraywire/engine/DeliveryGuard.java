package io.arraywire.engine;

import io.arraywire.ArraywireException;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the arrays of one channel from being handed out twice, where several connections bring them
 * one after the other. A connection that stands alone has none.
 *
 * <p>Any thread, also with the connection's lock: an implementation calls nothing with a lock of
 * its own that takes another.
 */
interface DeliveryGuard {
  /** What is to be done with an array. */
  enum Verdict {
    /** Hand it out; then {@link #leave}. */
    FRESH,
    /** It was handed out before; then {@link #leave}, and tell the sender what became of it. */
    REPEATED,
    /** Another connection replaces the one that brought it: it comes again. */
    STALE
  }

  /**
   * Waits until the array before is out of hand, and says what to do with this one. The caller has
   * the channel to itself until {@link #leave}, unless the verdict is {@link Verdict#STALE}.
   *
   * @param by the connection that brought the array
   * @param sequence the array's number, 0 if the guard does not count it
   */
  Verdict enter(ConnectionScope by, long sequence);

  /** The array is out of hand. */
  void leave();

  /** An array is being handed out: from now on it was. */
  void handsOut(long sequence);

  /** Whether an array was handed out before. */
  boolean isRepeated(long sequence);

  /** Remembers why an array was refused. */
  void refused(long sequence, ArraywireException refusal);

  /** What the sender of an array that came again is to be told; null if it was processed. */
  @Nullable ArraywireException refusal(long sequence);
}
