package io.arraywire.engine;

import io.arraywire.ArrayTooLargeException;
import io.arraywire.ArraywireException;
import io.arraywire.Channel;
import io.arraywire.Connection;
import io.arraywire.NoRoomException;
import io.arraywire.OfferStatus;
import io.arraywire.Receipt;
import io.arraywire.ReceivedArray;
import io.arraywire.RequestOptions;
import io.arraywire.SendOptions;
import io.arraywire.source.ArraySource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** This end of a channel. */
final class ChannelEnd extends ReceivingEnd implements Channel {
  private final ChannelScope connection;
  final OutboundChannel out;
  final InboundChannel in;

  ChannelEnd(ChannelScope connection, OutboundChannel out, Inbox inbox) {
    super(inbox);
    this.connection = connection;
    this.out = out;
    in = new InboundChannel(out.id, inbox);
  }

  /** The connection has come to rest: gives back what only a busy one needs. Under the lock. */
  void trim() {
    inbox.trim();
    out.trim();
  }

  @Override
  public int id() {
    return out.id;
  }

  @Override
  public Connection connection() {
    return connection.ownConnection();
  }

  @Override
  public Receipt send(ArraySource source, SendOptions options)
      throws ArraywireException, InterruptedException {
    return connection.sender().send(out, source, options);
  }

  @Override
  public CompletionStage<Receipt> sendAsync(ArraySource source, SendOptions options) {
    return connection.sender().sendAsync(out, source, options);
  }

  @Override
  public OfferStatus offer(ArraySource source, SendOptions options)
      throws ArrayTooLargeException, NoRoomException {
    return connection.sender().offer(out, source, options);
  }

  @Override
  public CompletableFuture<ReceivedArray> request(ArraySource source, RequestOptions options) {
    return connection.request(out, source, options);
  }

  @Override
  public String toString() {
    return ChannelId.words(out.id) + " of " + connection.ownConnection();
  }
}
