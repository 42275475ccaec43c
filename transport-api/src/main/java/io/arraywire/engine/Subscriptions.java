package io.arraywire.engine;

import io.arraywire.Agreement;
import io.arraywire.ArrayHandler;
import io.arraywire.ArraywireException;
import io.arraywire.ConnectionClosedException;
import io.arraywire.Delivery;
import io.arraywire.ErrorCode;
import io.arraywire.LagPolicy;
import io.arraywire.ProtocolException;
import io.arraywire.RemoteErrorException;
import io.arraywire.RemoteRejectedException;
import io.arraywire.RequestTimeoutException;
import io.arraywire.SendOptions;
import io.arraywire.SlowSubscriberException;
import io.arraywire.SubscribeOptions;
import io.arraywire.TooManySubscriptionsException;
import io.arraywire.UnexpectedFrameException;
import io.arraywire.wire.ArrayEnvelope;
import io.arraywire.wire.FaultBody;
import io.arraywire.wire.FrameType;
import io.arraywire.wire.SubscribeBody;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The subscriptions of a connection: those of this side, and those of the peer.
 *
 * <p>Each is over when both sides have said so: the subscriber with UNSUBSCRIBE, the publisher with
 * UNSUBSCRIBED, in either order. Then its channel is free again.
 */
final class Subscriptions {
  private final PeerScope connection;
  private final EngineContext context;
  private final ReentrantLock lock;
  private final Outbound outbound;

  // By channel. Guarded by the lock.
  private final Map<Integer, SubscriptionEnd> made = new HashMap<>(2);
  private final Map<Integer, Subscriber> taken = new HashMap<>(2);

  /** Of those that the publisher has ended, where somebody here is not done with what has come. */
  private final Set<Inbox> ending = new LinkedHashSet<>(2);

  /** The channels that a subscription of this side has had. */
  private final Set<Integer> used = new HashSet<>(2);

  private @Nullable ArraywireException end;

  /** Completes when another subscription of this side is over; null if nobody waits for that. */
  private @Nullable CompletableFuture<Void> someOver;

  Subscriptions(PeerScope connection, Outbound outbound) {
    this.connection = connection;
    context = connection.context();
    lock = connection.lock();
    this.outbound = outbound;
  }

  static void checkAgreed(Agreement agreed) {
    if (!agreed.subscriptions()) {
      throw new IllegalStateException(
          "subscriptions were not agreed with the peer (subscriptions=false, plain="
              + agreed.plain()
              + ", peer="
              + agreed.peer()
              + ")");
    }
  }

  PeerScope connection() {
    return connection;
  }

  /** Has the subscriptions of each connection understand frames. */
  static <C> void register(FrameTable<C> frames, Function<C, Subscriptions> part) {
    frames
        .on(FrameType.SUBSCRIBE, part, (all, header, at, body) -> all.subscribed(at.id, body))
        .on(FrameType.SUBSCRIBED, part, (all, header, at, body) -> all.begun(at.id))
        .on(FrameType.UNSUBSCRIBE, part, (all, header, at, body) -> all.unsubscribed(at.id))
        .on(FrameType.UNSUBSCRIBED, part, (all, header, at, body) -> all.ended(at, body));
  }

  // Those of this side, by any thread.

