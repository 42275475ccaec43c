package io.arraywire.engine;

import io.arraywire.ArraywireException;
import io.arraywire.Channel;
import io.arraywire.Connection;
import io.arraywire.ErrorCode;
import io.arraywire.Handlers;
import io.arraywire.ProtocolException;
import io.arraywire.ReceivedArray;
import io.arraywire.RequestOptions;
import io.arraywire.frame.FrameHeader;
import io.arraywire.frame.FrameType;
import io.arraywire.source.ArraySource;
import io.arraywire.wire.ArrayEnvelope;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What the parts of a connection share: the lock, what was agreed on, how it ends, and the parts
 * themselves. Transports drive its {@link FramedEnd}; users meet its {@link FramedConnection}, or
 * the session that it carries. {@link PlainCore} is what differs in plain mode.
 */
class ConnectionCore extends ConnectionAgreement {
  // A connection while it is open. How it comes to be is in Handshake, how it ends in Shutdown,
  // what callers do with arrays to be sent in Sender.

  // What its parts share.

  /** The connection as users without a session see it. */
  final Connection face;

  final EventDispatcher watch;
  final Outbound outbound;

  final Channels channels;

  /** For threads that hand in arrays. */
  final Sender sender;

  final Inbound inbound;

  // Guarded by the lock.

  /** From the agreement on. */
  private @Nullable KeepAlive keepAlive;

  /**
   * Arrays that this side is done with, and what the peer has said of those that it was sent. May
   * overflow: only changes of it matter.
   */
  int arraysMoved;

  /** Once there was a request or a subscription. */
  private @Nullable Exchanges exchanges;

  /** What is published over it, if it is a listener's. */
  private volatile @Nullable Subscribers subscribers;

  /**
   * Makes the core of a connection, and with it all its parts.
   *
   * @param users makes what users meet
   */
  ConnectionCore(
      EngineContext context,
      Link link,
      Function<ConnectionCore, Connection> users,
      @Nullable Handlers handlers) {
    super(context, link);
    face = users.apply(this);
    watch = new EventDispatcher(context, face);
    outbound = new Outbound(this);
    channels = new Channels(this, handlers);
    inbound = Inbound.of(this, channels.main().in);
    sender = new Sender(outbound);
  }

  @Override
  public EventDispatcher events() {
    return watch;
  }

  @Override
  public Connection ownConnection() {
    return face;
  }

  @Override
  public Outbound outbound() {
    return outbound;
  }

  @Override
  public Sender sender() {
    return sender;
  }

  @Override
  public CompletableFuture<ReceivedArray> request(
      OutboundChannel channel, ArraySource source, RequestOptions requestOptions) {
    return requests().made.request(channel, source, requestOptions);
  }

  @Override
  public Channels channels() {
    return channels;
  }

  @Override
  public Inbox subscriptionInbox(OutboundChannel channel, @Nullable Handlers handlers) {
    return new Inbox(this, channel, handlers);
  }

  // Channels.

  /** How many channels there may be. Under the lock. */
  @Override
  public int channelLimit() {
    return agreed() == null ? 1 : agreement().channels();
  }

  @Override
  public int subscriptionLimit() {
    return agreed() == null ? 0 : agreement().subscriptions();
  }

  @Override
  public Channel channel(int id) {
    return channels.checked(id);
  }

