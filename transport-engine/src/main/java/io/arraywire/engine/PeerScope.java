package io.arraywire.engine;

import io.arraywire.Agreement;
import io.arraywire.ArraywireException;
import io.arraywire.Channel;
import io.arraywire.Connection;
import io.arraywire.Handlers;
import io.arraywire.ProtocolException;
import io.arraywire.frame.FrameType;
import org.jspecify.annotations.Nullable;

/**
 * What requests and subscriptions may ask of the connection that they belong to. Any thread; what
 * is called under the lock says so.
 */
interface PeerScope extends ConnectionScope {
  /** What both sides agreed on. */
  Agreement agreement();

  /** Encodes the arrays that go to the peer. */
  SendCodecs codecs();

  /** Sends arrays. */
  Sender sender();

  /** The channels that were agreed on. */
  Channels channels();

  /** A channel as users meet it. */
  Channel channel(int id);

  /** The connection as users meet it: a session, where this connection carries one. */
  Connection userConnection();

  /** The subscribers at the listener of this connection; null if it has none. */
  @Nullable Subscribers subscribers();

  /** Makes what the arrays of a subscription of this side go to. Under the lock. */
  Inbox subscriptionInbox(OutboundChannel channel, @Nullable Handlers handlers);

  /** A description of the state, for errors. */
  String describe();

  /**
   * Fails if the connection takes no new arrays. Under the lock.
   *
   * @throws ArraywireException the reason
   */
  void checkCanSend() throws ArraywireException;

  /**
   * Fails if the connection has failed. Under the lock.
   *
   * @throws ArraywireException the reason
   */
  void checkNotFailed() throws ArraywireException;

  /** Whether this side takes no new arrays to send. Under the lock. */
  boolean refusesArrays();

  /** Queues a control frame; a peer that does not read them loses the connection. */
  void queueControl(byte[] frame);

  /** Has the writing thread look for output. */
  void wakeWriter();

  /** The same, if this may have been the last thing before the goodbye. */
  void wakeWriterToSayGoodbye();

  /**
   * Counts a frame that had no effect.
   *
   * @throws ProtocolException if the peer sent too many of them
   */
  void useless(FrameType type, float cost) throws ProtocolException;
}
