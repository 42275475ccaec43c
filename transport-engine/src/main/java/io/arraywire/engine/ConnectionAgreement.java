package io.arraywire.engine;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.arraywire.Agreement;
import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.wire.FlowOffer;
import io.arraywire.wire.HandshakeMessage;
import io.arraywire.wire.Preamble;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The peer of a connection, and the terms with it: its handshake, what was agreed on in it, and the
 * session that the connection carries. A class of its own, but no object, since there are many idle
 * connections. Any thread.
 */
abstract class ConnectionAgreement extends ConnectionState {
  /** Until the connection is open; if it never is, for ever. */
  private volatile @Nullable Handshake handshake;

  /** To the session that it carries, if it does; before the handshake is over, if it may. */
  private volatile @Nullable SessionBinding session;

  // Set under the lock, once, and asked for with every array.
  private volatile @Nullable Agreement agreement;

  /** What was taken of the budget of all connections for what is received here. */
  @GuardedBy("lock")
  private int reservedBytes;

  /** Null for a peer whose arrays are not counted. */
  @GuardedBy("lock")
  private @Nullable HeldArrays held;

  ConnectionAgreement(EngineContext context, Link link) {
    super(context, link);
  }

  // The handshake.

  /** How it comes to be open. Before its start, once. */
  void opensWith(Handshake opening) {
    handshake = opening;
  }

  @Override
  void refuse(ArraywireException cause, boolean tells) {
    Handshake begun = handshake;
    if (begun != null) {
      begun.refuse(cause);
    }
    if (!tells) {
      fail(cause, false);
    }
  }

  @Override
  public boolean isRefused() {
    Handshake begun = handshake;
    return begun != null && begun.isRefused();
  }

  /** Begins the handshake. */
  void start() {
    Handshake begun = handshake;
    if (begun != null && !hasBegunToEnd()) {
      begun.start(session);
    }
  }

  @Override
  public void handshake(Preamble preamble, HandshakeMessage message) throws ArraywireException {
    Handshake begun = handshake;
    if (begun == null) {
      throw new IllegalStateException("a message after the handshake");
    }
    begun.message(preamble, message);
  }

  @Override
  public boolean isAnswered() throws ArraywireException {
    Handshake begun = handshake;
    return begun == null || begun.isAnswered();
  }

  @Override
  public CompletionStage<Void> opened() {
    Handshake begun = handshake;
    return begun == null ? CompletableFuture.completedFuture(null) : begun.opened;
  }

  @Override
  boolean isInHandshake() {
    Handshake begun = handshake;
    return begun != null && !begun.opened.isDone();
  }

  /** The connection is open, and has no use for its handshake any more. */
  void handshakeOver() {
    handshake = null;
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

  /** The handshake may take as long as it likes. Under the lock. */
  void cancelDeadline() {
    Handshake begun = handshake;
    if (begun != null) {
      begun.cancelDeadline();
    }
  }

  // What it led to.

  /** There is an agreement. Under the lock. */
  void agree(Agreement agreed) {
    agreement = agreed;
  }

  /** Whether there is an agreement. */
  boolean hasAgreed() {
    return agreement != null;
  }

  @Override
  public Agreement agreement() {
    Agreement agreed = agreement;
    if (agreed == null) {
      throw new IllegalStateException("the handshake is not over");
    }
    return agreed;
  }

  @Override
  public @Nullable Agreement agreed() {
    return agreement;
  }

  @Override
  public long maxArrayBytes() {
    Agreement agreed = agreement;
    return agreed == null ? context.options().maxArrayBytes() : agreed.maxReceiveBytes();
  }

  @Override
  public FlowOffer flow() {
    Agreement agreed = agreement;
    return context.offer(agreed == null ? null : agreed.identity()).flow();
  }

  boolean isOpen() {
    lock.lock();
    try {
      return hasAgreed() && !refusesArrays();
    } finally {
      lock.unlock();
    }
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

  /** What has to be given back of the budget of all connections; once. */
  int takeReserved() {
    lock.lock();
    try {
      int reserved = reservedBytes;
      reservedBytes = 0;
      return reserved;
    } finally {
      lock.unlock();
    }
  }

  /** The peer has come to a listener of this side and has not said who it is. */
  void peerIsStranger() {
    if (context.budget().isDefault()) {
      lock.lock();
      try {
        held = HeldArrays.NONE;
      } finally {
        lock.unlock();
      }
    }
  }

  @Override
  @GuardedBy("lock")
  public @Nullable HeldArrays heldArrays() {
    if (held == HeldArrays.NONE) {
      held = new HeldArrays(context.budget());
    }
    return held;
  }

  /** Lets go of what counts arrays, if there are none. */
  @GuardedBy("lock")
  void trimHeldArrays() {
    if (held != null && held.isEmpty()) {
      held = HeldArrays.NONE;
    }
  }

  // The session.

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

  /** Whether the connection carries a session. */
  boolean hasSession() {
    return session != null;
  }

  /** The handler has had the last array; whether it hears of the session's end instead. */
  boolean sessionTellsHandler() {
    SessionBinding bound = session;
    return bound != null && bound.handlerOver();
  }

  @Override
  public Connection userConnection() {
    SessionBinding bound = session;
    return bound == null ? ownConnection() : bound.userConnection();
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

  @Override
  public void processedOutOfTurn(OutboundChannel channel, long sequence, boolean isReply) {
    if (isReply) {
      arrayMoved();
      outbound().acknowledgements.processed(channel, sequence);
      link.wakeWriterLate();
    } else {
      processed(channel, sequence, false);
    }
  }
}