  SubscriptionEnd subscribe(
      String subject, SubscribeOptions options, @Nullable ArrayHandler handler)
      throws ArraywireException, InterruptedException {
    byte[] body =
        new SubscribeBody(SubscribeBody.checked(subject), options.policy(), options.queueBytes())
            .write();
    SubscriptionEnd subscription = make(subject, handler);
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
   * Takes a channel. Where all are taken, waits until one is free of those whose subscriptions were
   * closed here: they are when the far side has said so, too.
   */
  private SubscriptionEnd make(String subject, @Nullable ArrayHandler handler)
      throws ArraywireException, InterruptedException {
    long begin = context.runtime().nanoTime();
    long most = SystemDeadlines.nanos(context.options().requestTimeout());
    while (true) {
      long left = most - (context.runtime().nanoTime() - begin);
      CompletableFuture<Void> over;
      lock.lock();
      try {
        checkOpen();
        int free = findFreeChannel();
        if (free > 0) {
          return makeOn(connection.channels().checked(free), subject, handler);
        }
        if (left <= 0 || closing() == 0) {
          throw noChannel();
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

  /** Under the lock. */
  private SubscriptionEnd makeOn(
      ChannelEnd channel, String subject, @Nullable ArrayHandler handler) {
    Inbox inbox = connection.subscriptionInbox(channel.out, handler);
    inbox.keepCreditOf(channel.inbox);
    SubscriptionEnd subscription = new SubscriptionEnd(this, subject, channel, inbox);
    made.put(channel.id(), subscription);
    used.add(channel.id());
    channel.in.next = inbox;
    return subscription;
  }

  /** Of how many this side's part is over, and not the far side's. Under the lock. */
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
      throw new RequestTimeoutException(
              "the subscription was not answered in time",
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

  /** One that subscriptions have had, or nobody; 0 if there is none. Under the lock. */
  private int findFreeChannel() {
    for (int id = connection.agreement().channels() - 1; id > 0; id--) {
      if (!made.containsKey(id) && (used.contains(id) || !connection.channels().isInUse(id))) {
        return id;
      }
    }
    return 0;
  }

  /** Under the lock. */
  private TooManySubscriptionsException noChannel() {
    return new TooManySubscriptionsException(
        "no channel is left for a further subscription; close one, or raise maxChannels on the side"
            + " whose limit it is",
        "subscriptions",
        made.size(),
        "closing",
        closing(),
        "channels",
        connection.agreement().channels(),
        "maxChannels",
        context.options().maxChannels());
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
        // Under the lock, or the channel's next subscription might be asked for before.
        connection.queueControl(ControlFrames.of(FrameType.UNSUBSCRIBE, subscription.channel.id()));
      }
    } finally {
      lock.unlock();
    }
  }

  /** The boxes that the arrays of this side's subscriptions go to. Under the lock. */
  List<Inbox> inboxes() {
    ending.removeIf(Inbox::isSpent);
    List<Inbox> all = new ArrayList<>(made.size() + ending.size());
    made.values().forEach(subscription -> all.add(subscription.inbox));
    all.addAll(ending);
    return all;
  }

  // What the publisher says, on the reading thread.

  private SubscriptionEnd made(int channel, FrameType type) throws UnexpectedFrameException {
    SubscriptionEnd subscription = made.get(channel);
    if (subscription == null) {
      throw new UnexpectedFrameException(
          "a channel without a subscription of this side", "type", type, "channel", channel);
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
          throw new UnexpectedFrameException(
              "a subscription was answered twice", "channel", channel);
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
      throw new UnexpectedFrameException(
          "the end of a subscription inside an array", "channel", channel.id);
    }
    ArraywireException cause =
        body.length == 0
            ? new ConnectionClosedException("the subscription is over")
            : cause(FaultBody.read(body));
    lock.lock();
    try {
      subscription = made(channel.id, FrameType.UNSUBSCRIBED);
      if (body.length == 0 && !subscription.unsubscribed) {
        throw new UnexpectedFrameException(
            "a subscription ended that was not given up, and without a reason",
            "channel",
            channel.id);
      }
    } finally {
      lock.unlock();
    }
    subscription.inbox.end(cause, !(cause instanceof ConnectionClosedException));
    // Before somebody may take the channel again.
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
      case SLOW_SUBSCRIBER -> new SlowSubscriberException(fault.reason());
      case TOO_MANY_SUBSCRIPTIONS -> new TooManySubscriptionsException(fault.reason());
      case CONNECTION_CLOSED -> new ConnectionClosedException(fault.reason());
      default ->
          new RemoteRejectedException("the far side refused the subscription: " + fault.reason());
    };
  }

  /** Checks an array's number, and returns how many are missing before it. */
  long arrives(int channel, long publication) throws UnexpectedFrameException {
    lock.lock();
    try {
      SubscriptionEnd subscription = made(channel, FrameType.ARRAY);
      if (publication <= subscription.last) {
        throw new UnexpectedFrameException(
            "a published array out of order",
            "channel",
            channel,
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

  // Those of the peer: what it says, on the reading thread.

  void subscribed(int channel, byte[] bytes) throws ProtocolException {
    SubscribeBody body = SubscribeBody.read(bytes);
    if (channel == 0) {
      throw new UnexpectedFrameException("a subscription on channel 0");
    }
    Subscribers all = connection.subscribers();
    Subscriber subscriber;
    ArraywireException refusal = null;
    lock.lock();
    try {
      if (taken.containsKey(channel)) {
        throw new UnexpectedFrameException(
            "a subscription on the channel of another", "channel", channel);
      }
      boolean tooMany = subscribers() >= context.options().maxSubscriptions();
      OutboundChannel out = connection.channels().checked(channel).out;
      if (out.last != null) {
        throw new UnexpectedFrameException(
            "a subscription on a channel before the one there was is over", "channel", channel);
      }
      subscriber = new Subscriber(this, out, body.subject(), body.policy());
      taken.put(channel, subscriber);
      out.queueLimit = Math.min(body.queueBytes(), context.options().sendQueueBytes());
      if (end != null || connection.refusesArrays()) {
        refusal = Failures.closedHere(connection.remoteAddress());
      } else if (all == null) {
        refusal =
            new ArraywireException(
                ErrorCode.REJECTED,
                "only a listener publishes; subscribe at the end that connected");
      } else if (tooMany) {
        refusal =
            new TooManySubscriptionsException(
                "the publisher takes no further subscription of this connection; close one, or raise"
                    + " maxSubscriptions there",
                "maxSubscriptions",
                context.options().maxSubscriptions());
      } else if (!all.add(subscriber)) {
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
    }
  }

  void unsubscribed(int channel) throws ProtocolException {
    Subscriber subscriber;
    boolean first;
    lock.lock();
    try {
      subscriber = taken.get(channel);
      if (subscriber == null) {
        throw new UnexpectedFrameException(
            "the end of a subscription that there is not", "channel", channel);
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

  /** How many subscriptions of the peer are not over. Under the lock. */
  private long subscribers() {
    return taken.values().stream().filter(subscriber -> !subscriber.over).count();
  }

  /** Under the lock. */
  boolean hasSubscribers() {
    return !taken.isEmpty();
  }

  // Publishing, by any thread.

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

  void offer(Subscriber subscriber, Publication publication, SharedMemory copy)
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
                .transfer(
                    channel,
                    publication.slice,
                    new SendOptions(publication.attributes, Delivery.HANDED_OFF),
                    ArrayEnvelope.publication(publication.attributes, subscriber.published + 1));
        transfer.published = true;
        boolean room =
            outbound.hasChannelRoom(channel, transfer.queueBytes())
                && outbound.hasRoomForPublished(transfer.queueBytes());
        if (!room && subscriber.policy == LagPolicy.DROP_OLDEST) {
          oldest = outbound.oldestPublished(channel);
          // Beside one that is on its way there is always room for the newest.
          room = oldest == null;
        }
        if (room && outbound.takesShare(transfer, false)) {
          subscriber.published++;
          publication.queued++;
          transfer.lend(copy.share());
          outbound.queue(channel, transfer);
        } else if (room && subscriber.policy != LagPolicy.BLOCK) {
          // Others hold the budget of all connections, which is not this subscriber's fault.
          subscriber.published++;
          publication.dropped++;
          return;
        } else {
          switch (subscriber.policy) {
            case BLOCK -> {
              subscriber.published++;
              transfer.lend(copy.share());
              CompletableFuture<Void> accepted = new CompletableFuture<>();
              transfer.accepted = accepted;
              outbound.acceptInTurn(channel, transfer);
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
        end(subscriber, lagging(subscriber), true);
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

  private SlowSubscriberException lagging(Subscriber subscriber) {
    long queued;
    lock.lock();
    try {
      queued = subscriber.channel.queuedBytes;
    } finally {
      lock.unlock();
    }
    return new SlowSubscriberException(
        "the subscriber took too little, and its subscription was ended",
        "subject",
        subscriber.subject,
        "policy",
        subscriber.policy,
        "queuedBytes",
        queued,
        "queueBytes",
        subscriber.channel.queueLimit);
  }

  // The end.

  /** Ends a subscription of the peer, at once or when what is queued is sent. */
  void end(Subscriber subscriber, ArraywireException cause, boolean now) {
    lock.lock();
    try {
      if (subscriber.over) {
        return;
      }
      subscriber.over = true;
    } finally {
      lock.unlock();
    }
    forget(subscriber);
    if (now) {
      drop(subscriber);
    }
    say(subscriber, cause);
  }

  private void forget(Subscriber subscriber) {
    Subscribers all = connection.subscribers();
    if (all != null) {
      all.remove(subscriber);
    }
  }

  /** Tells the peer, behind what is on its way to it. */
  private void say(Subscriber subscriber, @Nullable ArraywireException cause) {
    byte[] body = cause == null ? new byte[0] : FaultBody.write(cause);
    boolean bearable;
    lock.lock();
    try {
      bearable =
          outbound.queueBehind(
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

  /** Takes back everything that is published for a peer and not on its way. */
  private void drop(Subscriber subscriber) {
    List<OutboundArray> queued;
    lock.lock();
    try {
      queued = outbound.published(subscriber.channel);
    } finally {
      lock.unlock();
    }
    // The last one first: the writing thread goes on meanwhile, and must leave no gap.
    for (int i = queued.size() - 1; i >= 0; i--) {
      OutboundArray transfer = queued.get(i);
      boolean unused = connection.sender().withdraw(transfer);
      // Its ABORT may wait for the peer to read.
      transfer.releaseCopy();
      transfer.done.completeExceptionally(Failures.closedHere(connection.remoteAddress()));
    }
  }

  /** Nothing more will come or go. */
  void end(ArraywireException cause) {
    List<SubscriptionEnd> ours;
    List<Subscriber> theirs;
    CompletableFuture<Void> waiting;
    lock.lock();
    try {
      if (end == null) {
        end = cause;
      }
      ours = List.copyOf(made.values());
      waiting = someOver;
      someOver = null;
      theirs = new ArrayList<>(taken.values());
      theirs.forEach(subscriber -> subscriber.over = true);
    } finally {
      lock.unlock();
    }
    for (SubscriptionEnd each : ours) {
      each.answered.completeExceptionally(cause);
    }
    if (waiting != null) {
      waiting.completeExceptionally(cause);
    }
    for (Subscriber subscriber : theirs) {
      forget(subscriber);
      drop(subscriber);
    }
  }
}
