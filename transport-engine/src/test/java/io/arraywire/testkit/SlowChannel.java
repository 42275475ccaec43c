package io.arraywire.testkit;

import io.arraywire.frame.FrameLayout;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** What {@link SlowReader} knows of a channel, or of the number of a subscription. */
final class SlowChannel {
  final int id;
  final SlowCredit credit;

  // What comes.

  long nextSequence = 1;
  SlowReader.@Nullable Arriving arriving;

  /** The last sequence that came whole. */
  long lastWhole;

  // What was sent.

  final long sent;
  final ArrayDeque<Long> unacknowledged = new ArrayDeque<>();
  int refusals;

  /** What this side may send, as the peer says. */
  long peersCredit;

  // Subscriptions.

  /** Whether this side's subscription of this number has begun and is not over. */
  boolean subscribed;

  long lastPublication;

  /** Whether the peer has a subscription of this number, and whether that was refused. */
  boolean taken;

  boolean refused;

  SlowChannel(int id, SlowCredit credit, long sent, long peersCredit) {
    this.id = id;
    this.credit = credit;
    this.sent = sent;
    this.peersCredit = peersCredit;
  }

  boolean isSubscription() {
    return id < 0;
  }

  /** As those see it that get arrays. */
  int seen() {
    return isSubscription() ? -1 : id;
  }

  /** Whether a number was agreed. */
  static boolean isAgreed(int id, int channels, int subscriptions) {
    return id < 0 ? (id & ~FrameLayout.SUBSCRIPTION) < subscriptions : id < channels;
  }
}
