package io.arraywire.engine;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.arraywire.Agreement;
import io.arraywire.ArraywireException;
import io.arraywire.ErrorCode;
import io.arraywire.ProtocolException;
import io.arraywire.wire.ArrayEnvelope;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The requests and the subscriptions of a connection, in both directions. An idle connection that
 * has neither has none of this. Any thread.
 */
final class Exchanges {
  private final PeerScope connection;
  private final Outbound outbound;
  private final ReentrantLock lock;

  // Each once there was one.

  @GuardedBy("lock")
  private @Nullable Requests requests;

  @GuardedBy("lock")
  private @Nullable Subscriptions subscriptions;

  Exchanges(PeerScope connection, Outbound outbound) {
    this.connection = connection;
    this.outbound = outbound;
    lock = connection.lock();
  }

  Requests requests() {
    lock.lock();
    try {
      Requests all = requests;
      if (all == null) {
        all = new Requests(connection, outbound);
        requests = all;
      }
      return all;
    } finally {
      lock.unlock();
    }
  }

  Subscriptions subscriptions() {
    lock.lock();
    try {
      Subscriptions all = subscriptions;
      if (all == null) {
        all = new Subscriptions(connection, outbound);
        subscriptions = all;
      }
      return all;
    } finally {
      lock.unlock();
    }
  }

  /** The number of the request that an array was; 0 if it was none. Under the lock. */
  @SuppressWarnings("GuardedBy") // Callers hold it by its name in the connection.
  long requestNumber(OutboundArray array) {
    return requests == null ? 0 : requests.made.numberOf(array);
  }

  /** What the arrays of subscriptions go to. Under the lock. */
  @SuppressWarnings("GuardedBy") // Callers hold it by its name in the connection.
  List<Inbox> inboxes() {
    return subscriptions == null ? List.of() : subscriptions.made.inboxes();
  }

  /** Whether the peer has subscribed to something. Under the lock. */
  @SuppressWarnings("GuardedBy") // Callers hold it by its name in the connection.
  boolean hasSubscribers() {
    return subscriptions != null && subscriptions.taken.hasSubscribers();
  }

  /** Whether an array belongs to a request or a subscription. */
  static boolean isPartOfOne(ArrayEnvelope envelope) {
    return isOfRequest(envelope) || envelope.publication() != 0;
  }

  private static boolean isOfRequest(ArrayEnvelope envelope) {
    return envelope.request() != 0 || envelope.reply() != 0 || envelope.fault() != null;
  }

  /**
   * Checks what an array says of requests and subscriptions, before there is a place for it.
   *
   * @return how many arrays of its subscription are missing before it
   */
  long check(ArrayEnvelope envelope, long count, int channel) throws ProtocolException {
    boolean published = envelope.publication() != 0;
    boolean several = envelope.sessionSequence() != 0 || (published && isOfRequest(envelope));
    if (several || published != ChannelId.isSubscription(channel)) {
      throw new ProtocolException(
          ErrorCode.PROTOCOL_VIOLATION,
          "an array has attributes that exclude each other, or those of another channel",
          "channel",
          ChannelId.fact(channel),
          "request",
          envelope.request(),
          "reply",
          envelope.reply(),
          "publication",
          envelope.publication(),
          "sessionSequence",
          envelope.sessionSequence());
    }
    if (published) {
      return subscriptions().made.arrives(channel, envelope.publication());
    }
    requests().check(envelope, count);
    return 0;
  }

  /**
   * Fails in plain mode.
   *
   * @throws IllegalStateException because plain mode has no requests and subscriptions
   */
  static void checkFramed(Agreement agreed) {
    if (agreed.plain()) {
      throw new IllegalStateException(
          "there are no requests and no subscriptions in plain mode; have both sides use frames");
    }
  }

  /** Nothing more will come. */
  void end(ArraywireException cause) {
    Requests allRequests;
    Subscriptions allSubscriptions;
    lock.lock();
    try {
      allRequests = requests;
      allSubscriptions = subscriptions;
    } finally {
      lock.unlock();
    }
    if (allRequests != null) {
      allRequests.end(cause);
    }
    if (allSubscriptions != null) {
      allSubscriptions.end(cause);
    }
  }
}
