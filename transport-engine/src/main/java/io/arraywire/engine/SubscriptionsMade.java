package io.arraywire.engine;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.arraywire.ArraywireException;
import io.arraywire.ConnectionClosedException;
import io.arraywire.ConnectionLostException;
import io.arraywire.ErrorCode;
import io.arraywire.Handlers;
import io.arraywire.NoRoomException;
import io.arraywire.ProtocolException;
import io.arraywire.RemoteErrorException;
import io.arraywire.RemoteRejectedException;
import io.arraywire.SubscribeOptions;
import io.arraywire.TimedOutException;
import io.arraywire.frame.FrameType;
import io.arraywire.wire.FaultBody;
import io.arraywire.wire.SubscribeBody;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The subscriptions that this side made.
 *
 * <p>One is over when both sides have said so: this one with UNSUBSCRIBE, the publisher with
 * UNSUBSCRIBED, in either order. Then its number is free again.
 */
final class SubscriptionsMade {
  private final PeerScope connection;
  private final EngineContext context;
  private final ReentrantLock lock;

  // By the number that headers carry.
  @GuardedBy("lock")
  private final Map<Integer, SubscriptionEnd> made = new HashMap<>(2);

  /** Of those that the publisher has ended, where somebody here is not done with what has come. */
  @GuardedBy("lock")
  private final Set<Inbox> ending = new LinkedHashSet<>(2);

  private @Nullable ArraywireException end;

  /** Completes when another subscription of this side is over; null if nobody waits for that. */
  private @Nullable CompletableFuture<Void> someOver;

  SubscriptionsMade(PeerScope connection) {
    this.connection = connection;
    context = connection.context();
    lock = connection.lock();
  }

  PeerScope connection() {
    return connection;
  }

  // By any thread.

  SubscriptionEnd subscribe(String subject, SubscribeOptions options, @Nullable Handlers handlers)
      throws ArraywireException, InterruptedException {
    LoopTurn.checkMayWait("subscribe");
    byte[] body =
        new SubscribeBody(SubscribeBody.checked(subject), options.policy(), options.queueBytes())
            .write();
    SubscriptionEnd subscription = make(subject, handlers);
    connection.queueControl(ControlFrames.of(FrameType.SUBSCRIBE, subscription.channel.id(), body));
    awaitAnswer(subscription);
    return subscription;
  }

  /** Under the lock. */
  private void checkOpen() throws ArraywireException {
    connection.checkCanSend();
    if (end != null) {
      throw end.forCaller();
    }
  }

  /**
   * Takes a number. If all are taken, waits for one whose subscription was closed here: it is free
   * when the far side has ended the subscription, too.
   */
  private SubscriptionEnd make(String subject, @Nullable Handlers handlers)
      throws ArraywireException, InterruptedException {
    long begin = context.runtime().nanoTime();
    long most = SystemDeadlines.nanos(context.options().requestTimeout());
    while (true) {
      long left = most - (context.runtime().nanoTime() - begin);
      CompletableFuture<Void> over;
      lock.lock();
      try {
        checkOpen();
        Permissions.checkPublishing(
            connection.agreement().identity(), subject, connection.remoteAddress());
        int number = lowestFree();
        if (number < connection.agreement().subscriptions()) {
          ChannelEnd channel = connection.channels().get(ChannelId.ofSubscription(number));
          return makeOn(channel, subject, handlers);
        }
        if (left <= 0 || closing() == 0) {
          throw tooMany();
        }
        over = someOver == null ? new CompletableFuture<>() : someOver;
        someOver = over;
      } finally {
        lock.unlock();
      }
      try {
        context.runtime().await(over, left);
      } catch (ExecutionException e) {
        throw Failures.of(e);
      } catch (TimeoutException e) {
        // Then there is none, unless it came in this very moment.
      }
    }
  }

