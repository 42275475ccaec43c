package io.arraywire;

/**
 * What a publisher does with an array for which the queue of one subscriber has no room. What the
 * subscriber lost it sees in {@link ArrayHeader#dropped()} of its next array.
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
   * at the subscriber once it has taken what has come; what is queued is dropped, and counted in
   * the {@link PublishReceipt} and in the exception's message. The connection lives on.
   */
  DISCONNECT
}
