package io.arraywire.engine;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.arraywire.Agreement;
import io.arraywire.ArraywireException;
import io.arraywire.ConnectionLostException;
import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.ErrorCode;
import io.arraywire.HandshakeException;
import io.arraywire.NoRoomException;
import io.arraywire.ProtocolException;
import io.arraywire.TransportOptions;
import io.arraywire.frame.FrameLayout;
import io.arraywire.security.Authenticator;
import io.arraywire.security.Identity;
import io.arraywire.spi.Codec;
import io.arraywire.wire.HandshakeMessage;
import io.arraywire.wire.Negotiation;
import io.arraywire.wire.Offer;
import io.arraywire.wire.Preamble;
import io.arraywire.wire.SessionOffer;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * How a connection comes to be open: what this side says, and what follows from what the peer says.
 * It holds what is needed before there is anything to send or receive. In plain mode nothing is
 * said, and it holds what is agreed on all the same.
 *
 * <p>The connection forgets it once it is open, so an idle one does not pay for it. Messages are
 * taken on the reading thread.
 */
final class Handshake {
  /** The connection that a handshake opens. */
  interface Owner {
    /** The handshake has failed, and the peer is not told why. */
    void fail(ArraywireException cause);

    /** The peer is refused, and told why. */
    void refuse(ArraywireException cause);

    /** So much is taken of the budget of all connections, to be given back at the end. */
    void reserved(int bytes);

    /**
     * This side has accepted the connection. Whether the peer has shown the token, or an
     * authenticator has let it in. Under the lock.
     */
    void trusts(boolean trusted);

    /**
     * There is an agreement. Under the lock.
     *
     * @param peer what the peer offered, null in plain mode
     * @param session the session that the connection is to carry, if it is
     * @return false if the connection has failed meanwhile
     */
    boolean agreed(
        Agreement agreed,
        SendCodecs codecs,
        @Nullable Offer peer,
        @Nullable SessionBinding session);

    /** The connection is open, and has no use for its handshake any more. */
    void opened();
  }

  private final ConnectionScope scope;
  private final Owner owner;
  private final EngineContext context;
  private final TransportOptions options;
  private final Role role;
  private final Link link;
  private final ReentrantLock lock;
  private final Outbound outbound;

  /** The session that the connection is to carry, if it may. */
  private volatile @Nullable SessionBinding session;

  /** Completes when the connection is open, or has failed before it was. */
  final CompletableFuture<Void> opened = new CompletableFuture<>();

  /** Why the peer is refused whatever it says; null if it is not. Before the start. */
  private @Nullable ArraywireException refusal;

  /** The hello that waits for an authenticator's verdict; else null. The reading thread sets it. */
  private volatile @Nullable Asked asked;

  /** Who the peer is, where that is known. The reading thread's. */
  private @Nullable Identity identity;

  /** Cancels what ends a handshake that takes too long. */
  @GuardedBy("lock")
  private Runnable deadline = () -> {};

  Handshake(ConnectionScope scope, Owner owner, Outbound outbound, Role role) {
    this.scope = scope;
    this.owner = owner;
    this.outbound = outbound;
    this.role = role;
    context = scope.context();
    options = context.options();
    link = scope.link();
    lock = scope.lock();
  }

  /**
   * Begins.
   *
   * @param binding to the session that the connection is to carry, or may; null without sessions
   */
  void start(@Nullable SessionBinding binding) {
    session = binding;
    ArraywireException refused = refusal;
    if (refused != null) {
      owner.refuse(refused);
      return;
    }
    ElementType plainType = options.plainType();
    if (plainType != null) {
      startPlain(plainType);
      scope.events().flush();
      return;
    }
    SessionOffer wanted =
        binding == null || role == Role.ACCEPTOR ? SessionOffer.NONE : binding.hello();
    lock.lock();
    try {
      deadline = context.deadlines().after(options.connectTimeout(), this::timedOut);
      if (role == Role.CONNECTOR) {
        queue(HandshakeMessage.hello(ownOffer(), wanted));
      }
    } finally {
      lock.unlock();
    }
    link.wakeWriter();
  }

  /** A hello whose peer is being authenticated. */
  private record Asked(
      HandshakeMessage hello, Offer peer, int version, CompletableFuture<Identity> verdict) {}

  private Offer ownOffer() {
    Offer own = context.offer(SameHost.joins(link.localAddress(), link.remoteAddress()));
    return Permissions.narrowed(own, identity);
  }