  @Override
  List<Inbox> inboxes() {
    lock.lock();
    try {
      List<ChannelEnd> ends = channels.all();
      List<Inbox> all = new ArrayList<>(ends.size());
      ends.forEach(channel -> all.add(channel.inbox));
      if (exchanges != null) {
        all.addAll(exchanges.inboxes());
      }
      return all;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public String runningHandlers(ReusableFuture<?> awaited) {
    return HandlerWaits.running(inboxes(), awaited);
  }

  @Override
  public @Nullable HandlerWait callerWaits(String call) {
    lock.lock();
    try {
      return HandlerWaits.begin(inboxes(), call);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public @Nullable HandlerWait waitingHandler() {
    lock.lock();
    try {
      return HandlerWaits.any(inboxes());
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void handlerOver(Handlers handlers, @Nullable ArraywireException cause) {
    lock.lock();
    try {
      if (!channels.handlerOver() || !termination().tellsHandler()) {
        return;
      }
    } finally {
      lock.unlock();
    }
    if (!sessionTellsHandler()) {
      HandlerRunner.tellClosed(handlers, face, cause);
    }
    context.lateHandlers().over(this);
    // No thread is left that would do it.
    beginClose();
  }

  @Override
  boolean isHandlerThread() {
    return inboxes().stream().anyMatch(Inbox::isHandlerThread);
  }

  // Life.

  /** It has ended, and both threads are done with its memory. */
  void disposed() {
    channels.ended();
    context.budget().unreserve(takeReserved());
    context.connections().remove(this);
    if (subscribers != null && !isRefused()) {
      context.admission().ended(remoteAddress());
    }
    tellEnd();
    context.handlerLogs().ended(this);
  }

  @Override
  Shutdown newShutdown() {
    return new Shutdown(this, inbound);
  }

  @Override
  public boolean isPeerTrusted() {
    return inbound.peerTrusted;
  }

  // Looking after the connection.

  /** From now on it is looked after. Under the lock. */
  void lookedAfter(KeepAlive looks) {
    keepAlive = looks;
  }

  /** Nobody looks after it any more. Under the lock. */
  void stopTimers() {
    outbound.stopWatching();
    cancelDeadline();
    if (keepAlive != null) {
      keepAlive.end();
    }
  }

  @Override
  public void useless(FrameType type, float cost) throws ProtocolException {
    lock.lock();
    try {
      if (keepAlive != null) {
        keepAlive.bear(type, cost);
      }
    } finally {
      lock.unlock();
    }
  }

  // Frames of the peer, on the reading thread.

  @Override
  public void control(FrameHeader header, InboundChannel channel, byte[] body)
      throws ArraywireException {
    PeerControl.frame(this, header, channel, body);
  }

  @Override
  public InboundChannel channelOfFrame(int id) throws ProtocolException {
    return channels.ofFrame(id);
  }

  @Override
  public @Nullable InboundChannel insideArray() {
    return channels.insideArray();
  }

  @Override
  public void acknowledged(InboundChannel channel, int low) throws ProtocolException {
    PeerControl.acknowledged(this, channel, low);
  }

  @Override
  public void arrayMoved() {
    arraysMoved++;
  }

  // Requests and subscriptions.

  /** Made when there is a request or a subscription. */
  @Override
  public Exchanges exchanges() {
    lock.lock();
    try {
      Exchanges all = exchanges;
      if (all == null) {
        all = new Exchanges(this, outbound);
        exchanges = all;
      }
      return all;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Requests requests() {
    return exchanges().requests();
  }

  @Override
  public long checkEnvelope(ArrayEnvelope envelope, long count, InboundChannel channel)
      throws ProtocolException {
    if (envelope.sessionSequence() != 0 && !hasSession()) {
      throw new ProtocolException(
          ErrorCode.PROTOCOL_VIOLATION,
          "an array of a session on a connection without one",
          "sessionSequence",
          envelope.sessionSequence());
    }
    return Exchanges.isPartOfOne(envelope) || ChannelId.isSubscription(channel.id)
        ? exchanges().check(envelope, count, channel.id)
        : 0;
  }

  /** Requests and subscriptions end with the connection. */
  void endExchanges(ArraywireException cause) {
    Exchanges all;
    lock.lock();
    try {
      all = exchanges;
    } finally {
      lock.unlock();
    }
    if (all != null) {
      all.end(cause);
    }
  }

  @Override
  void publishes(Subscribers published) {
    subscribers = published;
  }

  @Override
  boolean hasSubscribers() {
    lock.lock();
    try {
      return exchanges != null && exchanges.hasSubscribers();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public @Nullable Subscribers subscribers() {
    return subscribers;
  }

  // Frames to the peer, queued by any thread.

  /** Queues a control frame; a peer that does not read them loses the connection. */
  @Override
  public void queueControl(byte[] frame) {
    boolean queued;
    lock.lock();
    try {
      queued = outbound.control.queue(frame);
    } finally {
      lock.unlock();
    }
    if (queued) {
      link.wakeWriter();
    } else {
      failLater(Failures.doesNotReadControl(remoteAddress()));
    }
  }

  /** This side allows the peer to send more. Under the lock. */
  @Override
  public void grant(OutboundChannel channel, long onChannel, long onConnection) {
    outbound.acknowledgements.grant(channel, onChannel, onConnection);
    link.wakeWriter();
  }

  /** Wakes the writer, which sends the goodbye if the connection waits for nothing else. */
  @Override
  public void wakeWriterToSayGoodbye() {
    if (!hasBegunToEnd()) {
      // A thread that begins to end it from now on wakes the writer.
      return;
    }
    boolean wake;
    lock.lock();
    try {
      wake = isBeingClosed() && !outbound.acknowledgements.isMissingSome();
    } finally {
      lock.unlock();
    }
    if (wake) {
      link.wakeWriter();
    }
  }

  // What becomes of arrays here, on any thread.

  /**
   * Arrays are processed, and are to be acknowledged. Under the lock.
   *
   * @param comesAgain whether the caller that took the last of them mostly comes for the next at
   *     once
   */
  @Override
  public void processed(OutboundChannel channel, long sequence, boolean comesAgain) {
    arraysMoved++;
    outbound.acknowledgements.processed(channel, sequence);
    wakeWriter(comesAgain);
  }

  /** Tells the sender that its array is refused. The array still has to be acknowledged. */
  @Override
  public void refuse(
      OutboundChannel channel, long sequence, long request, ArraywireException refusal) {
    handlerLog().refused(channel.id, sequence, request, refusal, tellsSenders());
    watch.rejected(ChannelId.seen(channel.id), sequence, false, refusal);
    queueRejected(channel, sequence, refusal);
  }

  /** Whether the sender of an array learns that it is refused. */
  boolean tellsSenders() {
    return true;
  }

  /** An array came that nobody here will take, because this side closes. */
  @Override
  public void notTaken(OutboundChannel channel, long sequence) {
    queueRejected(channel, sequence, Failures.closedHere(remoteAddress()));
  }

  @Override
  public void queueRejected(OutboundChannel channel, long sequence, ArraywireException refusal) {
    queueControl(ControlFrames.rejected(channel.id, sequence, refusal));
  }

  /** What the looks have found, in words. Under the lock. */
  String heartbeats() {
    return keepAlive == null ? "" : "; heartbeats: " + keepAlive.describe();
  }

  @Override
  public SendCodecs codecs() {
    return outbound.arrays().codecs();
  }
}
