package io.arraywire.testkit.simulation;

import io.arraywire.Delivery;
import io.arraywire.chaos.delivery.DeliveryEvent;
import io.arraywire.chaos.delivery.DeliveryStream;
import io.arraywire.message.Message;
import org.jspecify.annotations.Nullable;

/** An array that a user handed in, and what is known of it. */
final class Sent {
  /** How it was handed in. */
  enum How {
    ASYNC,
    OFFER,
    BLOCKING,
    REQUEST
  }

  final long tag;
  final End from;
  final int channel;
  final How how;
  final Delivery delivery;
  final DeliveryStream stream;
  final long sequence;
  final Message message;
  final long at;

  /** What its sender was told, once it was. */
  @Nullable DeliveryEvent outcome;

  boolean delivered;

  /** Whether the handler has returned, or a receive call has it. */
  boolean handled;

  /** Whether the handler that was given it threw. */
  boolean threw;

  Sent(
      long tag,
      End from,
      int channel,
      How how,
      Delivery delivery,
      DeliveryStream stream,
      long sequence,
      Message message,
      long at) {
    this.tag = tag;
    this.from = from;
    this.channel = channel;
    this.how = how;
    this.delivery = delivery;
    this.stream = stream;
    this.sequence = sequence;
    this.message = message;
    this.at = at;
  }

  @Override
  public String toString() {
    return "array "
        + tag
        + " ("
        + how
        + ", "
        + delivery
        + ", "
        + from
        + ", channel="
        + channel
        + ")";
  }
}