  private void queue(byte[] message) {
    outbound.control.queueHandshake(inPreamble(message));
  }

  private static byte[] inPreamble(byte[] message) {
    return Preamble.write(FrameLayout.VERSION, FrameLayout.VERSION, message);
  }

  /** Tells the peer why there will be no connection. */
  static byte[] rejection(ArraywireException cause) {
    return inPreamble(HandshakeMessage.reject(cause));
  }

  /** The peer is one too many. Before the start. */
  void refuse(ArraywireException cause) {
    refusal = cause;
  }

  boolean isRefused() {
    return refusal != null;
  }

  private void timedOut() {
    if (!opened.isDone()) {
      owner.fail(
          asked != null
              ? Authentications.late(link.remoteAddress(), options.connectTimeout())
              : new HandshakeException(
                  ErrorCode.HANDSHAKE_TIMEOUT,
                  "the peer did not finish its handshake in time; it may not speak Arraywire",
                  "peer",
                  link.remoteAddress(),
                  "connectTimeout",
                  options.connectTimeout()));
    }
  }

  /** Nobody need be told any more that it takes too long. Under the lock. */
  @SuppressWarnings("GuardedBy") // Callers hold it by its name in the connection.
  void cancelDeadline() {
    deadline.run();
    deadline = () -> {}; // The cancelled task is not kept.
  }

  /**
   * Whether the peer is to be told of a failure; before there is an agreement, connectors do not.
   */
  boolean tellsPeer(ArraywireException cause) {
    // A stranger would not understand it.
    return opened.isDone() || !(ErrorCode.BAD_MAGIC.isOf(cause) || role == Role.CONNECTOR);
  }

  // The agreement, on the reading thread.

  private void startPlain(ElementType type) {
    Codec codec;
    try {
      codec = context.plainCodec();
      reserveInbox(options.inboxBytes());
    } catch (ArraywireException e) {
      owner.fail(e);
      return;
    }
    if (role == Role.ACCEPTOR) {
      lock.lock();
      try {
        owner.trusts(false);
      } finally {
        lock.unlock();
      }
    }
    agree(
        new Agreement(
            true,
            0,
            Encoding.RAW_BIG_ENDIAN.name(),
            codec.name(),
            List.of(codec.name()),
            Set.of(type),
            options.maxArrayBytes(),
            options.maxArrayBytes(),
            options.chunkBytes(),
            false,
            1,
            0,
            null,
            "unknown",
            role == Role.ACCEPTOR ? HelloCredentials.certified(link) : null),
        new SendCodecs(List.of(codec)),
        null);
  }

  /** Takes what the peer says. */
  void message(Preamble preamble, HandshakeMessage message) throws ArraywireException {
    boolean expected =
        role == Role.ACCEPTOR
            ? message.kind() == HandshakeMessage.Kind.HELLO
            : message.kind() != HandshakeMessage.Kind.HELLO;
    if (!expected) {
      throw new ProtocolException(
          ErrorCode.PROTOCOL_VIOLATION,
          "a handshake message from the wrong side",
          "message",
          message.kind());
    }
    if (message.fault() != null) {
      throw message.fault();
    }
    Offer peer = message.offer();
    if (peer == null) {
      throw new IllegalStateException("a message without an offer");
    }
    int version = Negotiation.version(preamble);
    if (role == Role.ACCEPTOR) {
      authenticate(message, peer, version);
    } else {
      conclude(message, peer, version);
    }
  }

  private void conclude(HandshakeMessage message, Offer peer, int version)
      throws ArraywireException {
    Negotiation.agree(context.offer(), peer);
    SendCodecs codecs = context.encodersFor(peer);
    if (role == Role.CONNECTOR) {
      welcomed(message, version);
    } else {
      welcome(message, version);
    }
    agree(agreement(peer, version, codecs), codecs, peer);
    link.wakeWriter();
  }

  // Who the peer is comes first: a stranger learns nothing of what this side understands.

  private void authenticate(HandshakeMessage hello, Offer peer, int version)
      throws ArraywireException {
    Negotiation.authenticate(context.offer().token(), peer);
    Authenticator authenticator = options.authenticator();
    if (authenticator == null) {
      identity = HelloCredentials.certified(link);
      conclude(hello, peer, version);
      return;
    }
    HelloCredentials credentials =
        new HelloCredentials(
            peer, link.remoteAddress(), link.peerCertificates(), hello.session().isNamed());
    asked =
        new Asked(
            hello,
            peer,
            version,
            context.authentications().ask(authenticator, credentials, opened, link::resumeReading));
  }