  @GuardedBy("lock")
  private SubscriptionEnd makeOn(ChannelEnd channel, String subject, @Nullable Handlers handlers) {
    Inbox inbox = connection.subscriptionInbox(channel.out, handlers);
    inbox.keepCreditOf(channel.inbox);
    SubscriptionEnd subscription = new SubscriptionEnd(this, subject, channel, inbox);
    made.put(channel.id(), subscription);
    channel.in.next = inbox;
    return subscription;
  }

  /** How many subscriptions this side has given up and the far side has not. */
  @GuardedBy("lock")
  private long closing() {
    return made.values().stream().filter(subscription -> subscription.unsubscribed).count();
  }

  private void awaitAnswer(SubscriptionEnd subscription)
      throws ArraywireException, InterruptedException {
    Duration timeout = context.options().requestTimeout();
    try {
      context.runtime().await(subscription.answered, SystemDeadlines.nanos(timeout));
    } catch (ExecutionException e) {
      throw Failures.of(e);
    } catch (TimeoutException e) {
      close(subscription);
      throw new TimedOutException(
              ErrorCode.REQUEST_TIMEOUT,
              "the peer did not answer the subscription in time",
              "subject",
              subscription.subject,
              "timeout",
              timeout,
              "peer",
              connection.remoteAddress())
          .describing(connection.describe());
    } catch (InterruptedException e) {
      close(subscription);
      throw e;
    }
  }

  /** The lowest number that no subscription has. */
  @GuardedBy("lock")
  private int lowestFree() {
    int number = 0;
    while (made.containsKey(ChannelId.ofSubscription(number))) {
      number++;
    }
    return number;
  }

  @GuardedBy("lock")
  private NoRoomException tooMany() {
    return new NoRoomException(
        ErrorCode.TOO_MANY_SUBSCRIPTIONS,
        "the connection takes no further subscription; close one, or raise maxSubscriptions on the"
            + " side whose limit it is",
        "subscriptions",
        made.size(),
        "closing",
        closing(),
        "agreed",
        connection.agreement().subscriptions(),
        "maxSubscriptions",
        context.options().maxSubscriptions());
  }

  long dropped(SubscriptionEnd subscription) {
    lock.lock();
    try {
      return subscription.dropped;
    } finally {
      lock.unlock();
    }
  }

  void close(SubscriptionEnd subscription) {
    ConnectionClosedException closed =
        new ConnectionClosedException(
            "the subscription was closed here", "subject", subscription.subject);
    subscription.inbox.closeSubscription(closed);
    subscription.answered.completeExceptionally(closed);
    unsubscribe(subscription);
  }

  private void unsubscribe(SubscriptionEnd subscription) {
    lock.lock();
    try {
      boolean tell = !subscription.unsubscribed && end == null;
      subscription.unsubscribed = true;
      if (tell) {
        // Under the lock, or the number's next subscription might be asked for before.
        connection.queueControl(ControlFrames.of(FrameType.UNSUBSCRIBE, subscription.channel.id()));
      }
    } finally {
      lock.unlock();
    }
  }

  /** The boxes that the arrays of this side's subscriptions go to. Under the lock. */
  @SuppressWarnings("GuardedBy") // Callers hold it by its name in the connection.
  List<Inbox> inboxes() {
    ending.removeIf(Inbox::isSpent);
    List<Inbox> all = new ArrayList<>(made.size() + ending.size());
    made.values().forEach(subscription -> all.add(subscription.inbox));
    all.addAll(ending);
    return all;
  }

  // What the publisher says, on the reading thread.

  @GuardedBy("lock")
  private SubscriptionEnd made(int channel, FrameType type) throws ProtocolException {
    SubscriptionEnd subscription = made.get(channel);
    if (subscription == null) {
      throw new ProtocolException(
          ErrorCode.PROTOCOL_VIOLATION,
          "there is no such subscription of this side",
          "type",
          type,
          "channel",
          ChannelId.fact(channel));
    }
    return subscription;
  }

