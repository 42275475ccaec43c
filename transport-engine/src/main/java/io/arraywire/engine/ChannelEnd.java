package io.arraywire.engine;

import io.arraywire.ArraySlice;
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

  @Override
  public int id() {
    return out.id;
  }

  @Override
  public Connection connection() {
    return connection.ownConnection();
  }

  @Override
  public Receipt send(ArraySlice slice, SendOptions options)
      throws ArraywireException, InterruptedException {
    return connection.sender().send(out, slice, options);
  }

  @Override
  public CompletionStage<Receipt> sendAsync(ArraySlice slice, SendOptions options) {
    return connection.sender().sendAsync(out, slice, options);
  }

  @Override
  public OfferStatus offer(ArraySlice slice, SendOptions options)
      throws ArrayTooLargeException, NoRoomException {
    return connection.sender().offer(out, slice, options);
  }

  @Override
  public CompletableFuture<ReceivedArray> request(ArraySlice slice, RequestOptions options) {
    return connection.request(out, slice, options);
  }

  @Override
  public String toString() {
    return ChannelId.words(out.id) + " of " + connection.ownConnection();
  }
}