  /**
   * Whether the peer has its answer; gives it, if the authenticator has decided. The reading
   * thread's.
   *
   * @throws ArraywireException if the peer is refused
   */
  boolean isAnswered() throws ArraywireException {
    Asked waiting = asked;
    if (waiting == null) {
      return true;
    }
    if (!waiting.verdict.isDone()) {
      return false;
    }
    asked = null;
    try {
      identity = waiting.verdict.join();
    } catch (CompletionException e) {
      throw Failures.ofBug(Objects.requireNonNullElse(e.getCause(), e));
    }
    conclude(waiting.hello, waiting.peer, waiting.version);
    return true;
  }

  private void welcomed(HandshakeMessage welcome, int version) throws ArraywireException {
    Negotiation.confirm(version, welcome.wireVersion());
    reserveInbox(inboxBytes());
    SessionOffer offered = welcome.session();
    SessionBinding carried = session;
    if (carried != null && (offered.isNamed() || carried.isResumed())) {
      carried.welcomed(offered);
    } else {
      session = null;
    }
  }

  private void welcome(HandshakeMessage hello, int version) throws ArraywireException {
    SessionOffer offered = admitted(hello.session());
    lock.lock();
    try {
      // A certificate says who it is, and not that anybody here has let it in.
      owner.trusts(options.authToken() != null || options.authenticator() != null);
      queue(HandshakeMessage.welcome(ownOffer(), version, offered));
    } finally {
      lock.unlock();
    }
  }

  private Agreement agreement(Offer peer, int version, SendCodecs codecs) {
    Codec first = codecs.first();
    Offer own = ownOffer();
    return new Agreement(
        false,
        version,
        first.encoding().name(),
        first.name(),
        codecs.names(),
        codecs.types(peer::understands),
        Math.min(options.maxArrayBytes(), peer.maxArrayBytes()),
        own.maxArrayBytes(),
        (int) Math.min(options.chunkBytes(), peer.maxFrameBytes()),
        own.checksums() || peer.checksums(),
        Math.min(own.flow().channels(), peer.flow().channels()),
        Math.min(options.maxSubscriptions(), peer.flow().subscriptions()),
        session == null ? null : session.timeout(),
        peer.library(),
        identity);
  }

  private void agree(Agreement agreed, SendCodecs codecs, @Nullable Offer peer) {
    SessionBinding carried = session;
    boolean over;
    lock.lock();
    try {
      over = !owner.agreed(agreed, codecs, peer, carried);
      if (!over) {
        cancelDeadline();
      }
    } finally {
      lock.unlock();
    }
    if (carried != null) {
      if (over) {
        carried.abandoned();
      } else {
        carried.attach();
      }
    }
    // Unless it has failed meanwhile.
    if (!over && opened.complete(null)) {
      owner.opened();
    }
  }

  // The session that the connection is to carry, and memory for what comes over it.

  /** Reserves memory for a connection and finds its session, in the order that loses nothing. */
  private SessionOffer admitted(SessionOffer wanted) throws ArraywireException {
    if (!wanted.isNamed()) {
      reserveInbox(inboxBytes());
      return answered(wanted);
    }
    // The connection that it replaces gives its reservation back, if it has not yet.
    SessionOffer answer = answered(wanted);
    int bytes = inboxBytes();
    context.budget().reserveAnyway(bytes);
    owner.reserved(bytes);
    return answer;
  }

  /** What the acceptor says of the session that the hello asks for. */
  private SessionOffer answered(SessionOffer wanted) throws ArraywireException {
    SessionOffer answer = SessionOffer.NONE;
    if (session != null && wanted.millis() != 0) {
      answer = session.answer(wanted, identity);
    } else if (wanted.isNamed()) {
      throw new ConnectionLostException(
          ErrorCode.RESUME_REJECTED,
          context.sessionTimeout() == null
              ? "this side keeps no sessions; set sessionTimeout on both sides"
                  + " (sessionTimeout=none)"
              : "the hello names a session and says session_millis=0, which is for peers without"
                  + " one");
    }
    if (!answer.isNamed()) {
      session = null;
    }
    return answer;
  }

  /** Reserves what the inbox may hold, until the connection has ended. */
  private void reserveInbox(int bytes) throws NoRoomException {
    context.budget().reserve(bytes);
    owner.reserved(bytes);
  }

  /** What the inboxes of all channels may hold, as the peer is told. */
  private int inboxBytes() {
    return (int) ownOffer().flow().connectionCredit();
  }
}
