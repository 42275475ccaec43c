package io.arraywire.engine;

import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.Handlers;
import io.arraywire.wire.FlowOffer;
import org.jspecify.annotations.Nullable;

/** What the receiving half asks of the connection that it is a part of. Any thread. */
interface InboundScope extends ConnectionScope, InboxShare.Owner {
  /** The connection that users meet: handlers are called with it. */
  Connection userConnection();

  /** What the peer was told in the handshake that it may send and use. */
  FlowOffer flow();

  /** Whether arrays of the peer may take their memory before they have come. */
  boolean isPeerTrusted();

  /** Keeps arrays of a channel from being handed out twice; null where they come once. */
  @Nullable DeliveryGuard guard(int channel);

  /** Where requests and replies go. */
  RequestIntake requests();

  /**
   * The handler has had the last array of one channel. After that of the last channel it is told
   * so, and the connection closes. Called without the lock.
   *
   * @param cause what the connection failed with; null if it ended in order
   */
  void handlerOver(Handlers handlers, @Nullable ArraywireException cause);

  // What the peer is told.

  /** Queues a control frame; a peer that does not read them loses the connection. */
  void queueControl(byte[] frame);

  /**
   * Arrays are processed, and are to be acknowledged. Under the lock.
   *
   * @param comesAgain whether the taker of the last of them mostly comes for the next at once
   */
  void processed(OutboundChannel channel, long sequence, boolean comesAgain);

  /**
   * An array that did not wait its turn is processed, and is to be acknowledged. Under the lock.
   * The sender of a reply rarely waits for its acknowledgement, and the requester mostly asks
   * again. So the acknowledgement of a reply rides along with the next request.
   */
  void processedOutOfTurn(OutboundChannel channel, long sequence, boolean isReply);

  /**
   * This side allows the peer to send more, in bytes since the beginning, on a channel and on the
   * connection. Under the lock.
   */
  void grant(OutboundChannel channel, long onChannel, long onConnection);

  /** Tells the sender of an array that it is refused; it has still to be acknowledged. */
  void refuse(OutboundChannel channel, long sequence, long request, ArraywireException refusal);

  /** The same, without a word to observers of this side. */
  void queueRejected(OutboundChannel channel, long sequence, ArraywireException refusal);

  /** An array came that nobody here will take, because this side closes. */
  void notTaken(OutboundChannel channel, long sequence);

  /** What was awaited may have been the last thing before the goodbye. */
  void wakeWriterToSayGoodbye();
}
