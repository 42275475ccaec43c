package io.arraywire.engine;

import io.arraywire.Agreement;
import io.arraywire.ArrayHandler;
import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.Channel;
import io.arraywire.Connection;
import io.arraywire.ConnectionLoad;
import io.arraywire.ControlFloodException;
import io.arraywire.ProtocolException;
import io.arraywire.ReceivedArray;
import io.arraywire.RequestOptions;
import io.arraywire.TransportOptions;
import io.arraywire.UnknownCodeException;
import io.arraywire.spi.Codec;
import io.arraywire.wire.ArrayEnvelope;
import io.arraywire.wire.FrameHeader;
import io.arraywire.wire.FrameType;
import io.arraywire.wire.HandshakeMessage;
import io.arraywire.wire.Preamble;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What the parts of a connection share: the lock, what was agreed on, how it ends, and the parts
 * themselves. Transports drive its {@link FramedEnd}; users meet its {@link FramedConnection}, or
 * the session that it carries.
 */
final class ConnectionCore extends ConnectionState {
  // A connection while it is open. How it comes to be is in Handshake, how it ends in Shutdown,
  // what callers do with arrays to be sent in Sender.

  // What its parts share.

  /** The connection as users meet it who have no session. */
  final Connection face;

  final EventDispatcher watch;
  final Outbound outbound;

  final Channels channels;

  /** For those who hand in arrays. */
  final Sender sender;

  final Inbound inbound;

  /** What the transport drives: this connection's end, or a layer beneath it. */
  private @Nullable WireEnd wire;

  /** Until the connection is open; if it never is, for ever. */
  private volatile @Nullable Handshake handshake;

  /** To the session that it carries, if it does; before the handshake is over, if it may. */
  private volatile @Nullable SessionBinding session;

  // Set under the lock, once, and asked for with every array.
  private volatile @Nullable Agreement agreement;

  // Guarded by the lock.
  @Nullable KeepAlive liveness;

  /** While an array arrives. */
  @Nullable InboundProgress progress;

  private KeepAliveTimer.@Nullable Round round;

  /**
   * Arrays that this side is done with, and what the peer has said of those that it was sent. May
   * overflow: only changes of it matter.
   */
  int arraysMoved;

