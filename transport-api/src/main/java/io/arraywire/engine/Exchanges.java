package io.arraywire.engine;

import io.arraywire.Agreement;
import io.arraywire.ArraywireException;
import io.arraywire.ProtocolException;
import io.arraywire.UnexpectedFrameException;
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

  // Each once there was one. Guarded by the connection's lock.
  private @Nullable Requests requests;
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
  long requestNumber(OutboundArray array) {
    return requests == null ? 0 : requests.made.numberOf(array);
  }

  /** What the arrays of subscriptions go to. Under the lock. */
  List<Inbox> inboxes() {
    return subscriptions == null ? List.of() : subscriptions.made.inboxes();
  }

  /** Whether the peer has subscribed to something. Under the lock. */
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
   * @param agreed what both sides agreed on
   * @return how many arrays of its subscription are missing before it
   */
  long check(@Nullable Agreement agreed, ArrayEnvelope envelope, long count, int channel)
      throws ProtocolException {
    if (isOfRequest(envelope)) {
      if (agreed == null || !agreed.requests()) {
        throw new UnexpectedFrameException(
            "a request or reply, though requests were not agreed on in the handshake",
            "request",
            envelope.request(),
            "reply",
            envelope.reply());
      }
      requests().check(envelope, count);
    }
    if (envelope.publication() == 0) {
      return 0;
    }
    if (agreed == null || !agreed.subscriptions()) {
      throw new UnexpectedFrameException(
          "a published array, though subscriptions were not agreed on in the handshake",
          "publication",
          envelope.publication());
    }
    return subscriptions().made.arrives(channel, envelope.publication());
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