  void begun(int channel) throws ProtocolException {
    SubscriptionEnd subscription;
    lock.lock();
    try {
      subscription = made(channel, FrameType.SUBSCRIBED);
      if (subscription.answered.isDone()) {
        if (!subscription.unsubscribed) {
          throw new ProtocolException(
              ErrorCode.PROTOCOL_VIOLATION,
              "a subscription was answered twice",
              "channel",
              ChannelId.fact(channel));
        }
        connection.useless(FrameType.SUBSCRIBED, EffectlessFrames.SUBSCRIPTION);
      }
    } finally {
      lock.unlock();
    }
    subscription.answered.complete(null);
  }

  /** The publisher's part is over. */
  void ended(InboundChannel channel, byte[] body) throws ProtocolException {
    SubscriptionEnd subscription;
    if (channel.arriving != null) {
      throw new ProtocolException(
          ErrorCode.PROTOCOL_VIOLATION,
          "the end of a subscription inside an array",
          "channel",
          ChannelId.fact(channel.id));
    }
    ArraywireException cause =
        body.length == 0
            ? new ConnectionClosedException("the subscription is over")
            : cause(FaultBody.read(body));
    lock.lock();
    try {
      subscription = made(channel.id, FrameType.UNSUBSCRIBED);
      if (body.length == 0 && !subscription.unsubscribed) {
        throw new ProtocolException(
            ErrorCode.PROTOCOL_VIOLATION,
            "the peer ended a subscription that is open here, and gave no reason",
            "channel",
            ChannelId.fact(channel.id));
      }
    } finally {
      lock.unlock();
    }
    subscription.inbox.end(cause, !(cause instanceof ConnectionClosedException));
    // Before somebody may take the number again.
    unsubscribe(subscription);
    CompletableFuture<Void> over;
    lock.lock();
    try {
      made.remove(channel.id);
      over = someOver;
      someOver = null;
      ending.removeIf(Inbox::isSpent);
      ending.add(subscription.inbox);
      channel.next = subscription.channel.inbox;
    } finally {
      lock.unlock();
    }
    subscription.answered.completeExceptionally(cause);
    if (over != null) {
      over.complete(null);
    }
  }

  private static ArraywireException cause(RemoteErrorException fault) {
    return switch (fault.code()) {
      case SLOW_SUBSCRIBER ->
          new ConnectionLostException(ErrorCode.SLOW_SUBSCRIBER, fault.reason());
      case TOO_MANY_SUBSCRIPTIONS ->
          new NoRoomException(ErrorCode.TOO_MANY_SUBSCRIPTIONS, fault.reason());
      case CONNECTION_CLOSED -> new ConnectionClosedException(fault.reason());
      case NOT_PERMITTED -> new RemoteRejectedException(ErrorCode.NOT_PERMITTED, fault.reason());
      default ->
          new RemoteRejectedException(
              ErrorCode.REJECTED, "the far side refused the subscription: " + fault.reason());
    };
  }

  /** Checks an array's number, and returns how many are missing before it. */
  long arrives(int channel, long publication) throws ProtocolException {
    lock.lock();
    try {
      SubscriptionEnd subscription = made(channel, FrameType.ARRAY);
      if (publication <= subscription.last) {
        throw new ProtocolException(
            ErrorCode.PROTOCOL_VIOLATION,
            "a published array out of order",
            "channel",
            ChannelId.fact(channel),
            "publication",
            publication,
            "before",
            subscription.last);
      }
      long missing = publication - subscription.last - 1;
      subscription.last = publication;
      subscription.dropped += missing;
      return missing;
    } finally {
      lock.unlock();
    }
  }

  // The end.

  /** Nothing more will come. */
  void end(ArraywireException cause) {
    List<SubscriptionEnd> all;
    CompletableFuture<Void> waiting;
    lock.lock();
    try {
      if (end == null) {
        end = cause;
      }
      all = List.copyOf(made.values());
      waiting = someOver;
      someOver = null;
    } finally {
      lock.unlock();
    }
    for (SubscriptionEnd each : all) {
      each.answered.completeExceptionally(cause);
    }
    if (waiting != null) {
      waiting.completeExceptionally(cause);
    }
  }
}
