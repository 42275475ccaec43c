package io.arraywire.engine;

import io.arraywire.frame.FrameLayout;

/** The numbers of channels and of subscriptions, told apart as in a frame header. Functions. */
final class ChannelId {
  /** What observers and receivers see instead of the channel of a subscription's arrays. */
  static final int NO_CHANNEL = -1;

  private ChannelId() {}

  static int ofSubscription(int number) {
    return FrameLayout.SUBSCRIPTION | number;
  }

  static boolean isSubscription(int id) {
    return id < 0;
  }

  /** The number without the bit that says what it numbers. */
  static int number(int id) {
    return id & ~FrameLayout.SUBSCRIPTION;
  }

  /** As users see it: the channel's number. */
  static int seen(int id) {
    return isSubscription(id) ? NO_CHANNEL : id;
  }

  /** As the fact of an error that is called {@code channel}. */
  static Object fact(int id) {
    return isSubscription(id) ? words(id) : id;
  }

  static String words(int id) {
    return (isSubscription(id) ? "subscription " : "channel ") + number(id);
  }
}
