package io.arraywire.engine;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.arraywire.ArraywireException;
import io.arraywire.ConnectionLostException;
import io.arraywire.ErrorCode;
import io.arraywire.LagPolicy;
import io.arraywire.ProtocolException;
import io.arraywire.SendOptions;
import io.arraywire.frame.FrameType;
import io.arraywire.spi.Codec;
import io.arraywire.wire.ArrayEnvelope;
import io.arraywire.wire.FaultBody;
import io.arraywire.wire.SubscribeBody;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The subscriptions of the peer, to which this side publishes.
 *
 * <p>One is over when both sides have said so: the peer with UNSUBSCRIBE, this side with
 * UNSUBSCRIBED, in either order. Then its number is free again.
 */
final class SubscriptionsTaken {
  private final PeerScope connection;
  private final EngineContext context;
  private final ReentrantLock lock;
  private final Outbound outbound;

  // By the number that headers carry.
  @GuardedBy("lock")
  private final Map<Integer, Subscriber> taken = new HashMap<>(2);

  @GuardedBy("lock")
  private boolean ended;

  SubscriptionsTaken(PeerScope connection, Outbound outbound) {
    this.connection = connection;
    context = connection.context();
    lock = connection.lock();
    this.outbound = outbound;
  }

  PeerScope connection() {
    return connection;
  }

  // What the peer says, on the reading thread.

  void subscribed(int channel, byte[] bytes) throws ProtocolException {
    SubscribeBody body = SubscribeBody.read(bytes);
    if (!ChannelId.isSubscription(channel)) {
      throw new ProtocolException(
          ErrorCode.PROTOCOL_VIOLATION,
          "a subscription has the number of a channel",
          "channel",
          channel);
    }
    Subscribers all = connection.subscribers();
    Subscriber subscriber;
    ArraywireException refusal = null;
    ArraywireException denial =
        Permissions.subscribing(connection.agreement().identity(), body.subject());
    ArraywireException denied = null;
    lock.lock();
    try {
      if (taken.containsKey(channel)) {
        throw new ProtocolException(
            ErrorCode.PROTOCOL_VIOLATION,
            "a new subscription has the number of an open one",
            "channel",
            ChannelId.fact(channel));
      }
      OutboundChannel out = connection.channels().get(channel).out;
      if (out.last != null) {
        throw new ProtocolException(
            ErrorCode.PROTOCOL_VIOLATION,
            "a subscription has the number of one that is not over",
            "channel",
            ChannelId.fact(channel));
      }
      subscriber = new Subscriber(this, out, body.subject(), body.policy());
      taken.put(channel, subscriber);
      out.queueLimit = Math.min(body.queueBytes(), context.options().sendQueueBytes());
      if (ended || connection.refusesArrays()) {
        refusal = Failures.closedHere(connection.remoteAddress());
      } else if (denial != null) {
        refusal = Permissions.told(body.subject());
        denied = denial;
      } else if (all != null && !all.add(subscriber)) {
        refusal = Subscribers.closedByListener();
      } else {
        // Not before it is added, or the peer would believe that it misses nothing. What is
        // published now waits for the lock, and comes behind this.
        connection.queueControl(ControlFrames.of(FrameType.SUBSCRIBED, channel));
      }
      subscriber.over = refusal != null;
    } finally {
      lock.unlock();
    }
    if (refusal != null) {
      connection.useless(FrameType.SUBSCRIBE, EffectlessFrames.SUBSCRIPTION);
      say(subscriber, refusal);
      if (denied != null) {
        Log.denied(connection.remoteAddress(), denied);
        connection.events().denied(denied);
      }
    }
  }

  void unsubscribed(int channel) throws ProtocolException {
    Subscriber subscriber;
    boolean first;
    lock.lock();
    try {
      subscriber = taken.get(channel);
      if (subscriber == null) {
        throw new ProtocolException(
            ErrorCode.PROTOCOL_VIOLATION,
            "the end of a subscription that does not exist",
            "channel",
            ChannelId.fact(channel));
      }
      first = !subscriber.over;
      if (first && subscriber.published == 0) {
        connection.useless(FrameType.UNSUBSCRIBE, EffectlessFrames.SUBSCRIPTION);
      }
      taken.remove(channel);
      subscriber.channel.queueLimit = Long.MAX_VALUE;
      subscriber.over = true;
    } finally {
      lock.unlock();
    }
    forget(subscriber);
    drop(subscriber);
    if (first) {
      say(subscriber, null);
    }
  }

  /** Under the lock. */
  @SuppressWarnings("GuardedBy") // Callers hold it by its name in the connection.
  boolean hasSubscribers() {
    return !taken.isEmpty();
  }

  // Publishing, by any thread.

  /** Those of this connection that have subscribed to a subject. */
  List<Subscriber> of(String subject) {
    lock.lock();
    try {
      return taken.values().stream()
          .filter(subscriber -> !subscriber.over && subscriber.subject.equals(subject))
          .toList();
    } finally {
      lock.unlock();
    }
  }

  /** An array that this peer cannot be sent. */
  void skip(Subscriber subscriber, Publication publication) {
    lock.lock();
    try {
      if (!isOver(subscriber)) {
        subscriber.published++;
        publication.subscribers++;
        publication.dropped++;
      }
    } finally {
      lock.unlock();
    }
  }

  private boolean isOver(Subscriber subscriber) {
    return subscriber.over || connection.refusesArrays();
  }

