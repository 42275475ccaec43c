package io.arraywire.engine;

import io.arraywire.Agreement;
import io.arraywire.ErrorCode;
import io.arraywire.Handlers;
import io.arraywire.ProtocolException;
import io.arraywire.security.Identity;
import io.arraywire.spi.MessageText;
import io.arraywire.wire.FlowOffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The channels of a connection: its own, and those that either side has used, made when they are
 * asked for. Subscriptions, too, are channels here: ordered streams of arrays, with numbers of
 * their own. Guarded by the connection's lock, but for {@link #main()}.
 */
final class Channels {
  private final ChannelScope connection;
  private final ReentrantLock lock;
  private final @Nullable Handlers handlers;

  /** The connection's own channel, and the others by number. */
  private final ChannelEnd main;

  private Map<Integer, ChannelEnd> others = Map.of();

  /** Handlers' channels that may still have something for the handler. */
  private int openInboxes;

  /** What the peer is allowed on all channels; null before the handshake is over. */
  private @Nullable ConnectionCredit credit;

  /** Makes the channel of a connection that has all that channels share. */
  Channels(ChannelScope connection, @Nullable Handlers handlers) {
    this.connection = connection;
    this.handlers = handlers;
    lock = connection.lock();
    main = open(0);
  }

  private ChannelEnd open(int id) {
    OutboundChannel out = connection.outbound().queue.open(id);
    boolean subscription = ChannelId.isSubscription(id);
    // What a subscription brings goes to an inbox of its own.
    Inbox inbox = new Inbox(connection, out, subscription ? null : handlers);
    openInboxes += subscription ? 0 : 1;
    ChannelEnd channel = new ChannelEnd(connection, out, inbox);
    if (credit != null) {
      keepCredit(channel, credit);
    }
    connection.endIfOthersHave(inbox);
    return channel;
  }

  private void keepCredit(ChannelEnd channel, ConnectionCredit all) {
    FlowOffer flow = connection.flow();
    boolean limited = all.isLimited();
    channel.inbox.keepCredit(
        new ReceiveCredit(
            connection, channel.out, limited ? flow.channelCredit() : Credit.UNLIMITED, all));
    if (limited) {
      connection
          .outbound()
          .acknowledgements
          .grantedInHandshake(channel.out, flow.channelCredit(), flow.connectionCredit());
    }
  }

  /** The handshake is over. Under the lock. */
  void keepCredit(Agreement agreed) {
    FlowOffer flow = connection.flow();
    Identity peer = agreed.identity();
    boolean rated = peer != null && peer.bytesPerSecond() != Long.MAX_VALUE && !agreed.plain();
    ConnectionCredit all =
        peer != null && rated
            ? new RatedCredit(
                flow.connectionCredit(),
                peer.bytesPerSecond(),
                lock,
                connection.context().runtime()::nanoTime,
                connection.context().deadlines())
            : new ConnectionCredit(agreed.plain() ? Credit.UNLIMITED : flow.connectionCredit());
    credit = all;
    keepCredit(main, all);
  }

  ChannelEnd main() {
    return main;
  }

  /** A channel or a subscription that was agreed on. Under the lock. */
  ChannelEnd get(int id) {
    if (id == 0) {
      return main;
    }
    if (others.isEmpty()) {
      others = new HashMap<>(2);
    }
    return others.computeIfAbsent(id, this::open);
  }

  List<ChannelEnd> all() {
    lock.lock();
    try {
      List<ChannelEnd> all = new ArrayList<>(1 + others.size());
      all.add(main);
      all.addAll(others.values());
      return all;
    } finally {
      lock.unlock();
    }
  }

  /** Whether handlers are called on the thread that reads. Any thread. */
  boolean areOnLoop() {
    return handlers != null && handlers.isOnLoop();
  }

  /** Whether there is another one than the connection's own. Under the lock. */
  boolean areSeveral() {
    return !others.isEmpty();
  }

  /** The channel that somebody here asks for, if it was agreed on. */
  ChannelEnd checked(int id) {
    lock.lock();
    try {
      int limit = connection.channelLimit();
      if (id < 0 || id >= limit) {
        throw new IllegalArgumentException(
            MessageText.brief(
                limit == 1
                    ? "there is no such channel; this connection has channel 0 alone"
                    : "there is no such channel; the first is 0, and the smaller maxChannels of both"
                        + " sides says how many there are",
                "channel",
                id,
                "channels",
                limit));
      }
      return get(id);
    } finally {
      lock.unlock();
    }
  }

  /** The channel or the subscription of a frame. */
  InboundChannel ofFrame(int id) throws ProtocolException {
    lock.lock();
    try {
      boolean subscription = ChannelId.isSubscription(id);
      int limit = subscription ? connection.subscriptionLimit() : connection.channelLimit();
      if (ChannelId.number(id) >= limit) {
        throw new ProtocolException(
            ErrorCode.UNKNOWN_CODE,
            "a frame names a channel or subscription that does not exist",
            "channel",
            ChannelId.fact(id),
            subscription ? "subscriptions" : "channels",
            limit);
      }
      return get(id).in;
    } finally {
      lock.unlock();
    }
  }

  /** A PONG has come that says something of a channel's window; returns whether one was awaited. */
  boolean measured(long tag) {
    lock.lock();
    try {
      int id = ReceiveCredit.channelOf(tag);
      ChannelEnd channel = id == 0 ? main : others.get(id);
      return channel != null && channel.inbox.queue.credit().measured(tag);
    } finally {
      lock.unlock();
    }
  }

  /** A channel on which an array has begun and not ended. */
  @Nullable InboundChannel insideArray() {
    for (ChannelEnd channel : all()) {
      if (channel.in.arriving != null) {
        return channel.in;
      }
    }
    return null;
  }

  /** The reading thread is done: what was arriving does not go on. */
  void forgetArriving() {
    all().forEach(channel -> channel.in.ends());
  }

  /**
   * One channel's handler has had its last array; returns whether it was the last channel's. Under
   * the lock.
   */
  boolean handlerOver() {
    openInboxes--;
    return openInboxes == 0;
  }

  /** The connection has ended; its handler may still be at what came before. */
  void ended() {
    lock.lock();
    try {
      if (handlers != null && openInboxes > 0) {
        connection.context().lateHandlers().ended(connection);
      }
    } finally {
      lock.unlock();
    }
  }
}
