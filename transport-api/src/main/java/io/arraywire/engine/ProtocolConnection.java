package io.arraywire.engine;

import io.arraywire.Agreement;
import io.arraywire.AllocationFailedException;
import io.arraywire.ArrayHandler;
import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.BadMagicException;
import io.arraywire.Channel;
import io.arraywire.CloseTimeoutException;
import io.arraywire.Connection;
import io.arraywire.ConnectionClosedException;
import io.arraywire.ConnectionLoad;
import io.arraywire.ConnectionResetException;
import io.arraywire.ControlFloodException;
import io.arraywire.Delivery;
import io.arraywire.DeliveryUnknownException;
import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.HandshakeTimeoutException;
import io.arraywire.IdleTimeoutException;
import io.arraywire.MemoryBudgetException;
import io.arraywire.ProtocolException;
import io.arraywire.ReceivedArray;
import io.arraywire.RemoteErrorException;
import io.arraywire.RequestOptions;
import io.arraywire.ResumeRejectedException;
import io.arraywire.SlowFrameException;
import io.arraywire.SubscribeOptions;
import io.arraywire.Subscription;
import io.arraywire.TransportOptions;
import io.arraywire.UnexpectedFrameException;
import io.arraywire.engine.Engine.Role;
import io.arraywire.spi.Codec;
import io.arraywire.wire.ArrayEnvelope;
import io.arraywire.wire.FlowOffer;
import io.arraywire.wire.FrameLayout;
import io.arraywire.wire.FrameType;
import io.arraywire.wire.HandshakeMessage;
import io.arraywire.wire.Negotiation;
import io.arraywire.wire.Offer;
import io.arraywire.wire.Preamble;
import io.arraywire.wire.SessionOffer;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A connection above any channel: handshake, frames, queues, receipts and the orderly end.
 *
 * <p><b>For transports.</b> One thread at a time reads: it calls {@link #input} with what the
 * channel gave, as {@link #readLimit()} and {@link #directSpace()} ask, {@link #inputEnded()} at
 * its end and {@link #inputDisposed()} last. One thread at a time writes: it calls {@link
 * #output()} when {@link Link#wakeWriter()} asked for it, {@link #wrote} after each write, shuts
 * the channel's output down once {@link #isOutputEnded()}, and calls {@link #outputDisposed()}
 * last. It may be the same thread. A channel's exception goes to {@link #channelFailed}. None of
 * these methods throws or blocks.
 */
public final class ProtocolConnection extends MainChannel {
  /** What goes straight from an array is in larger chunks: the header is a write of its own. */
  private static final int STRAIGHT_CHUNKS = 16;

  /** How long a failing connection waits for the peer to read its error frame. */
  private static final Duration LINGER = Duration.ofSeconds(2);

  // What its parts share.

  final Engine engine;
  final Link link;
  final ReentrantLock lock = new ReentrantLock();
  final Watch watch;
  final Outbound outbound;
  final Channels channels;

  /** For those who hand in arrays. */
  final Sender sender;

  private final Role role;
  private final TransportOptions options;
  private final Inbound inbound;
  private final @Nullable ArrayHandler handler;

  private final CompletableFuture<Void> opened = new CompletableFuture<>();
  private final CompletableFuture<Void> ended = new CompletableFuture<>();

  /** The session that it is to carry, once that is known; and whether it does. */
  private volatile @Nullable SessionConnection session;

  private volatile boolean attached;
  private volatile boolean resumed;

  /** Whether the peer is known to have read the handshake. The reading thread's. */
  private boolean confirmed;

  // Guarded by the lock.
  private @Nullable Agreement agreement;
  private @Nullable ArraywireException failure;
  private boolean closing;

  /** Whether it was the peer that began to end the connection, once either has. */
  private @Nullable Boolean endedByPeer;

  private boolean peerSaidGoodbye;
  private boolean inputOver;
  private boolean linkClosed;
  private boolean inputDisposed;
  private boolean outputDisposed;
  private boolean peerTrusted;
  private boolean handlerTold;
  private @Nullable ArraywireException inboxEnd;
  private boolean inboxEndIsFailure;

  private @Nullable Liveness liveness;
  private LookRounds.@Nullable Round round;

  /** Arrays that this side is done with, and what the peer has said of those that it was sent. */
  private long arraysMoved;

  /** What was taken of the budget of all connections for what is received here. */
  private int reservedBytes;

  /** Requests in both directions, once there was one. */
  private @Nullable Requests requests;

  /** Subscriptions in both directions, once there was one. */
  private @Nullable Subscriptions subscriptions;

  /** What is published over it, if it is a listener's. */
  private volatile @Nullable Subjects subjects;

  private Runnable handshakeDeadline = () -> {};
  private Runnable lingerDeadline = () -> {};

  ProtocolConnection(Engine engine, Role role, Link link, @Nullable ArrayHandler handler) {
    this.engine = engine;
    this.role = role;
    this.link = link;
    options = engine.options();
    this.handler = handler;
    watch = new Watch(engine, this);
    outbound = new Outbound(engine, lock, watch, link);
    channels = new Channels(this, handler);
    inbound = new Inbound(this, engine, channels.main().in);
    sender = new Sender(this, lock, outbound);
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
        all.addAll(subscriptions.inboxes());
      }
      return all;
    } finally {
      lock.unlock();
    }
  }

  /** Ends an inbox that is made when the others have ended, if they have. Under the lock. */
  void endIfOthersHave(Inbox inbox) {
    if (inboxEnd != null) {
      inbox.end(inboxEnd, inboxEndIsFailure);
    }
  }

  private void endInboxes(ArraywireException cause, boolean isFailure) {
    lock.lock();
    try {
      if (inboxEnd == null) {
        inboxEnd = cause;
        inboxEndIsFailure = isFailure;
      }
    } finally {
      lock.unlock();
    }
    endRequests(cause);
    endSubscriptions(cause);
    inboxes().forEach(inbox -> inbox.end(cause, isFailure));
  }

  /** One channel's handler has had its last array; returns whether it is to be told so. */
  boolean handlerOver() {
    lock.lock();
    try {
      boolean last = channels.handlerOver() && !handlerTold;
      handlerTold |= last;
      return last;
    } finally {
      lock.unlock();
    }
  }

  // Sessions.

  /** It is to carry a session, if the listener keeps them. To be called before its start. */
  void join(SessionConnection carried) {
    session = carried;
  }

  /**
   * The connection that users meet.
   *
   * @return this, or the session that it carries
   */
  public Connection face() {
    SessionConnection carried = session;
    return attached && carried != null ? carried : this;
  }

  /**
   * Whether it goes on with a session that users have met before.
   *
   * @return true if nobody is to be told of it
   */
  public boolean isResumed() {
    return resumed;
  }

  /** The session that it carries, if it does. */
  @Nullable SessionConnection carried() {
    return attached ? session : null;
  }

  /** Whether it was to go on with a session that users have met, and never did. */
  boolean wouldResume() {
    SessionConnection carried = session;
    return !attached && carried != null && (resumed || carried.isNamed());
  }

  /** A frame came, so the peer has read the handshake. The reading thread's. */
  void frameCame() {
    if (!confirmed) {
      confirmed = true;
      SessionConnection carried = carried();
      if (carried != null) {
        carried.confirmed();
      }
    }
  }

  /** Reserves memory for a connection and finds its session, in the order that loses nothing. */
  private SessionOffer admitted(SessionOffer wanted, FlowOffer peerFlow)
      throws ResumeRejectedException, MemoryBudgetException {
    if (!wanted.isNamed()) {
      reserveInbox(peerFlow);
      return answered(wanted);
    }
    // The connection that it replaces gives its reservation back, if it has not yet.
    SessionOffer answer = answered(wanted);
    int bytes = inboxBytes(peerFlow);
    engine.budget().takeAnyway(bytes);
    noteReserved(bytes);
    return answer;
  }

  /** What the acceptor says of the session that the hello asks for. */
  private SessionOffer answered(SessionOffer wanted) throws ResumeRejectedException {
    Duration here = engine.sessionTimeout();
    if (here == null || wanted.millis() == 0) {
      if (wanted.isNamed()) {
        throw new ResumeRejectedException("no sessions are kept here (sessionTimeout=none)");
      }
      return SessionOffer.NONE;
    }
    SessionConnection found;
    if (wanted.isNamed()) {
      found = engine.sessions().find(wanted.id());
      found.checkToken(wanted.token());
      resumed = true;
    } else {
      found = engine.sessions().open(handler, SessionConnection.shorter(here, wanted.millis()));
    }
    session = found;
    return found == null ? SessionOffer.NONE : found.welcome();
  }

  /** The peer goes on with the session over another connection. */
  void supersede() {
    ConnectionResetException cause =
        new ConnectionResetException(
            "the session goes on over another connection", "peer", remoteAddress());
    fail(cause, false);
    // Also when another thread has only begun to.
    endInboxes(cause, true);
  }

  /** Whether something failed because this connection did. */
  @SuppressWarnings("ReferenceEquality") // It is the very failure that is meant.
  boolean failedWith(Throwable thrown) {
    lock.lock();
    try {
      return failure != null
          && (failure == thrown
              || (thrown instanceof DeliveryUnknownException && thrown.getCause() == failure));
    } finally {
      lock.unlock();
    }
  }

  /** Whether one of the sides ends it in order. */
  boolean isBeingClosed() {
    lock.lock();
    try {
      return closing || peerSaidGoodbye;
    } finally {
      lock.unlock();
    }
  }

  boolean hasPeerSaidGoodbye() {
    lock.lock();
    try {
      return peerSaidGoodbye;
    } finally {
      lock.unlock();
    }
  }

  /** Closes as {@link #close()} does, within a time. */
  void closeWithin(long nanos) throws ArraywireException {
    boolean begins = beginsClose();
    awaitEnd(begins, nanos);
  }

  // For transports: life.

  /** Begins the handshake. To be called once, when the channel is connected. */
  public void start() {
    ElementType plainType = options.plainType();
    if (plainType != null) {
      startPlain(plainType);
      watch.flush();
      return;
    }
    lock.lock();
    try {
      handshakeDeadline =
          engine.deadlines().after(options.handshakeTimeout(), this::handshakeTimedOut);
      if (role == Role.CONNECTOR) {
        SessionConnection carried = session;
        queueHandshake(
            HandshakeMessage.hello(
                ownOffer(), carried == null ? SessionOffer.NONE : carried.hello()));
      }
    } finally {
      lock.unlock();
    }
    link.wakeWriter();
  }

  /**
   * Completes when arrays can be sent and received, or exceptionally with a typed failure.
   *
   * @return the stage; it completes on the reading thread
   */
  public CompletionStage<Void> opened() {
    return opened;
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
      if (connection.opened.isDone()) {
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
      opened.get();
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

  /**
   * Takes what one read operation gave.
   *
   * @param bytes the bytes, from position to limit
   * @return true if all were taken; false if reading must stop, and what is left be kept, until
   *     {@link Link#resumeReading()}
   */
  public boolean input(ByteBuffer bytes) {
    return input(bytes, true);
  }

  /**
   * Takes what {@link #input} has left, or goes on where it stopped if nothing was left.
   *
   * @param bytes the same bytes, or an empty buffer
   * @return as {@link #input}
   */
  public boolean resumeInput(ByteBuffer bytes) {
    return input(bytes, false);
  }

  private boolean input(ByteBuffer bytes, boolean fresh) {
    try {
      return inbound.accept(bytes, fresh);
    } catch (ArraywireException | RuntimeException | Error e) {
      inputFailed(e);
      bytes.position(bytes.limit());
      return true;
    } finally {
      watch.flush();
    }
  }

  /**
   * The most bytes that the next read into the transport's own memory should take. More is correct,
   * but would spoil what a codec or a lease is there for.
   *
   * @return bytes, at least 1
   */
  public int readLimit() {
    return inbound.readLimit();
  }

  /**
   * Whether an array has begun to arrive of which more is due, so that memory to read into is well
   * spent. The reading thread's.
   *
   * @return true inside an array
   */
  public boolean isInsideArray() {
    return inbound.isInsideArray();
  }

  /**
   * Whether what came last was a part of an array or an answer to one, and not a sign of life. The
   * reading thread's.
   *
   * @return true if more is likely to come
   */
  public boolean hasMovedArrays() {
    return inbound.hasMovedArrays();
  }

  /**
   * What is left of the payload that is arriving, so that it can be read apart from the header that
   * follows it.
   *
   * @return bytes, 0 outside a payload
   */
  public long payloadRemaining() {
    return inbound.payloadRemaining();
  }

  /**
   * Memory that the next bytes of the stream should be read into, rather than into the transport's
   * own, so that they need not be copied.
   *
   * @return a buffer, to be filled from its position to its limit, and then given to {@link
   *     #inputDirect}; null if there is none
   */
  public @Nullable ByteBuffer directSpace() {
    try {
      return inbound.directSpace();
    } catch (RuntimeException | Error e) {
      inputFailed(e);
      return null;
    }
  }

  /**
   * One read operation put bytes into the direct space.
   *
   * @param space what {@link #directSpace()} gave, its position after the bytes
   * @param bytes how many
   */
  public void inputDirect(ByteBuffer space, int bytes) {
    try {
      inbound.acceptDirect(space, bytes);
    } catch (ArraywireException | RuntimeException | Error e) {
      inputFailed(e);
    } finally {
      watch.flush();
    }
  }

  /**
   * How many of the next bytes of the stream belong into an array's own memory as they are, so that
   * the channel should put them there; see {@link Link#leastArrayBytes()}. The reading thread's.
   *
   * @return bytes; 0 if the next read goes elsewhere
   */
  public int arrayBytes() {
    return inbound.arrayBytes();
  }

  /**
   * Reads into the array; to be called if {@link #arrayBytes()} is not 0.
   *
   * @param io reads
   * @param atMost how many bytes, at most what {@code arrayBytes} said
   * @return what {@code io} returned
   * @throws IOException if {@code io} throws it
   */
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

  /** Whether an array of that size is best read without staging. */
  boolean isWorthMoving(long arrayBytes) {
    return ShortWay.pays(arrayBytes, link);
  }

  /** The channel's input has ended in an orderly way, as far as the channel can tell. */
  public void inputEnded() {
    boolean orderly;
    boolean unanswered;
    ArraywireException known;
    lock.lock();
    try {
      inputOver = true;
      known = failure;
      orderly = peerSaidGoodbye || options.plainType() != null || failure != null;
      unanswered = failure == null && peerSaidGoodbye && outbound.awaitsAcknowledgement();
    } finally {
      lock.unlock();
    }
    try {
      inbound.streamEnded();
    } catch (ArraywireException e) {
      fail(e, false);
      return;
    }
    if (unanswered) {
      fail(
          new ConnectionResetException(
              "the peer closed the connection and did not acknowledge all that it was sent",
              "peer",
              remoteAddress()),
          false);
      return;
    }
    if (known != null) {
      // Whoever found it may not have told the receivers yet.
      endInboxes(known, !(known instanceof ConnectionClosedException));
    } else if (orderly) {
      endInboxes(Failures.closedByPeer(), false);
    } else {
      lock.lock();
      try {
        // A peer that closes at once when this side has said goodbye owes nothing but
        // acknowledgements.
        orderly = outbound.isEnded() && !outbound.hasUnacknowledged();
      } finally {
        lock.unlock();
      }
      if (!orderly) {
        fail(
            new ConnectionResetException(
                "the peer closed the connection without a goodbye; it may have crashed",
                "peer",
                remoteAddress()),
            false);
        return;
      }
      endInboxes(Failures.closedByPeer(), false);
    }
    endIfOver();
  }

  /** The reading thread is done with the connection's memory; see {@link Link#close()}. */
  public void inputDisposed() {
    inbound.ignoreFurther();
    inboxes().forEach(Inbox::disposed);
    lock.lock();
    try {
      inputDisposed = true;
    } finally {
      lock.unlock();
    }
    completeEnded();
  }

  // For transports: the writing thread.

  /**
   * What is to be written next.
   *
   * @return the batch, the same one until it is written whole; null if there is nothing to write
   *     now
   */
  public @Nullable OutputBatch output() {
    try {
      lock.lock();
      try {
        if (linkClosed) {
          return null;
        }
      } finally {
        lock.unlock();
      }
      OutputBatch batch = outbound.next();
      if (batch == null && outbound.isEnded()) {
        endIfOver();
      }
      return batch;
    } catch (RuntimeException | Error e) {
      // The batch may hold half a frame, so not even an error frame can follow.
      fail(
          e instanceof OutOfMemoryError
              ? new AllocationFailedException("no memory to write with").because(e)
              : Failures.ofBug(e),
          false);
      return null;
    } finally {
      watch.flush();
    }
  }

  /**
   * One write operation wrote bytes of the batch, whose positions the channel or the writer
   * advanced.
   *
   * @param bytes how many
   */
  public void wrote(long bytes) {
    outbound.complete(outbound.wrote(bytes));
    watch.flush();
  }

  /**
   * Writes straight from an array, once every buffer of the batch is written and its {@link
   * OutputBatch#arrayBytes()} is not 0. Notes progress itself.
   *
   * @param io writes
   * @param atMost how many bytes
   * @return what {@code io} returned
   * @throws IOException if {@code io} throws it
   */
  public long outputArray(ArrayIo io, int atMost) throws IOException {
    long written = outbound.writeStraight(io, atMost);
    if (written > 0) {
      wrote(written);
    }
    return written;
  }

  /**
   * Whether the last byte was written, so that the channel's output must be shut down.
   *
   * @return true from then on
   */
  public boolean isOutputEnded() {
    lock.lock();
    try {
      return outbound.isEnded();
    } finally {
      lock.unlock();
    }
  }

  /** The writing thread is done with the connection's memory; see {@link Link#close()}. */
  public void outputDisposed() {
    outbound.release();
    lock.lock();
    try {
      outputDisposed = true;
    } finally {
      lock.unlock();
    }
    completeEnded();
  }

  /**
   * The channel threw.
   *
   * @param failed what it threw
   */
  public void channelFailed(IOException failed) {
    boolean over;
    lock.lock();
    try {
      // Once both sides have said goodbye, how the channel ends no longer matters.
      over = peerSaidGoodbye && outbound.isEnded();
      inputOver |= over;
    } finally {
      lock.unlock();
    }
    if (over) {
      endIfOver();
    } else {
      fail(Failures.ofChannel(failed), false);
    }
  }

  /**
   * The transport failed in an unforeseen way.
   *
   * @param thrown what was thrown
   */
  public void transportFailed(Throwable thrown) {
    fail(Failures.ofBug(thrown), false);
  }

  // Handshake, on the reading thread.

  private Offer ownOffer() {
    return engine.offer(SameHost.joins(link.localAddress(), link.remoteAddress()));
  }

  private void startPlain(ElementType type) {
    Codec codec;
    try {
      codec = engine.plainCodec();
      reserveInbox(FlowOffer.NONE);
    } catch (ArraywireException e) {
      fail(e, false);
      return;
    }
    agree(
        new Agreement(
            true,
            0,
            Encoding.RAW_BIG_ENDIAN.name(),
            codec.name(),
            Set.of(type),
            options.maxArrayBytes(),
            options.maxArrayBytes(),
            options.chunkBytes(),
            false,
            1,
            false,
            null,
            "unknown",
            false,
            false),
        null,
        Long.MAX_VALUE,
        FlowOffer.NONE,
        codec);
  }

  /** Reserves what the inbox may hold, until the connection has ended. */
  private void reserveInbox(FlowOffer peerFlow) throws MemoryBudgetException {
    int bytes = inboxBytes(peerFlow);
    engine.budget().reserve(bytes);
    noteReserved(bytes);
  }

  private int inboxBytes(FlowOffer peerFlow) {
    return peerFlow.hasCredit()
        ? (int) engine.offer().flow().connectionCredit()
        : options.inboxBytes();
  }

  private void noteReserved(int bytes) {
    lock.lock();
    try {
      reservedBytes = bytes;
    } finally {
      lock.unlock();
    }
  }

  void handshake(Preamble preamble, HandshakeMessage message) throws ArraywireException {
    boolean expected =
        role == Role.ACCEPTOR
            ? message.kind() == HandshakeMessage.Kind.HELLO
            : message.kind() != HandshakeMessage.Kind.HELLO;
    if (!expected) {
      throw new UnexpectedFrameException(
          "a handshake message from the wrong side", "message", message.kind());
    }
    if (message.fault() != null) {
      throw message.fault();
    }
    Offer peer = message.offer();
    if (peer == null) {
      throw new IllegalStateException("a message without an offer");
    }
    int version = Negotiation.version(preamble);
    Negotiation.agree(engine.offer(), peer);
    Codec codec = engine.encoderFor(peer);
    SessionOffer offered;
    if (role == Role.CONNECTOR) {
      Negotiation.confirm(version, message.wireVersion());
      reserveInbox(peer.flow());
      offered = message.session();
      SessionConnection carried = session;
      if (carried != null && offered.isNamed()) {
        resumed = carried.isNamed();
        carried.welcomed(offered);
      } else {
        session = null;
      }
    } else {
      Negotiation.authenticate(engine.offer().token(), peer);
      offered = admitted(message.session(), peer.flow());
      lock.lock();
      try {
        peerTrusted = options.authToken() != null;
        queueHandshake(HandshakeMessage.welcome(ownOffer(), version, offered));
      } finally {
        lock.unlock();
      }
    }
    Set<ElementType> types = EnumSet.noneOf(ElementType.class);
    for (ElementType type : ElementType.values()) {
      if (peer.understands(type) && codec.encoding().supports(type)) {
        types.add(type);
      }
    }
    agree(
        new Agreement(
            false,
            version,
            codec.encoding().name(),
            codec.name(),
            types,
            Math.min(options.maxArrayBytes(), peer.maxArrayBytes()),
            options.maxArrayBytes(),
            (int) Math.min(options.chunkBytes(), peer.maxFrameBytes()),
            ownOffer().checksums() || peer.checksums(),
            peer.flow().hasCredit() ? Math.min(options.maxChannels(), peer.flow().channels()) : 1,
            peer.flow().hasCredit(),
            session == null ? null : session.timeout(),
            peer.library(),
            peer.flow().hasCredit() && peer.flow().requests(),
            peer.flow().hasCredit() && peer.flow().subscriptions()),
        peer.maxArrayBytes(),
        peer.maxFrameBytes(),
        peer.flow(),
        codec);
    link.wakeWriter();
  }

  private void agree(
      Agreement agreed,
      @Nullable Long peersLimit,
      long peerMaxFrameBytes,
      FlowOffer peerFlow,
      Codec codec) {
    SessionConnection carried = session;
    lock.lock();
    try {
      if (failure != null) {
        if (carried != null && role == Role.ACCEPTOR && !resumed) {
          // Nobody will ever meet it.
          engine.sessions().forget(carried);
        }
        return;
      }
      agreement = engine.shared(agreed);
      watch.opened(carried == null ? this : carried, carried != null, resumed);
      if (peersLimit != null) {
        sender.agreed(peersLimit);
      }
      outbound.agreed(
          codec,
          agreed.plain(),
          agreed.checksums(),
          agreed.chunkBytes(),
          (int) Math.min(peerMaxFrameBytes, STRAIGHT_CHUNKS * (long) agreed.chunkBytes()),
          engine.shared(peerFlow));
      inbound.agreed(agreed.checksums());
      handshakeDeadline.run();
      handshakeDeadline = () -> {}; // The cancelled task is not kept.
      if (peerFlow.hasCredit()) {
        channels.keepCredit();
      }
      LivenessLimits limits = engine.livenessLimits(peerFlow);
      if (limits.isOfUse()) {
        LookRounds.Round joined = engine.lookRounds().join(this, limits.period);
        round = joined;
        liveness = new Liveness(limits, !joined.isNew());
      } else {
        liveness = new Liveness(limits, false);
      }
    } finally {
      lock.unlock();
    }
    if (carried != null) {
      attached = true;
      carried.attach(this);
      if (resumed) {
        watch.resumed();
      }
      detachIfFailed(carried);
    }
    opened.complete(null);
  }

  /** A failure between the end of the handshake and now has not been told. */
  private void detachIfFailed(SessionConnection carried) {
    ArraywireException cause;
    lock.lock();
    try {
      cause = failure;
    } finally {
      lock.unlock();
    }
    if (cause != null) {
      carried.detached(this, cause);
    }
  }

  private void queueHandshake(byte[] message) {
    outbound.queueHandshake(Preamble.write(FrameLayout.VERSION, FrameLayout.VERSION, message));
  }

  private void handshakeTimedOut() {
    if (!opened.isDone()) {
      fail(
          new HandshakeTimeoutException(
              "the peer did not finish its handshake in time; it may not speak Arraywire",
              "peer",
              remoteAddress(),
              "handshakeTimeout",
              options.handshakeTimeout()),
          false);
    }
  }

  // Looking after the connection.

  /** Looks after itself; called once per period, and perhaps once more when it has ended. */
  void look() {
    ArraywireException reason;
    boolean beat;
    lock.lock();
    try {
      Liveness looks = liveness;
      if (looks == null || failure != null) {
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
      beat = looks.beats(sent) && !outbound.isStuck();
      if (looks.hasComeToRest()) {
        outbound.trim();
        channels.all().forEach(channel -> channel.inbox.trim());
      }
    } finally {
      lock.unlock();
    }
    if (reason != null) {
      // Of the others it is not to be expected that they read it.
      fail(reason, reason instanceof IdleTimeoutException || reason instanceof SlowFrameException);
    } else if (beat) {
      queueControl(ControlFrames.pong(0));
    }
  }

  /** A control frame came that has no effect, or may have none. */
  void useless(FrameType type) throws ControlFloodException {
    boolean bears;
    lock.lock();
    try {
      bears = liveness == null || liveness.bears();
    } finally {
      lock.unlock();
    }
    if (!bears) {
      throw new ControlFloodException(
          "the peer sends too many control frames without effect",
          "type",
          type,
          "limit",
          Liveness.FLOOD_FRAMES + " in 30 s");
    }
  }

  boolean isPeerTrusted() {
    lock.lock();
    try {
      return peerTrusted;
    } finally {
      lock.unlock();
    }
  }

  // What the peer's control frames mean, on the reading thread.

  void acknowledged(int channel, int low) throws ProtocolException {
    long sequence;
    lock.lock();
    try {
      sequence = outbound.widen(channels.get(channel).out, low);
    } finally {
      lock.unlock();
    }
    acknowledgedAll(channel, sequence);
  }

  void acknowledgedAll(int channel, long sequence) throws ProtocolException {
    Transfer done;
    lock.lock();
    try {
      done = outbound.acknowledged(channels.get(channel).out, sequence);
      arraysMoved += done == null ? 0 : 1;
    } finally {
      lock.unlock();
    }
    outbound.complete(done);
    wakeWriterToSayGoodbye();
  }

  void credited(int channel, long onChannel, long onConnection) throws ProtocolException {
    boolean changed;
    lock.lock();
    try {
      changed = outbound.allowed(channels.get(channel).out, onChannel, onConnection);
      arraysMoved += changed ? 1 : 0;
    } finally {
      lock.unlock();
    }
    if (!changed) {
      useless(FrameType.CREDIT);
    }
    link.wakeWriter();
  }

  // Requests.

  CompletionStage<ReceivedArray> request(
      ChannelEnd channel, ArraySlice slice, RequestOptions requestOptions) {
    Requests.checkAgreed(agreement());
    return requests().request(channel.out, slice, requestOptions);
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

  Requests requests() {
    lock.lock();
    try {
      Requests all = requests;
      if (all == null) {
        all = new Requests(this, engine, lock, outbound);
        requests = all;
      }
      return all;
    } finally {
      lock.unlock();
    }
  }

  /** Checks what an array says of requests, before there is a place for it. */
  void checkRequest(ArrayEnvelope envelope, long count) throws UnexpectedFrameException {
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

  private void endRequests(ArraywireException cause) {
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

  /** Whether this side takes no new arrays to send. Under the lock. */
  boolean refusesArrays() {
    return closing || peerSaidGoodbye || failure != null;
  }

  // Subscriptions.

  /**
   * What is published over it. To be called before its start.
   *
   * @param published the listener's
   */
  public void publishes(Subjects published) {
    subjects = published;
  }

  /** Whether the peer has subscribed to something. */
  boolean hasSubscribers() {
    lock.lock();
    try {
      return subscriptions != null && subscriptions.hasSubscribers();
    } finally {
      lock.unlock();
    }
  }

  @Nullable Subjects subjects() {
    return subjects;
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
    return subscriptions().subscribe(subject, subscribeOptions, subscriber);
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
        all = new Subscriptions(this, engine, lock, outbound);
        subscriptions = all;
      }
      return all;
    } finally {
      lock.unlock();
    }
  }

  /** Checks what an array says of a subscription; returns how many are missing before it. */
  long checkPublication(ArrayEnvelope envelope, int channel) throws UnexpectedFrameException {
    if (envelope.publication() == 0) {
      return 0;
    }
    if (!keepsSubscriptions()) {
      throw new UnexpectedFrameException(
          "a published array, though subscriptions were not agreed on in the handshake",
          "publication",
          envelope.publication());
    }
    return subscriptions().arrives(channel, envelope.publication());
  }

  private void endSubscriptions(ArraywireException cause) {
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

  void wakeWriter() {
    link.wakeWriter();
  }

  /** This side allows the peer to send more. Under the lock. */
  void grant(OutboundChannel channel, long onChannel, long onConnection) {
    outbound.grant(channel, onChannel, onConnection);
    link.wakeWriter();
  }

  /** What was awaited may have been the last thing before the goodbye. */
  void wakeWriterToSayGoodbye() {
    boolean wake;
    lock.lock();
    try {
      wake = (closing || peerSaidGoodbye) && !outbound.hasUnacknowledged();
    } finally {
      lock.unlock();
    }
    if (wake) {
      link.wakeWriter();
    }
  }

  void rejected(int channel, long sequence, RemoteErrorException fault)
      throws UnexpectedFrameException {
    Transfer transfer;
    lock.lock();
    try {
      transfer = outbound.rejected(channels.get(channel).out, sequence);
    } finally {
      lock.unlock();
    }
    ArraywireException rejection = Outbound.rejection(fault);
    watch.rejected(channel, sequence, true, rejection);
    if (transfer != null) {
      // A peer may refuse what it has not read whole; the caller has the array back from now on.
      transfer.withdraw();
      transfer.fail(engine.completions(), rejection);
    }
    wakeWriterToSayGoodbye();
  }

  void pong(long tag) {
    lock.lock();
    try {
      var unused = outbound.queuePong(ControlFrames.pong(tag));
    } finally {
      lock.unlock();
    }
    link.wakeWriter();
  }

  void peerSaidGoodbye() {
    lock.lock();
    try {
      peerSaidGoodbye = true;
      noteEnd();
      outbound.endAfterGoodbye();
    } finally {
      lock.unlock();
    }
    endInboxes(Failures.closedByPeer(), false);
    finishOutput();
  }

  // What becomes of arrays here, on any thread.

  void processed(OutboundChannel channel, long sequence) {
    lock.lock();
    try {
      arraysMoved++;
      if (options.plainType() != null) {
        return;
      }
      outbound.processed(channel, sequence);
    } finally {
      lock.unlock();
    }
    link.wakeWriter();
  }

  /** Tells the sender of an array that it is refused; it has still to be acknowledged. */
  void refuse(OutboundChannel channel, long sequence, ArraywireException refusal) {
    Log.rejected(this, sequence, refusal, options.plainType() == null);
    watch.rejected(channel.id, sequence, false, refusal);
    if (options.plainType() == null) {
      queueRejected(channel, sequence, refusal);
    }
  }

  /** An array came that nobody here will take, because this side closes. */
  void notTaken(OutboundChannel channel, long sequence) {
    if (options.plainType() == null) {
      queueRejected(channel, sequence, Failures.closedHere());
    }
  }

  void queueRejected(OutboundChannel channel, long sequence, ArraywireException refusal) {
    queueControl(ControlFrames.rejected(channel.id, sequence, refusal));
  }

  void resumeReading() {
    link.resumeReading();
  }

  void failLater(ArraywireException cause) {
    engine.deadlines().after(Duration.ZERO, () -> fail(cause, true));
  }

  /** Queues a control frame; a peer that does not read them loses the connection. */
  void queueControl(byte[] frame) {
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

  /** Lends the thread of a caller, who waits for a result, to the link. */
  void help(Future<?> result) {
    link.help(result);
  }

  /** Under the lock. */
  void checkNotFailed() throws ArraywireException {
    if (failure != null) {
      throw failure;
    }
  }

  void checkCanSend() throws ArraywireException {
    checkNotFailed();
    if (closing || peerSaidGoodbye) {
      throw closed();
    }
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
  @SuppressWarnings(
      "ReferenceEquality") // An exception cannot suppress itself; an equal one, it can.
  public static void closeAll(Collection<ProtocolConnection> connections)
      throws ArraywireException {
    long start = System.nanoTime();
    Map<ProtocolConnection, Boolean> begun = new LinkedHashMap<>();
    for (ProtocolConnection connection : connections) {
      begun.put(connection, connection.beginsClose());
    }
    ArraywireException failure = null;
    for (Map.Entry<ProtocolConnection, Boolean> each : begun.entrySet()) {
      ProtocolConnection connection = each.getKey();
      // The peer may wait for the acknowledgement of the very array that the handler has in hand.
      if (!connection.isHandlerThread()) {
        try {
          long left =
              SystemDeadlines.nanos(connection.options.closeTimeout())
                  - (System.nanoTime() - start);
          connection.awaitEnd(each.getValue(), left);
        } catch (ArraywireException e) {
          if (failure == null) {
            failure = e;
          } else {
            failure.addSuppressed(e);
          }
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  /** Begins to close, and returns whether this was the first reason to. */
  private boolean beginsClose() {
    boolean begins;
    lock.lock();
    try {
      begins = !closing && failure == null;
      noteClosing();
    } finally {
      lock.unlock();
    }
    inboxes().forEach(inbox -> inbox.closing(Failures.closedHere()));
    if (begins) {
      finishOutput();
      endIfOver();
    }
    return begins;
  }

  /** Begins what {@link #close()} does, without waiting. Idempotent. */
  public void beginClose() {
    lock.lock();
    try {
      noteClosing();
    } finally {
      lock.unlock();
    }
    finishOutput();
    endIfOver();
  }

  private void awaitEnd(boolean closedHere, long nanos) throws ArraywireException {
    boolean failedBefore;
    lock.lock();
    try {
      failedBefore = failure != null;
    } finally {
      lock.unlock();
    }
    try {
      ended.get(nanos, TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      CloseTimeoutException timeout =
          new CloseTimeoutException(
              "the peer did not read everything in time; what it had not read may be lost",
              "closeTimeout",
              options.closeTimeout(),
              "connection",
              describe());
      // A peer in plain mode is promised nothing but what the kernel took.
      boolean lost = options.plainType() == null || !isOutputEnded();
      fail(lost ? timeout : Failures.closedHere(), false);
      awaitDisposed();
      if (lost && !failedBefore) {
        throw timeout;
      }
    } catch (InterruptedException e) {
      closeNow();
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      throw Failures.of(e);
    }
    ArraywireException cause;
    lock.lock();
    try {
      cause = failure;
    } finally {
      lock.unlock();
    }
    if (closedHere && cause != null && !(cause instanceof ConnectionClosedException)) {
      throw cause;
    }
  }

  /** Waits until the failed connection has given everything back, but for no user's code. */
  private void awaitDisposed() {
    try {
      ended.get(LINGER.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      Log.notDisposed(this, LINGER);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      throw new AssertionError("the stage of the end never fails", e);
    }
  }

  @Override
  public void closeNow() {
    lock.lock();
    try {
      noteClosing();
    } finally {
      lock.unlock();
    }
    fail(Failures.closedHere(), false);
    inboxes().forEach(Inbox::drop);
  }

  boolean isHandlerThread() {
    return inboxes().stream().anyMatch(Inbox::isHandlerThread);
  }

  /** This side begins to close. Under the lock. */
  private void noteClosing() {
    noteEnd();
    closing = true;
  }

  /** Notes which side began to end the connection, if none had before. Under the lock. */
  private void noteEnd() {
    if (endedByPeer == null) {
      endedByPeer = peerSaidGoodbye || inputOver;
    }
  }

  private ConnectionClosedException closed() {
    return Boolean.TRUE.equals(endedByPeer) ? Failures.closedByPeer() : Failures.closedHere();
  }

  /** Queues a goodbye behind what was accepted; from now on nothing more is accepted. */
  private void finishOutput() {
    lock.lock();
    try {
      boolean plain = options.plainType() != null;
      outbound.closeWhenDrained(plain ? new byte[0] : ControlFrames.goodbye());
      if (plain) {
        outbound.endAfterGoodbye();
      }
    } finally {
      lock.unlock();
    }
    link.wakeWriter();
  }

  /** Ends an orderly connection once both directions are over. */
  private void endIfOver() {
    ConnectionClosedException end;
    lock.lock();
    try {
      if (!outbound.isEnded() || !inputOver) {
        return;
      }
      noteEnd();
      end = closed();
    } finally {
      lock.unlock();
    }
    fail(end, false);
  }

  private void inputFailed(Throwable thrown) {
    ArraywireException cause =
        thrown instanceof OutOfMemoryError
            ? new AllocationFailedException("no memory to read with").because(thrown)
            : Failures.ofBug(thrown);
    inbound.ignoreFurther();
    // A stranger would not understand an error frame, and a peer that reports an error needs none.
    boolean tell =
        !(cause instanceof BadMagicException && !opened.isDone())
            && !(cause instanceof RemoteErrorException)
            && !(role == Role.CONNECTOR && !opened.isDone());
    fail(cause, tell);
  }

  /**
   * Ends the connection. Everything that waits, or will, gets the cause; the peer is told if that
   * can be done.
   */
  void fail(ArraywireException cause, boolean tellPeer) {
    List<Transfer> lost;
    boolean linger;
    boolean wasOpen;
    boolean begins;
    lock.lock();
    try {
      begins = failure == null;
      if (failure != null) {
        if (!tellPeer && !linkClosed) {
          linkClosed = true;
          lingerDeadline.run();
        } else {
          return;
        }
        lost = List.of();
        linger = false;
        wasOpen = true;
      } else {
        failure = cause;
        wasOpen = agreement != null;
        lost = outbound.drop();
        linger = tellPeer && options.plainType() == null && !outbound.isLastFrameQueued();
        if (linger) {
          outbound.queueLast(farewell(cause, wasOpen));
          lingerDeadline = engine.deadlines().after(LINGER, () -> fail(cause, false));
        } else {
          linkClosed = true;
        }
        handshakeDeadline.run();
        if (round != null) {
          round.leave(this);
        }
      }
    } finally {
      lock.unlock();
    }
    boolean orderly = cause instanceof ConnectionClosedException;
    endInboxes(cause, !orderly);
    SessionConnection carried = carried();
    if (carried != null) {
      // After this connection hands out nothing more, before another one may.
      carried.detached(this, cause);
    }
    if (begins && !watch.isOfSession()) {
      watch.ended(cause, wasOpen);
    }
    for (Transfer transfer : lost) {
      boolean framed = transfer.withdraw() == Transfer.Progress.FRAMED;
      transfer.releaseCopy();
      boolean inDoubt = framed && transfer.options.delivery() == Delivery.PROCESSED && wasOpen;
      transfer.fail(engine.completions(), inDoubt ? Failures.inDoubt(cause) : cause);
    }
    opened.completeExceptionally(cause);
    if (!orderly) {
      Log.failed(this, cause);
    }
    watch.flush();
    if (linger) {
      link.wakeWriter();
      link.resumeReading();
    } else {
      link.close();
    }
  }

  private byte[] farewell(ArraywireException cause, boolean wasOpen) {
    return wasOpen
        ? ControlFrames.error(cause)
        : Preamble.write(FrameLayout.VERSION, FrameLayout.VERSION, HandshakeMessage.reject(cause));
  }

  private void completeEnded() {
    int reserved;
    lock.lock();
    try {
      if (!inputDisposed || !outputDisposed) {
        return;
      }
      reserved = reservedBytes;
      reservedBytes = 0;
    } finally {
      lock.unlock();
    }
    engine.budget().giveBack(reserved);
    ended.complete(null);
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
      return agreement != null && failure == null && !closing && !peerSaidGoodbye;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Agreement agreement() {
    lock.lock();
    try {
      if (agreement == null) {
        throw new IllegalStateException("the handshake is not over");
      }
      return agreement;
    } finally {
      lock.unlock();
    }
  }

  Codec codec() {
    lock.lock();
    try {
      return outbound.codec();
    } finally {
      lock.unlock();
    }
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
          failure != null
              ? "ended: " + failure.getMessage()
              : agreement == null
                  ? "in handshake"
                  : closing ? "closing" : peerSaidGoodbye ? "closed by the peer" : "open";
      return engine.transport()
          + " "
          + localAddress()
          + " -> "
          + remoteAddress()
          + " over "
          + Description.path(remoteAddress(), engine.transport())
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