  /** What was taken of the budget of all connections for what is received here. */
  private int reservedBytes;

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
      Role role,
      Link link,
      Function<ConnectionCore, Connection> users,
      @Nullable ArrayHandler handler) {
    super(context, link);
    face = users.apply(this);
    watch = new EventDispatcher(context, face);
    outbound = new Outbound(this);
    channels = new Channels(this, handler);
    inbound = Inbound.of(this, channels.main().in);
    sender = new Sender(outbound);
    handshake = new Handshake(this, new HandshakeOutcome(this), outbound, role);
  }

  private TransportOptions options() {
    return context.options();
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
  public CompletionStage<ReceivedArray> request(
      OutboundChannel channel, ArraySlice slice, RequestOptions requestOptions) {
    Requests.checkAgreed(agreement());
    return requests().made.request(channel, slice, requestOptions);
  }

  @Override
  public Channels channels() {
    return channels;
  }

  @Override
  public Inbox subscriptionInbox(OutboundChannel channel, @Nullable ArrayHandler handler) {
    return new Inbox(this, channel, handler, true);
  }

  // Channels.

  /** How many channels there may be. Under the lock. */
  @Override
  public int channelLimit() {
    return agreement == null ? 1 : agreement.channels();
  }

  @Override
  public Channel channel(int id) {
    return channels.checked(id);
  }

  /** All that arrays go to. */
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
  public void handlerOver(ArrayHandler handler, @Nullable ArraywireException cause) {
    lock.lock();
    try {
      if (!channels.handlerOver() || !termination().tellsHandler()) {
        return;
      }
    } finally {
      lock.unlock();
    }
    SessionBinding bound = session;
    if (bound == null || !bound.handlerOver()) {
      try {
        handler.onClosed(face, cause);
      } catch (RuntimeException | Error thrown) {
        Log.handlerFailed(face, thrown);
      }
    }
    // Nobody is left who would do it.
    beginClose();
  }

  @Override
  boolean isHandlerThread() {
    return inboxes().stream().anyMatch(Inbox::isHandlerThread);
  }

  // Sessions.

  /** It may come to carry a session. To be called before its start. */
  void bind(@Nullable SessionBinding binding) {
    session = binding;
  }

  /** It has ended, and hands out nothing more to callers of receive. */
  void detached(ArraywireException cause) {
    SessionBinding bound = session;
    if (bound != null) {
      bound.detached(cause);
    }
  }

  @Override
  public Connection userConnection() {
    SessionBinding bound = session;
    return bound == null ? face : bound.userConnection();
  }

  @Override
  public boolean isResumed() {
    SessionBinding bound = session;
    return bound != null && bound.isResumed();
  }

  @Override
  public @Nullable DeliveryGuard guard(int channel) {
    SessionBinding bound = session;
    return bound == null ? null : bound.guard(channel);
  }

  /** A frame came, so the peer has read the handshake. The reading thread's. */
  @Override
  public void frameCame() {
    SessionBinding bound = session;
    if (bound != null) {
      bound.confirmed();
    }
  }

  // Life.

  /** Before its start, once. */
  void wire(WireEnd driven) {
    wire = driven;
  }

  @Override
  public WireEnd wire() {
    return Objects.requireNonNull(wire, "wire");
  }

  @Override
  Shutdown newShutdown() {
    return new Shutdown(this, inbound);
  }

  @Override
  public CompletionStage<Void> opened() {
    Handshake begun = handshake;
    return begun == null ? CompletableFuture.completedFuture(null) : begun.opened;
  }

  @Override
  public void logNotAccepted(SocketAddress listener, Throwable failure) {
    Log.notAccepted(face, listener, failure);
  }

  @Override
  boolean isInHandshake() {
    Handshake begun = handshake;
    return begun != null && !begun.opened.isDone();
  }

  /** Whether the last byte was written. */
  boolean isOutputEnded() {
    return outbound.isEnded();
  }

  /** Begins the handshake. */
  void start() {
    Handshake begun = handshake;
    if (begun != null && !hasBegunToEnd()) {
      begun.start(session);
    }
  }

  // The handshake.

  @Override
  public void handshake(Preamble preamble, HandshakeMessage message) throws ArraywireException {
    Handshake begun = handshake;
    if (begun == null) {
      throw new IllegalStateException("a message after the handshake");
    }
    begun.message(preamble, message);
  }

  /** What was taken of the budget of all connections, to be given back at the end. */
  void reserved(int bytes) {
    lock.lock();
    try {
      reservedBytes = bytes;
    } finally {
      lock.unlock();
    }
  }

  /** Whether the peer has said who it is. Under the lock. */
  void trusts(boolean trusted) {
    inbound.peerTrusted = trusted;
  }

  /** There is an agreement. Under the lock. */
  void agree(Agreement agreed) {
    agreement = agreed;
  }

  /** From now on it is looked after. Under the lock. */
  void lookedAfter(KeepAlive looks, KeepAliveTimer.Round joined) {
    liveness = looks;
    round = joined;
  }

  /** The connection is open, and has no use for its handshake any more. */
  void handshakeOver() {
    handshake = null;
  }

  /** What has to be given back of the budget of all connections; once. Under the lock. */
  int takeReserved() {
    int reserved = reservedBytes;
    reservedBytes = 0;
    return reserved;
  }

  @Override
  public boolean isPeerTrusted() {
    return inbound.peerTrusted;
  }

  /** Whether there is an agreement. Under the lock. */
  boolean hasAgreed() {
    return agreement != null;
  }

  /** Whether the peer is to be told of a failure, as far as the handshake goes. */
  boolean tellsPeer(ArraywireException cause) {
    Handshake begun = handshake;
    return begun == null || begun.tellsPeer(cause);
  }

  /** The connection has failed; if it was not open, it never will be. */
  void notOpened(ArraywireException cause) {
    Handshake begun = handshake;
    if (begun != null) {
      begun.opened.completeExceptionally(cause);
    }
  }

  /** Nobody looks after it any more. Under the lock. */
  void stopTimers() {
    outbound.stopWatching();
    Handshake begun = handshake;
    if (begun != null) {
      begun.cancelDeadline();
    }
    if (round != null) {
      round.leave(this);
    }
  }

  // Looking after the connection.

  @Override
  public void look() {
    KeepAliveLook.look(this);
  }

  /** What the end of the connection has waited for in vain. */
  String missing() {
    lock.lock();
    try {
      return OutboundReport.missing(outbound);
    } finally {
      lock.unlock();
    }
  }

  /** How many requests of both sides are not answered. */
  int openRequests() {
    lock.lock();
    try {
      return outbound.openRequests;
    } finally {
      lock.unlock();
    }
  }

  /** The same, with what it costs of what the peer may send of them. */
  @Override
  public void useless(FrameType type, float cost) throws ControlFloodException {
    lock.lock();
    try {
      if (liveness != null) {
        liveness.bear(type, cost);
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
  public void checkAgreed(FrameType type) throws UnknownCodeException {
    PeerControl.checkAgreed(this, type);
  }

  @Override
  public InboundChannel channelOfFrame(int id) throws UnknownCodeException {
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

  /** Something of an array moved, or the peer said something of one. Under the lock. */
  void arrayMoved() {
    arraysMoved++;
  }

  /** The number of the request that an array was; 0 if it was none. Under the lock. */
  long requestNumber(OutboundArray array) {
    return exchanges == null ? 0 : exchanges.requestNumber(array);
  }

  // Requests and subscriptions.

  /** Requests and subscriptions of both sides, made when there is one. */
  Exchanges exchanges() {
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
    return Exchanges.isPartOfOne(envelope)
        ? exchanges().check(agreement, envelope, count, channel.id)
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

  /** What was awaited may have been the last thing before the goodbye. */
  @Override
  public void wakeWriterToSayGoodbye() {
    if (!hasBegunToEnd()) {
      // Who begins to end it from now on wakes the writer.
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
   * @param comesAgain whether the one who had the last of them mostly comes for the next at once
   */
  @Override
  public void processed(OutboundChannel channel, long sequence, boolean comesAgain) {
    arraysMoved++;
    if (options().plainType() != null) {
      return;
    }
    outbound.acknowledgements.processed(channel, sequence);
    wakeWriter(comesAgain);
  }

  /** Tells the sender of an array that it is refused; it has still to be acknowledged. */
  @Override
  public void refuse(
      OutboundChannel channel, long sequence, long request, ArraywireException refusal) {
    boolean senderTold = options().plainType() == null;
    handlerLog().refused(channel.id, sequence, request, refusal, senderTold);
    watch.rejected(channel.id, sequence, false, refusal);
    if (options().plainType() == null) {
      queueRejected(channel, sequence, refusal);
    }
  }

  /** An array came that nobody here will take, because this side closes. */
  @Override
  public void notTaken(OutboundChannel channel, long sequence) {
    if (options().plainType() == null) {
      queueRejected(channel, sequence, Failures.closedHere(remoteAddress()));
    }
  }

  @Override
  public void queueRejected(OutboundChannel channel, long sequence, ArraywireException refusal) {
    queueControl(ControlFrames.rejected(channel.id, sequence, refusal));
  }

  // Looks.

  boolean isOpen() {
    lock.lock();
    try {
      return agreement != null && !refusesArrays();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Agreement agreement() {
    Agreement agreed = agreement;
    if (agreed == null) {
      throw new IllegalStateException("the handshake is not over");
    }
    return agreed;
  }

  /** What was agreed on; null while that is not known. */
  @Nullable Agreement agreed() {
    return agreement;
  }

  /** What the looks have found, in words. Under the lock. */
  String heartbeats() {
    return liveness == null ? "" : "; heartbeats: " + liveness.describe();
  }

  /** What arrays to the peer are encoded with. */
  @Override
  public Codec codec() {
    return outbound.arrays().codec();
  }

  ConnectionLoad load() {
    lock.lock();
    try {
      ConnectionLoad sum = OutboundReport.load(outbound);
      for (Inbox inbox : inboxes()) {
        sum = sum.plus(inbox.load());
      }
      return sum;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public String describe() {
    return face.describe();
  }

  @Override
  public String toString() {
    return describe();
  }
}
