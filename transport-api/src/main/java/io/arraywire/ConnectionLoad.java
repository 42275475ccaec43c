package io.arraywire;

/**
 * How much waits in a connection at one moment: to be sent, acknowledged, received or answered.
 * Immutable.
 *
 * @param queuedArrays arrays that were accepted and are not yet all in frames
 * @param queuedBytes what was accepted and the kernel has not yet taken, in bytes; each array
 *     counts its elements, its attributes and 256 bytes
 * @param unacknowledgedArrays arrays that were sent whole and wait to be acknowledged
 * @param waitingArrays arrays that have arrived and that no receive call or handler has
 * @param waitingBytes their bytes, counted as above
 * @param openRequests requests made and taken here that are not answered
 */
public record ConnectionLoad(
    long queuedArrays,
    long queuedBytes,
    long unacknowledgedArrays,
    long waitingArrays,
    long waitingBytes,
    long openRequests) {

  /** Nothing waits. */
  public static final ConnectionLoad NONE = new ConnectionLoad(0, 0, 0, 0, 0, 0);

  /**
   * The load of two connections together.
   *
   * @param other the other one's
   * @return the sum
   */
  public ConnectionLoad plus(ConnectionLoad other) {
    return new ConnectionLoad(
        queuedArrays + other.queuedArrays,
        queuedBytes + other.queuedBytes,
        unacknowledgedArrays + other.unacknowledgedArrays,
        waitingArrays + other.waitingArrays,
        waitingBytes + other.waitingBytes,
        openRequests + other.openRequests);
  }
}