  void offer(
      Subscriber subscriber,
      Publication publication,
      SendOptions options,
      Codec codec,
      SharedMemory copy)
      throws ArraywireException {
    boolean first = true;
    while (true) {
      OutboundArray oldest = null;
      boolean lags = false;
      lock.lock();
      try {
        if (isOver(subscriber)) {
          if (!first) {
            publication.subscribers--;
          }
          return;
        }
        if (first) {
          publication.subscribers++;
          first = false;
        }
        OutboundChannel channel = subscriber.channel;
        OutboundArray transfer =
            connection
                .sender()
                .array(
                    channel,
                    publication.source,
                    codec,
                    options,
                    ArrayEnvelope.publication(options.attributes(), subscriber.published + 1));
        transfer.published = true;
        boolean room =
            outbound.queue.hasRoom(channel, transfer.queueBytes())
                && outbound.queue.hasRoomForPublished(transfer.queueBytes());
        if (!room && subscriber.policy == LagPolicy.DROP_OLDEST) {
          oldest = channel.oldestPublished();
          // Beside one that is being sent there is always room for the newest.
          room = oldest == null;
        }
        if (room && outbound.queue.takesShare(transfer, false)) {
          subscriber.published++;
          publication.queued++;
          transfer.lend(copy.share(codec));
          outbound.queue.queue(transfer);
          outbound.watch();
        } else if (room && subscriber.policy != LagPolicy.BLOCK) {
          // Others hold the budget of all connections, which is not this subscriber's fault.
          subscriber.published++;
          publication.dropped++;
          return;
        } else {
          switch (subscriber.policy) {
            case BLOCK -> {
              subscriber.published++;
              transfer.lend(copy.share(codec));
              CompletableFuture<Void> accepted = new CompletableFuture<>();
              transfer.accepted = accepted;
              outbound.acceptInTurn(transfer);
              publication.waits(connection, transfer, accepted);
              return;
            }
            case DROP_NEWEST -> {
              subscriber.published++;
              publication.dropped++;
              return;
            }
            case DROP_OLDEST -> {}
            case DISCONNECT -> lags = true;
          }
        }
      } finally {
        lock.unlock();
      }
      if (lags) {
        publication.disconnected++;
        publication.dropped += disconnect(subscriber);
        return;
      }
      if (oldest == null) {
        connection.wakeWriter();
        return;
      }
      // Not under the lock: the writing thread takes that within the transfer's monitor.
      if (connection.sender().withdrawUnlessBegun(oldest)) {
        publication.dropped++;
      }
    }
  }

  /**
   * Ends the subscription of a peer that takes too little, and tells it what it lost by that.
   * Returns how many arrays were queued for it and will not arrive.
   */
  private int disconnect(Subscriber subscriber) {
    long queued;
    lock.lock();
    try {
      queued = subscriber.channel.queuedBytes;
    } finally {
      lock.unlock();
    }
    if (!ends(subscriber)) {
      return 0;
    }
    int dropped = drop(subscriber);
    say(
        subscriber,
        new ConnectionLostException(
            ErrorCode.SLOW_SUBSCRIBER,
            "the subscriber took too little, and its subscription was ended",
            "subject",
            subscriber.subject,
            "policy",
            subscriber.policy,
            // The one that found no room is missing, too.
            "dropped",
            dropped + 1,
            "queuedBytes",
            queued,
            "queueBytes",
            subscriber.channel.queueLimit));
    return dropped;
  }

  // The end.

  /** Ends a subscription of the peer, at once or when what is queued is sent. */
  void end(Subscriber subscriber, ArraywireException cause, boolean now) {
    if (ends(subscriber)) {
      if (now) {
        var unused = drop(subscriber);
      }
      say(subscriber, cause);
    }
  }

  /** Nothing more is published for a subscriber; returns false if that was so before. */
  private boolean ends(Subscriber subscriber) {
    lock.lock();
    try {
      if (subscriber.over) {
        return false;
      }
      subscriber.over = true;
    } finally {
      lock.unlock();
    }
    forget(subscriber);
    return true;
  }

  private void forget(Subscriber subscriber) {
    Subscribers all = connection.subscribers();
    if (all != null) {
      all.remove(subscriber);
    }
  }

  /** Tells the peer, behind what is being sent to it. */
  private void say(Subscriber subscriber, @Nullable ArraywireException cause) {
    byte[] body = cause == null ? new byte[0] : FaultBody.write(cause);
    boolean bearable;
    lock.lock();
    try {
      bearable =
          outbound.queue.queueBehind(
              subscriber.channel,
              ControlFrames.of(FrameType.UNSUBSCRIBED, subscriber.channel.id, body));
    } finally {
      lock.unlock();
    }
    if (bearable) {
      connection.wakeWriter();
    } else {
      connection.failLater(Failures.doesNotReadControl(connection.remoteAddress()));
    }
  }

  /**
   * Takes back everything that is published for a peer and not being sent. Returns how many arrays
   * that were.
   */
  private int drop(Subscriber subscriber) {
    List<OutboundArray> queued;
    lock.lock();
    try {
      queued = subscriber.channel.published();
    } finally {
      lock.unlock();
    }
    int dropped = 0;
    // The last one first: the writing thread goes on meanwhile, and must leave no gap.
    for (int i = queued.size() - 1; i >= 0; i--) {
      OutboundArray transfer = queued.get(i);
      if (SendWait.takeBack(outbound, transfer) != OutboundArray.Progress.FRAMED) {
        dropped++;
      }
      // Its ABORT may wait for the peer to read.
      transfer.releaseCopy();
      transfer.done.completeExceptionally(Failures.closedHere(connection.remoteAddress()));
    }
    return dropped;
  }

  /** Nothing more will go. */
  void end() {
    List<Subscriber> all;
    lock.lock();
    try {
      ended = true;
      all = List.copyOf(taken.values());
      all.forEach(subscriber -> subscriber.over = true);
    } finally {
      lock.unlock();
    }
    for (Subscriber subscriber : all) {
      forget(subscriber);
      var unused = drop(subscriber);
    }
  }
}
