package io.arraywire.engine;

import io.arraywire.ArrayInfo;
import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.LeasedArray;
import io.arraywire.ReceivedArray;
import io.arraywire.Subscription;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A subscription of this side. */
final class SubscriptionEnd implements Subscription {
  private final SubscriptionsMade subscriptions;
  final String subject;
  final ChannelEnd channel;
  final Inbox inbox;

  /** Completes when the publisher has said what it thinks of it. */
  final CompletableFuture<Void> answered = new CompletableFuture<>();

  // Guarded by the connection's lock.

  /** Whether the publisher was told that this side's part is over. */
  boolean unsubscribed;

  /** The number of the array that came last, and how many are missing before it. */
  long last;

  long dropped;

  SubscriptionEnd(
      SubscriptionsMade subscriptions, String subject, ChannelEnd channel, Inbox inbox) {
    this.subscriptions = subscriptions;
    this.subject = subject;
    this.channel = channel;
    this.inbox = inbox;
  }

  @Override
  public String subject() {
    return subject;
  }

  @Override
  public Connection connection() {
    return subscriptions.connection().userConnection();
  }

  @Override
  public long dropped() {
    return subscriptions.dropped(this);
  }

  @Override
  public boolean isOpen() {
    return !inbox.isEnded();
  }

  @Override
  public void close() {
    subscriptions.close(this);
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
    return "subscription to " + subject + " on " + channel;
  }
}
