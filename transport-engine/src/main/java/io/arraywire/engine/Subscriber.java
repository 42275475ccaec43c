package io.arraywire.engine;

import io.arraywire.LagPolicy;

/** A subscription of the peer, as the publisher sees it. */
final class Subscriber {
  final SubscriptionsTaken subscriptions;
  final OutboundChannel channel;
  final String subject;
  final LagPolicy policy;

  /** How many arrays were published for it, dropped ones included. The connection's lock. */
  long published;

  /** Whether nothing more is published for it. The connection's lock. */
  boolean over;

  Subscriber(
      SubscriptionsTaken subscriptions, OutboundChannel channel, String subject, LagPolicy policy) {
    this.subscriptions = subscriptions;
    this.channel = channel;
    this.subject = subject;
    this.policy = policy;
  }
}
