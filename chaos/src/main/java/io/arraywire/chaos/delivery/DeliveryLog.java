package io.arraywire.chaos.delivery;

/**
 * Takes what senders and receivers do: {@link FileDeliveryLog} for processes that may be killed,
 * {@link DeliveryChecker} itself for one process. Implementers write {@link #record}.
 *
 * <p>A sender counts the sends of a stream upwards, from any number on, and logs in this order:
 * {@link #invoke} before it calls the library, then one outcome. A receiver logs each array before
 * it acknowledges it, that is before its handler returns. Any thread may call any method; each
 * stream's deliveries are logged by one thread at a time.
 */
@FunctionalInterface
public interface DeliveryLog {

  /**
   * Takes one event.
   *
   * @param event what happened
   * @param stream where
   * @param sequence the send's number in its stream
   * @param hash the {@link ArrayHash} of the elements for {@link DeliveryEvent#INVOKE} and {@link
   *     DeliveryEvent#DELIVERED}, else 0
   * @throws java.io.UncheckedIOException if it cannot be kept
   */
  void record(DeliveryEvent event, DeliveryStream stream, long sequence, long hash);

  /**
   * A send is about to begin.
   *
   * @param stream where
   * @param sequence its number, higher than those before it in the stream
   * @param hash of the elements
   */
  default void invoke(DeliveryStream stream, long sequence, long hash) {
    record(DeliveryEvent.INVOKE, stream, sequence, hash);
  }

  /**
   * A send ended well: the receiver has processed the array.
   *
   * @param stream where
   * @param sequence its number
   */
  default void ok(DeliveryStream stream, long sequence) {
    record(DeliveryEvent.OK, stream, sequence, 0);
  }

  /**
   * A send failed, and the receiver may have the array all the same.
   *
   * @param stream where
   * @param sequence its number
   */
  default void unknown(DeliveryStream stream, long sequence) {
    record(DeliveryEvent.UNKNOWN, stream, sequence, 0);
  }

  /**
   * A send failed, and the receiver certainly has nothing.
   *
   * @param stream where
   * @param sequence its number
   */
  default void failed(DeliveryStream stream, long sequence) {
    record(DeliveryEvent.FAILED, stream, sequence, 0);
  }

  /**
   * An array has arrived.
   *
   * @param stream where it says that it was sent
   * @param sequence its number
   * @param hash of the elements that arrived
   */
  default void delivered(DeliveryStream stream, long sequence, long hash) {
    record(DeliveryEvent.DELIVERED, stream, sequence, hash);
  }
}
