package io.arraywire;

/**
 * What a publisher does with an array for which the queue of one subscriber has no room. {@link
 * ArrayHeader#dropped()} of the next array tells the subscriber how many it missed.
 */
public enum LagPolicy {
  /**
   * The publisher waits for room, for at most its {@link TransportOptions#sendTimeout()}; then this
   * subscriber goes without the array. Others have theirs before.
   */
  BLOCK,
  /** The oldest arrays in the queue of which no byte has left make room for the new one. */
  DROP_OLDEST,
  /** This subscriber goes without the new array. */
  DROP_NEWEST,
  /**
   * The subscription ends, with {@link ConnectionLostException} ({@link ErrorCode#SLOW_SUBSCRIBER})
   * at the subscriber once it has taken what has come. What is queued is dropped, and counted in
   * the {@link PublishReceipt} and in the exception's message. The connection lives on.
   */
  DISCONNECT
}
