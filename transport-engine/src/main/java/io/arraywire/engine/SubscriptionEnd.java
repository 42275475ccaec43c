package io.arraywire.engine;

import io.arraywire.Connection;
import io.arraywire.Subscription;
import java.util.concurrent.CompletableFuture;

/** A subscription of this side. */
final class SubscriptionEnd extends ReceivingEnd implements Subscription {
  private final SubscriptionsMade subscriptions;
  final String subject;
  final ChannelEnd channel;

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
    super(inbox);
    this.subscriptions = subscriptions;
    this.subject = subject;
    this.channel = channel;
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
  public String toString() {
    return "subscription to " + subject + " on " + channel;
  }
}
