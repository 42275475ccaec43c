package io.arraywire.engine;

import io.arraywire.ArrayInfo;
import io.arraywire.ArraySlice;
import io.arraywire.ArrayTooLargeException;
import io.arraywire.ArraywireException;
import io.arraywire.Channel;
import io.arraywire.Connection;
import io.arraywire.LeasedArray;
import io.arraywire.NoRoomException;
import io.arraywire.OfferStatus;
import io.arraywire.Receipt;
import io.arraywire.ReceivedArray;
import io.arraywire.RequestOptions;
import io.arraywire.SendOptions;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** This end of a channel. */
final class ChannelEnd implements Channel {
  private final ChannelScope connection;
  final OutboundChannel out;
  final Inbox inbox;
  final InboundChannel in;

  ChannelEnd(ChannelScope connection, OutboundChannel out, Inbox inbox) {
    this.connection = connection;
    this.out = out;
    this.inbox = inbox;
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
  public @Nullable ReceivedArray receive(Duration timeout)
      throws ArraywireException, InterruptedException {
    return (ReceivedArray)
        ReceiveCalls.take(
            inbox.toReceiveFrom(), PendingReceive.Kind.FRESH, SystemDeadlines.nanosOf(timeout));
  }

  @Override
  public boolean receiveInto(ArraySlice target, ArrayInfo info, Duration timeout)
      throws ArraywireException, InterruptedException {
    return ReceiveCalls.takeInto(
        inbox.toReceiveFrom(), target, info, SystemDeadlines.nanosOf(timeout));
  }

  @Override
  public @Nullable LeasedArray receiveLeased(Duration timeout)
      throws ArraywireException, InterruptedException {
    return (LeasedArray)
        ReceiveCalls.take(
            inbox.toReceiveFrom(), PendingReceive.Kind.LEASE, SystemDeadlines.nanosOf(timeout));
  }

  @Override
  public String toString() {
    return ChannelId.words(out.id) + " of " + connection.ownConnection();
  }
}
