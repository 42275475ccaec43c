package io.arraywire.engine;

import io.arraywire.Agreement;
import io.arraywire.ArrayHandler;
import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.Channel;
import io.arraywire.Connection;
import io.arraywire.ConnectionLoad;
import io.arraywire.ControlFloodException;
import io.arraywire.IdleTimeoutException;
import io.arraywire.ProtocolException;
import io.arraywire.ReceivedArray;
import io.arraywire.RemoteErrorException;
import io.arraywire.RequestOptions;
import io.arraywire.SlowFrameException;
import io.arraywire.StalledArrayException;
import io.arraywire.SubscribeOptions;
import io.arraywire.Subscription;
import io.arraywire.TransportOptions;
import io.arraywire.UnexpectedFrameException;
import io.arraywire.UnknownCodeException;
import io.arraywire.spi.Codec;
import io.arraywire.wire.ArrayEnvelope;
import io.arraywire.wire.FaultBody;
import io.arraywire.wire.FlowOffer;
import io.arraywire.wire.FrameHeader;
import io.arraywire.wire.FrameType;
import io.arraywire.wire.HandshakeMessage;
import io.arraywire.wire.Offer;
import io.arraywire.wire.Preamble;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A connection above any channel: handshake, frames, queues, receipts and the orderly end.
 *
 * <p>Transports drive {@link #wire()}; what users meet is {@link #userConnection()}.
 */
public final class ProtocolConnection extends AbstractConnection
    implements WireEnd, KeepAliveTimer.Member, FrameScope, PeerScope {
  // A connection while it is open. How it comes to be is in Handshake, how it ends in Shutdown,
  // what callers do with arrays to be sent in Sender.

  /** What goes straight from an array is in larger chunks: the header is a write of its own. */
  private static final int ARRAY_DIRECT_CHUNKS = 16;

  // What its parts share.

  final EngineContext context;
  final Link link;
  final ReentrantLock lock = new ReentrantLock();
  final EventDispatcher watch;
  final Outbound outbound;

  /** Once something waited to be sent: an idle connection is small. */
  private @Nullable SendWatch sendWatch;

  final Channels channels;

  /** For those who hand in arrays. */
  final Sender sender;

  private final Inbound inbound;

  /** What the transport drives: this, or the layer above it. Set before its start. */
  private WireEnd wire = this;

  /** Until the connection is open; if it never is, for ever. */
  private volatile @Nullable Handshake handshake;

  /**
   * Since it began to end; an open connection that nobody ends has none. Made under the lock; who
   * has seen none may go on as if nobody had begun to end it until then.
   */
  private volatile @Nullable Shutdown termination;

  /** Completes when it has ended. */
  final CompletableFuture<Void> ended = new CompletableFuture<>();

  /** To the session that it carries, if it does; before the handshake is over, if it may. */
  private volatile @Nullable SessionBinding session;

  // Set under the lock, once, and asked for with every array.
  private volatile @Nullable Agreement agreement;
  private volatile boolean peerTrusted;

  // Guarded by the lock.
  private @Nullable KeepAlive liveness;

  /** While an array arrives. */
  private @Nullable InboundProgress progress;

  private KeepAliveTimer.@Nullable Round round;

  /** Arrays that this side is done with, and what the peer has said of those that it was sent. */
  private long arraysMoved;

  /** What was taken of the budget of all connections for what is received here. */
  private int reservedBytes;

  /** Requests in both directions, once there was one. */
  private @Nullable Requests requests;

  /** Subscriptions in both directions, once there was one. */
  private @Nullable Subscriptions subscriptions;

  /** What is published over it, if it is a listener's. */
  private volatile @Nullable Subscribers subscribers;

  ProtocolConnection(EngineContext context, Role role, Link link, @Nullable ArrayHandler handler) {
    this.context = context;
    this.link = link;
    watch = new EventDispatcher(context, this);
    outbound = new Outbound(this);
    channels = new Channels(this, handler);
    inbound = Inbound.of(this, channels.main().in);
    sender = new Sender(this, lock, outbound);
    handshake = new Handshake(this, new HandshakeOwner(), outbound, role);
  }

  private TransportOptions options() {
    return context.options();
  }

  @Override
  @SuppressWarnings("exports")
  public EngineContext context() {
    return context;
  }

  @Override
  public Link link() {
    return link;
  }

  @Override
  public ReentrantLock lock() {
    return lock;
  }

  @Override
  @SuppressWarnings("exports")
  public EventDispatcher events() {
    return watch;
  }

  @Override
  @SuppressWarnings("exports")
  public Sender sender() {
    return sender;
  }

  @Override
  @SuppressWarnings("exports")
  public Channels channels() {
    return channels;
  }

  @Override
  @SuppressWarnings("exports")
  public Inbox subscriptionInbox(OutboundChannel channel, @Nullable ArrayHandler handler) {
    return new Inbox(this, channel, handler, true);
  }

  // Channels.

  @Override
  Channel main() {
    return channels.main();
  }

  /** How many channels there may be. Under the lock. */
  int channelLimit() {
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
      if (subscriptions != null) {
        all.addAll(subscriptions.made.inboxes());
      }
      return all;
    } finally {
      lock.unlock();
    }
  }

  /** Ends an inbox that is made when the others have ended, if they have. Under the lock. */
  void endIfOthersHave(Inbox inbox) {
    if (termination != null) {
      termination.endIfOthersHave(inbox);
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
        handler.onClosed(this, cause);
      } catch (RuntimeException | Error thrown) {
        Log.handlerFailed(this, thrown);
      }
    }
    // Nobody is left who would do it.
    beginClose();
  }

  boolean isHandlerThread() {
    return inboxes().stream().anyMatch(Inbox::isHandlerThread);
  }

  // Sessions.

  /** It may come to carry a session. To be called before its start. */
  void bind(SessionBinding binding) {
    session = binding;
  }

  /** It has ended, and hands out nothing more to callers of receive. */
  void detached(ArraywireException cause) {
    SessionBinding bound = session;
    if (bound != null) {
      bound.detached(cause);
    }
  }

  /**
   * The connection that users meet.
   *
   * @return this, or the session that it carries
   */
  @Override
  public Connection userConnection() {
    SessionBinding bound = session;
    return bound == null ? this : bound.userConnection();
  }

  /**
   * Whether it goes on with a session that users have met before.
   *
   * @return true if nobody is to be told of it
   */
  public boolean isResumed() {
    SessionBinding bound = session;
    return bound != null && bound.isResumed();
  }

  @Override
  @SuppressWarnings("exports")
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

  /** Whether something failed because this connection did. */
  @SuppressWarnings("ReferenceEquality") // It is the very failure that is meant.
  boolean failedWith(Throwable thrown) {
    ArraywireException failure = failure();
    if (failure == null) {
      return false;
    }
    for (Throwable each = thrown; each != null; each = each.getCause()) {
      if (each == failure) {
        return true;
      }
    }
    return false;
  }

  // For transports: life.

  /**
   * The end that the transport drives.
   *
   * @return the end, which may be a layer above this one
   */
  public WireEnd wire() {
    return wire;
  }

  /** What the transport drives is a layer above it. Before its start. */
  void wire(WireEnd layer) {
    wire = layer;
  }

  @Override
  public void start() {
    Handshake begun = handshake;
    if (begun != null && termination == null) {
      begun.start(session);
    }
  }

  /**
   * Completes when arrays can be sent and received, or exceptionally with a typed failure.
   *
   * @return the stage; it completes on the reading thread
   */
  public CompletionStage<Void> opened() {
    Handshake begun = handshake;
    return begun == null ? CompletableFuture.completedFuture(null) : begun.opened;
  }

  /**
   * Logs for a listener that a peer's handshake failed: the listener's caller never hears of it.
   *
   * @param listener the listener's address
   * @param failure what {@link #opened()} failed with
   */
  public void logNotAccepted(SocketAddress listener, Throwable failure) {
    Log.notAccepted(this, listener, failure);
  }

  /**
   * Closes at once connections whose handshake is not over: who has not said who it is has nothing
   * that could be drained.
   *
   * @param connections what a listener has accepted
   * @return the others
   */
  public static List<ProtocolConnection> closeUnopened(Collection<ProtocolConnection> connections) {
    List<ProtocolConnection> others = new ArrayList<>();
    for (ProtocolConnection connection : connections) {
      Handshake begun = connection.handshake;
      if (begun == null || begun.opened.isDone()) {
        others.add(connection);
      } else {
        connection.closeNow();
      }
    }
    return others;
  }

  /**
   * Waits for {@link #opened()}.
   *
   * @throws ArraywireException if the handshake fails
   * @throws InterruptedException if the caller is interrupted; the connection is closed
   */
  public void awaitOpened() throws ArraywireException, InterruptedException {
    try {
      context.runtime().await(opened().toCompletableFuture(), Long.MAX_VALUE);
    } catch (TimeoutException e) {
      throw new AssertionError("centuries have passed", e);
    } catch (ExecutionException e) {
      throw Failures.of(e);
    } catch (InterruptedException e) {
      closeNow();
      throw e;
    }
  }

  /**
   * Completes when the connection has ended, its channel is closed and its memory given back.
   *
   * @return the stage, which never fails
   */
  public CompletionStage<Void> ended() {
    return ended;
  }

  // For transports: the reading thread.

  @Override
  public void plan(ReadPlan plan) {
    int arrayBytes = inbound.arrayBytes();
    if (arrayBytes > 0) {
      plan.intoArray(arrayBytes);
      return;
    }
    ByteBuffer space = directSpace();
    if (space == null) {
      plan.intoWindow(ReadLimit.of(inbound), inbound.payloadRemaining(), inbound.isInsideArray());
    } else {
      plan.intoSpace(space, ReadLimit.of(inbound), inbound.payloadRemaining());
    }
  }

  private @Nullable ByteBuffer directSpace() {
    try {
      return inbound.directSpace();
    } catch (RuntimeException | Error e) {
      inputFailed(e);
      return null;
    }
  }

  @Override
  public Intake input(ByteBuffer bytes, boolean fresh) {
    try {
      if (!inbound.accept(bytes, fresh)) {
        return Intake.PAUSED;
      }
    } catch (ArraywireException | RuntimeException | Error e) {
      inputFailed(e);
      bytes.position(bytes.limit());
    } finally {
      watch.flush();
    }
    return inbound.hasMovedArrays() ? Intake.ARRAYS : Intake.CONTROL;
  }

  @Override
  public void filled(ByteBuffer space, int bytes) {
    try {
      inbound.acceptDirect(space, bytes);
    } catch (ArraywireException | RuntimeException | Error e) {
      inputFailed(e);
    } finally {
      watch.flush();
    }
  }

  @Override
  public long inputArray(ArrayIo io, int atMost) throws IOException {
    try {
      return inbound.acceptArray(io, atMost);
    } catch (ArraywireException | RuntimeException | Error e) {
      inputFailed(e);
      return 0;
    } finally {
      watch.flush();
    }
  }

  @Override
  public boolean inputEnded() {
    termination().inputEnded();
    return true;
  }

  private void inputFailed(Throwable thrown) {
    termination().inputFailed(thrown);
  }

  // For transports: the writing thread.

  @Override
  public @Nullable Output output() {
    try {
      if (termination != null && isLinkClosed()) {
        return outbound.isEnded() ? Output.END : null;
      }
      OutputBatch batch = outbound.next();
      if (batch == null && outbound.isEnded()) {
        termination().endIfOver();
        return Output.END;
      }
      return batch;
    } catch (RuntimeException | Error e) {
      termination().outputFailed(e);
      return null;
    } finally {
      watch.flush();
    }
  }

  private boolean isLinkClosed() {
    lock.lock();
    try {
      return termination != null && termination.isLinkClosed();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean wrote(long bytes) {
    outbound.complete(outbound.wrote(bytes));
    watch.flush();
    return outbound.hasWrittenAll();
  }

  /** Whether the last byte was written. */
  boolean isOutputEnded() {
    return outbound.isEnded();
  }

  @Override
  public void disposed(Direction direction) {
    if (direction == Direction.INPUT) {
      inbound.ignoreFurther();
      inboxes().forEach(Inbox::disposed);
      termination().inputDisposed();
    } else {
      outbound.release();
      termination().outputDisposed();
    }
  }

  @Override
  public void failed(Throwable thrown) {
    if (thrown instanceof IOException failed && !(thrown instanceof ArraywireException)) {
      termination().channelFailed(failed);
    } else {
      transportFailed(thrown);
    }
  }

  /** Something of this process failed in an unforeseen way. */
  @Override
  public void transportFailed(Throwable thrown) {
    fail(Failures.ofBug(thrown), false);
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

  /** What the handshake does to the connection. */
  private final class HandshakeOwner implements Handshake.Owner {
    @Override
    public void fail(ArraywireException cause) {
      ProtocolConnection.this.fail(cause, false);
    }

    @Override
    public void reserved(int bytes) {
      lock.lock();
      try {
        reservedBytes = bytes;
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void trusts(boolean trusted) {
      peerTrusted = trusted;
    }

    @Override
    public boolean agreed(
        Agreement agreed, Codec codec, @Nullable Offer peer, @Nullable SessionBinding binding) {
      session = binding;
      if (hasFailed()) {
        return false;
      }
      FlowOffer peerFlow = peer == null ? FlowOffer.NONE : peer.flow();
      long peerMaxFrameBytes = peer == null ? Long.MAX_VALUE : peer.maxFrameBytes();
      outbound.agreed(
          codec,
          agreed.plain(),
          agreed.checksums(),
          agreed.chunkBytes(),
          (int) Math.min(peerMaxFrameBytes, ARRAY_DIRECT_CHUNKS * (long) agreed.chunkBytes()),
          context.shared(peerFlow));
      if (peer != null) {
        sender.agreed(peer.maxArrayBytes());
      }
      inbound.agreed(agreed.checksums());
      // Before anything that may fail, and before others are told; but behind what those need who
      // see it without the lock.
      agreement = context.shared(agreed);
      watch.opened(userConnection(), binding != null, isResumed());
      channels.keepCredit(peerFlow.hasCredit());
      KeepAliveLimits limits = context.livenessLimits(peerFlow);
      KeepAliveTimer.Round joined =
          context.keepAliveTimer().join(ProtocolConnection.this, limits.period);
      round = joined;
      liveness = new KeepAlive(limits, !joined.isNew());
      return true;
    }

    @Override
    public void opened() {
      handshake = null;
    }
  }

  /** What has to be given back of the budget of all connections; once. Under the lock. */
  int takeReserved() {
    int reserved = reservedBytes;
    reservedBytes = 0;
    return reserved;
  }

  @Override
  public boolean isPeerTrusted() {
    return peerTrusted;
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

  /** An array is queued, or waits for room. Under the lock. */
  void watchSends() {
    SendWatch watchOfSends = sendWatch;
    if (watchOfSends == null) {
      watchOfSends = new SendWatch(this, outbound);
      sendWatch = watchOfSends;
    }
    watchOfSends.begin();
  }

  /** Nobody looks after it any more. Under the lock. */
  void stopTimers() {
    if (sendWatch != null) {
      sendWatch.end();
    }
    Handshake begun = handshake;
    if (begun != null) {
      begun.cancelDeadline();
    }
    if (round != null) {
      round.leave(this);
    }
  }

  // Looking after the connection.

  /** Looks after itself; called once per period, and perhaps once more when it has ended. */
  @Override
  public void look() {
    ArraywireException reason;
    String waits = null;
    boolean beat;
    boolean asks;
    lock.lock();
    try {
      KeepAlive looks = liveness;
      if (looks == null || hasFailed()) {
        return;
      }
      long sent = outbound.bytesSent();
      reason =
          looks.look(
              inbound.bytesReceived(),
              inbound.frameEdges(),
              outbound.isStuck(),
              sent,
              arraysMoved + outbound.movedBytes() + inbound.moves(),
              remoteAddress());
      if (reason == null) {
        reason = lookAtArrays(looks.limits());
      }
      if (channels.areSeveral()) {
        waits =
            ReceiveWatch.look(
                channels.all().stream().map(channel -> channel.inbox.queue).toList(),
                looks.limits().period);
      }
      beat = looks.beats(sent) && !outbound.isStuck();
      asks = looks.asks() && !outbound.isStuck();
      if (looks.hasComeToRest()) {
        outbound.trim();
        channels.all().forEach(channel -> channel.inbox.trim());
      }
    } finally {
      lock.unlock();
    }
    if (waits != null) {
      Log.receiveWaits(waits);
    }
    if (reason != null) {
      // Of the others it is not to be expected that they read it.
      fail(
          reason,
          reason instanceof IdleTimeoutException
              || reason instanceof SlowFrameException
              || reason instanceof StalledArrayException);
    } else if (asks) {
      queueControl(ControlFrames.ping());
    } else if (beat) {
      queueControl(ControlFrames.pong(0));
    }
  }

  /** Looks after the arrays that have begun to arrive; under the lock. */
  private @Nullable ArraywireException lookAtArrays(KeepAliveLimits limits) {
    if (!inbound.isInsideArray()) {
      progress = null;
      return null;
    }
    InboundProgress looks = progress;
    if (looks == null) {
      looks = new InboundProgress(limits);
      progress = looks;
    }
    return looks.look(
        inbound, channels.all().stream().map(channel -> channel.in).toList(), channelLimit());
  }

  /** What the end of the connection has waited for in vain. */
  String missing() {
    lock.lock();
    try {
      return outbound.missing();
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

  @Override
  public void useless(FrameType type) throws ControlFloodException {
    useless(type, EffectlessFrames.FRAME);
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

  // What the peer's control frames mean, on the reading thread.

  private static final FrameTable<ProtocolConnection> FRAMES = frames();

  private static FrameTable<ProtocolConnection> frames() {
    FrameTable<ProtocolConnection> frames = new FrameTable<>();
    Requests.register(frames, ProtocolConnection::requests);
    Subscriptions.register(frames, ProtocolConnection::subscriptions);
    Function<ProtocolConnection, ProtocolConnection> itself = Function.identity();
    return frames
        .on(FrameType.ACK, itself, (to, header, at, body) -> to.acknowledgedAll(at, header))
        .on(FrameType.CREDIT, itself, (to, header, at, body) -> to.credited(at, header))
        .on(FrameType.REJECTED, itself, (to, header, at, body) -> to.rejected(at, header, body))
        .on(FrameType.PING, itself, (to, header, at, body) -> to.pinged(header))
        // A sign of life, by its coming.
        .on(FrameType.PONG, itself, (to, header, at, body) -> to.useless(header.type))
        .on(
            FrameType.ERROR,
            itself,
            (to, header, at, body) -> {
              throw FaultBody.read(body);
            });
  }

  @Override
  @SuppressWarnings("exports")
  public void control(FrameHeader header, InboundChannel channel, byte[] body)
      throws ArraywireException {
    FRAMES.frame(this, header, channel, body);
  }

  @Override
  public void checkAgreed(FrameType type) throws UnknownCodeException {
    if (type == FrameType.CREDIT && !channels.keepsCredit()) {
      throw new UnknownCodeException(
          "credit, which was not agreed on in the handshake", "type", type.code());
    }
    if (type == FrameType.CANCEL && !keepsRequests()) {
      throw new UnknownCodeException(
          "a cancelled request, though requests were not agreed on in the handshake",
          "type",
          type.code());
    }
    if (type.code() >= FrameType.SUBSCRIBE.code() && !keepsSubscriptions()) {
      throw new UnknownCodeException(
          "a subscription, though subscriptions were not agreed on in the handshake",
          "type",
          type.code());
    }
  }

  @Override
  @SuppressWarnings("exports")
  public InboundChannel channelOfFrame(int id) throws UnknownCodeException {
    return channels.ofFrame(id);
  }

  @Override
  @SuppressWarnings("exports")
  public @Nullable InboundChannel insideArray() {
    return channels.insideArray();
  }

  @Override
  public void peerSaidGoodbye() {
    termination().peerSaidGoodbye();
  }

  @Override
  @SuppressWarnings("exports")
  public void acknowledged(InboundChannel channel, int low) throws ProtocolException {
    OutboundArray done;
    lock.lock();
    try {
      OutboundChannel out = channels.get(channel.id).out;
      done = acknowledged(out, outbound.widen(out, low));
    } finally {
      lock.unlock();
    }
    outbound.complete(done);
    wakeWriterToSayGoodbye();
  }

  private void acknowledgedAll(InboundChannel channel, FrameHeader header)
      throws ProtocolException {
    OutboundArray done;
    lock.lock();
    try {
      if (!outbound.coversAnswer()) {
        useless(FrameType.ACK);
      }
      done = acknowledged(channels.get(channel.id).out, header.sequence);
    } finally {
      lock.unlock();
    }
    outbound.complete(done);
    wakeWriterToSayGoodbye();
  }

  private @Nullable OutboundArray acknowledged(OutboundChannel out, long sequence)
      throws ProtocolException {
    OutboundArray done = outbound.acknowledged(out, sequence);
    arraysMoved += done == null ? 0 : 1;
    return done;
  }

  private void credited(InboundChannel channel, FrameHeader header) throws ProtocolException {
    boolean changed;
    lock.lock();
    try {
      if (!outbound.coversAnswer()) {
        useless(FrameType.CREDIT);
      }
      changed = outbound.allowed(channels.get(channel.id).out, header.tag, header.count);
      arraysMoved += changed ? 1 : 0;
    } finally {
      lock.unlock();
    }
    if (changed) {
      link.wakeWriter();
    }
  }

  // Requests.

  CompletionStage<ReceivedArray> request(
      ChannelEnd channel, ArraySlice slice, RequestOptions requestOptions) {
    Requests.checkAgreed(agreement());
    return requests().made.request(channel.out, slice, requestOptions);
  }

  /** Whether both sides know requests. */
  boolean keepsRequests() {
    lock.lock();
    try {
      return agreement != null && agreement.requests();
    } finally {
      lock.unlock();
    }
  }

  @Override
  @SuppressWarnings("exports")
  public Requests requests() {
    lock.lock();
    try {
      Requests all = requests;
      if (all == null) {
        all = new Requests(this, outbound);
        requests = all;
      }
      return all;
    } finally {
      lock.unlock();
    }
  }

  @Override
  @SuppressWarnings("exports")
  public long checkEnvelope(ArrayEnvelope envelope, long count, InboundChannel channel)
      throws ProtocolException {
    checkRequest(envelope, count);
    return checkPublication(envelope, channel.id);
  }

  /** Checks what an array says of requests, before there is a place for it. */
  private void checkRequest(ArrayEnvelope envelope, long count) throws ProtocolException {
    if (envelope.request() == 0 && envelope.reply() == 0 && envelope.fault() == null) {
      return;
    }
    if (!keepsRequests()) {
      throw new UnexpectedFrameException(
          "a request or reply, though requests were not agreed on in the handshake",
          "request",
          envelope.request(),
          "reply",
          envelope.reply());
    }
    requests().check(envelope, count);
  }

  void endRequests(ArraywireException cause) {
    Requests all;
    lock.lock();
    try {
      all = requests;
    } finally {
      lock.unlock();
    }
    if (all != null) {
      all.end(cause);
    }
  }

  // Subscriptions.

  /** Has the peer subscribe to what a listener publishes. To be called before its start. */
  void publishes(Subscribers published) {
    subscribers = published;
  }

  /** Whether the peer has subscribed to something. */
  boolean hasSubscribers() {
    lock.lock();
    try {
      return subscriptions != null && subscriptions.taken.hasSubscribers();
    } finally {
      lock.unlock();
    }
  }

  @Override
  @SuppressWarnings("exports")
  public @Nullable Subscribers subscribers() {
    return subscribers;
  }

  @Override
  public Subscription subscribe(String subject, SubscribeOptions subscribeOptions)
      throws ArraywireException, InterruptedException {
    return subscribeWith(subject, subscribeOptions, null);
  }

  @Override
  public Subscription subscribe(
      String subject, SubscribeOptions subscribeOptions, ArrayHandler subscriber)
      throws ArraywireException, InterruptedException {
    return subscribeWith(
        subject, subscribeOptions, Objects.requireNonNull(subscriber, "subscriber"));
  }

  private Subscription subscribeWith(
      String subject, SubscribeOptions subscribeOptions, @Nullable ArrayHandler subscriber)
      throws ArraywireException, InterruptedException {
    Objects.requireNonNull(subscribeOptions, "options");
    Subscriptions.checkAgreed(agreement());
    return subscriptions().made.subscribe(subject, subscribeOptions, subscriber);
  }

  /** Whether both sides know subscriptions. */
  boolean keepsSubscriptions() {
    lock.lock();
    try {
      return agreement != null && agreement.subscriptions();
    } finally {
      lock.unlock();
    }
  }

  Subscriptions subscriptions() {
    lock.lock();
    try {
      Subscriptions all = subscriptions;
      if (all == null) {
        all = new Subscriptions(this, outbound);
        subscriptions = all;
      }
      return all;
    } finally {
      lock.unlock();
    }
  }

  /** Checks what an array says of a subscription; returns how many are missing before it. */
  private long checkPublication(ArrayEnvelope envelope, int channel)
      throws UnexpectedFrameException {
    if (envelope.publication() == 0) {
      return 0;
    }
    if (!keepsSubscriptions()) {
      throw new UnexpectedFrameException(
          "a published array, though subscriptions were not agreed on in the handshake",
          "publication",
          envelope.publication());
    }
    return subscriptions().made.arrives(channel, envelope.publication());
  }

  void endSubscriptions(ArraywireException cause) {
    Subscriptions all;
    lock.lock();
    try {
      all = subscriptions;
    } finally {
      lock.unlock();
    }
    if (all != null) {
      all.end(cause);
    }
  }

  // What is told to the peer, on any thread.

  /** Queues a control frame; a peer that does not read them loses the connection. */
  @Override
  public void queueControl(byte[] frame) {
    boolean queued;
    lock.lock();
    try {
      queued = outbound.queueControl(frame);
    } finally {
      lock.unlock();
    }
    if (queued) {
      link.wakeWriter();
    } else {
      failLater(Failures.doesNotReadControl(remoteAddress()));
    }
  }

  @Override
  public void wakeWriter() {
    link.wakeWriter();
  }

  /** The same, in a hurry or not. */
  void wakeWriter(boolean soonWillDo) {
    if (soonWillDo) {
      link.wakeWriterSoon();
    } else {
      link.wakeWriter();
    }
  }

  /** This side allows the peer to send more. Under the lock. */
  @Override
  @SuppressWarnings("exports")
  public void grant(OutboundChannel channel, long onChannel, long onConnection) {
    outbound.grant(channel, onChannel, onConnection);
    link.wakeWriter();
  }

  /** What was awaited may have been the last thing before the goodbye. */
  @Override
  public void wakeWriterToSayGoodbye() {
    if (termination == null) {
      // Who begins to end it from now on wakes the writer.
      return;
    }
    boolean wake;
    lock.lock();
    try {
      wake = termination != null && termination.isBeingClosed() && !outbound.hasUnacknowledged();
    } finally {
      lock.unlock();
    }
    if (wake) {
      link.wakeWriter();
    }
  }

  private void rejected(InboundChannel at, FrameHeader header, byte[] body)
      throws ProtocolException {
    RemoteErrorException fault = FaultBody.read(body);
    int channel = at.id;
    long sequence = header.sequence;
    OutboundArray transfer;
    long request;
    lock.lock();
    try {
      transfer = outbound.rejected(channels.get(channel).out, sequence);
      request = transfer == null || requests == null ? 0 : requests.made.numberOf(transfer);
    } finally {
      lock.unlock();
    }
    ArraywireException rejection =
        Failures.refusedByPeer(fault, request, channel, link.remoteAddress());
    watch.rejected(channel, sequence, true, rejection);
    if (transfer == null) {
      handlerLog().refusedThere(channel, sequence, rejection);
    } else {
      // A peer may refuse what it has not read whole; the caller has the array back from now on.
      transfer.withdraw();
      transfer.fail(context.completions(), rejection);
    }
    wakeWriterToSayGoodbye();
  }

  @Override
  @SuppressWarnings("exports")
  public HandlerLog handlerLog() {
    return context.handlerLogs().of(this, ended.isDone());
  }

  private void pinged(FrameHeader header) throws ControlFloodException {
    useless(header.type);
    lock.lock();
    try {
      var unused = outbound.queuePong(ControlFrames.pong(header.tag));
    } finally {
      lock.unlock();
    }
    link.wakeWriter();
  }

  // What becomes of arrays here, on any thread.

  /**
   * Arrays are processed, and are to be acknowledged. Under the lock.
   *
   * @param comesAgain whether the one who had the last of them mostly comes for the next at once
   */
  @Override
  @SuppressWarnings("exports")
  public void processed(OutboundChannel channel, long sequence, boolean comesAgain) {
    arraysMoved++;
    if (options().plainType() != null) {
      return;
    }
    outbound.processed(channel, sequence);
    wakeWriter(comesAgain);
  }

  /** Tells the sender of an array that it is refused; it has still to be acknowledged. */
  @Override
  @SuppressWarnings("exports")
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
  @SuppressWarnings("exports")
  public void notTaken(OutboundChannel channel, long sequence) {
    if (options().plainType() == null) {
      queueRejected(channel, sequence, Failures.closedHere(remoteAddress()));
    }
  }

  @Override
  @SuppressWarnings("exports")
  public void queueRejected(OutboundChannel channel, long sequence, ArraywireException refusal) {
    queueControl(ControlFrames.rejected(channel.id, sequence, refusal));
  }

  void resumeReading() {
    link.resumeReading();
  }

  /** Lends the thread of a caller, who waits for a result, to the link. */
  void help(Future<?> result) {
    link.help(result);
  }

  // The end.

  @Override
  public void close() throws ArraywireException {
    closeAll(List.of(this));
  }

  /**
   * Closes connections as {@link #close()} does, all at the same time.
   *
   * @param connections what to close
   * @throws ArraywireException if a connection could not be drained in time; others that could not
   *     are suppressed
   */
  public static void closeAll(Collection<ProtocolConnection> connections)
      throws ArraywireException {
    Closing.closeAll(connections);
  }

  /** Begins what {@link #close()} does, without waiting. Idempotent. */
  public void beginClose() {
    termination().beginClose();
  }

  @Override
  public void closeNow() {
    termination().closeNow();
  }

  /**
   * Ends the connection. Everything that waits, or will, gets the cause; the peer is told if that
   * can be done.
   */
  void fail(ArraywireException cause, boolean tellPeer) {
    termination().fail(cause, tellPeer);
  }

  @Override
  public void failLater(ArraywireException cause) {
    context.deadlines().after(Duration.ZERO, () -> fail(cause, true));
  }

  /** How it ends, for those who have it end or know of a reason. */
  Shutdown termination() {
    lock.lock();
    try {
      Shutdown begun = termination;
      if (begun == null) {
        begun = new Shutdown(this, inbound);
        termination = begun;
      }
      return begun;
    } finally {
      lock.unlock();
    }
  }

  /** What it failed with, or ended; null before. */
  @Nullable ArraywireException failure() {
    if (termination == null) {
      return null;
    }
    lock.lock();
    try {
      return termination == null ? null : termination.failure();
    } finally {
      lock.unlock();
    }
  }

  /** Under the lock. */
  boolean hasFailed() {
    return termination != null && termination.failure() != null;
  }

  /** Under the lock. */
  @Override
  public void checkNotFailed() throws ArraywireException {
    if (termination != null) {
      termination.checkNotFailed();
    }
  }

  /** Under the lock. */
  @Override
  public void checkCanSend() throws ArraywireException {
    if (termination != null) {
      termination.checkCanSend();
    }
  }

  /** Whether this side takes no new arrays to send. Under the lock. */
  @Override
  public boolean refusesArrays() {
    return termination != null && termination.refusesArrays();
  }

  /** Whether one of the sides ends it in order. */
  boolean isBeingClosed() {
    lock.lock();
    try {
      return termination != null && termination.isBeingClosed();
    } finally {
      lock.unlock();
    }
  }

  boolean hasPeerSaidGoodbye() {
    lock.lock();
    try {
      return termination != null && termination.hasPeerSaidGoodbye();
    } finally {
      lock.unlock();
    }
  }

  // Looks.

  @Override
  public SocketAddress localAddress() {
    return link.localAddress();
  }

  @Override
  public SocketAddress remoteAddress() {
    return link.remoteAddress();
  }

  @Override
  public boolean isOpen() {
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

  /** What arrays to the peer are encoded with. */
  @Override
  public Codec codec() {
    return outbound.codec();
  }

  @Override
  public ConnectionLoad load() {
    lock.lock();
    try {
      ConnectionLoad sum = outbound.load();
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
    lock.lock();
    try {
      String state =
          agreement == null && !hasFailed()
              ? "in handshake"
              : termination == null ? "open" : termination.describe();
      return context.transport()
          + " "
          + localAddress()
          + " -> "
          + remoteAddress()
          + " over "
          + Description.path(remoteAddress(), context.transport())
          + ", large arrays "
          + link.arrayPath()
          + ", "
          + state
          + (agreement == null ? "" : "; agreed: " + Description.of(agreement))
          + "; out: "
          + outbound.describe()
          + (outbound.openRequests == 0 ? "" : ", openRequests=" + outbound.openRequests)
          + "; in: bytesReceived="
          + inbound.bytesReceived()
          + inboxes().stream().map(inbox -> ", " + inbox.describe()).collect(Collectors.joining())
          + (liveness == null ? "" : "; heartbeats: " + liveness.describe());
    } finally {
      lock.unlock();
    }
  }

  @Override
  public String toString() {
    return describe();
  }
}
