package io.arraywire.engine;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.ErrorCode;
import io.arraywire.ProtocolException;
import io.arraywire.frame.FrameType;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Whether a connection lives, ends or has failed, and the lock that guards this as everything else
 * of it. A class of its own, but no object, since there are many idle connections. Any thread.
 */
abstract class ConnectionState extends EngineConnection
    implements FrameScope, OutboundScope, ChannelScope, ControlScope {
  final EngineContext context;
  final Link link;
  final ReentrantLock lock = new ReentrantLock();

  private static final CompletableFuture<Void> OVER = CompletableFuture.completedFuture(null);

  /** Completes when the connection has ended. Made on demand, to keep idle connections small. */
  @GuardedBy("lock")
  private @Nullable CompletableFuture<Void> ended;

  /**
   * Null until shutdown begins. Written under the lock; a reader that sees null may treat the
   * connection as one that nobody ends.
   */
  private volatile @Nullable Shutdown termination;

  /** What the transport drives: this connection's end, or a layer beneath it. */
  private @Nullable WireEnd wire;

  ConnectionState(EngineContext context, Link link) {
    this.context = context;
    this.link = link;
  }

  /** Before its start, once. */
  void wire(WireEnd driven) {
    wire = driven;
  }

  @Override
  public WireEnd wire() {
    return Objects.requireNonNull(wire, "wire");
  }

  /** The connection as users without a session see it. */
  @Override
  public abstract Connection ownConnection();

  /** How this connection ends. */
  abstract Shutdown newShutdown();

  /** Whether something has begun to end it. */
  boolean hasBegunToEnd() {
    return termination != null;
  }

  @Override
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
  public CompletableFuture<Void> ended() {
    lock.lock();
    try {
      CompletableFuture<Void> asked = ended;
      if (asked == null) {
        asked = new CompletableFuture<>();
        ended = asked;
      }
      return asked;
    } finally {
      lock.unlock();
    }
  }

  /** Completes the future of the end, if somebody asked for it. Not under the lock. */
  void tellEnd() {
    CompletableFuture<Void> asked;
    lock.lock();
    try {
      asked = ended;
      ended = asked == null ? OVER : asked;
    } finally {
      lock.unlock();
    }
    if (asked != null) {
      asked.complete(null);
    }
  }

  private boolean hasEnded() {
    lock.lock();
    try {
      return ended != null && ended.isDone();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public HandlerLog handlerLog() {
    return context.handlerLogs().of(this, hasEnded());
  }

  SocketAddress localAddress() {
    return link.localAddress();
  }

  @Override
  public SocketAddress remoteAddress() {
    return link.remoteAddress();
  }

  @Override
  void logNotAccepted(SocketAddress listener, Throwable failure, long before) {
    Log.notAccepted(remoteAddress(), listener, failure, before);
  }

  @Override
  public void beginClose() {
    termination().beginClose();
  }

  @Override
  public void closeNow() {
    closeNow(Failures.closedHere(remoteAddress()));
  }

  /** The same for a reason; a peer that close has waited for in vain is told. */
  void closeNow(ArraywireException cause) {
    termination().closeNow(cause);
  }

  @Override
  public void fail(ArraywireException cause, boolean tellPeer) {
    termination().fail(cause, tellPeer);
  }

  @Override
  public void failLater(ArraywireException cause) {
    context.deadlines().after(Duration.ZERO, () -> fail(cause, true));
  }

  @Override
  public void dropUntaken(ArraywireException cause) {
    // Not under the lock of the connection that needs room.
    context
        .deadlines()
        .after(
            Duration.ZERO,
            () -> {
              fail(cause, true);
              inboxes().forEach(inbox -> inbox.dropUntaken(cause));
            });
  }

  /** All that arrays go to. */
  abstract List<Inbox> inboxes();

  /** Closes the channel, now that the connection has ended. */
  void closeLink(ArraywireException cause) {
    boolean refusedInPlainMode =
        context.options().plainType() != null && ErrorCode.TOO_MANY_CONNECTIONS.isOf(cause);
    if (ErrorCode.BAD_MAGIC.isOf(cause) || refusedInPlainMode) {
      // A peer in plain mode that only sends would take an orderly end for success.
      link.reset();
    } else {
      link.close();
    }
  }

  /** Something of this process failed in an unforeseen way. */
  @Override
  public void transportFailed(Throwable thrown) {
    fail(Failures.ofBug(thrown), false);
  }

  @Override
  public void peerSaidGoodbye() {
    termination().peerSaidGoodbye();
  }

  /** How it ends, for code that ends it or knows of a reason. */
  Shutdown termination() {
    lock.lock();
    try {
      Shutdown begun = termination;
      if (begun == null) {
        begun = newShutdown();
        termination = begun;
      }
      return begun;
    } finally {
      lock.unlock();
    }
  }

  /** Whether nothing is written any more. */
  boolean isLinkClosed() {
    if (termination == null) {
      return false;
    }
    lock.lock();
    try {
      return termination != null && termination.isLinkClosed();
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

  /** Ends an inbox that is made when the others have ended, if they have. Under the lock. */
  @Override
  public void endIfOthersHave(Inbox inbox) {
    if (termination != null) {
      termination.endIfOthersHave(inbox);
    }
  }

  /** Whether it is open or how it ends, in words. Under the lock. */
  String state() {
    return termination == null ? "open" : termination.describe();
  }

  // For callers that wait, and for parts that have something to write.

  @Override
  public void awaitOpened() throws ArraywireException, InterruptedException {
    try {
      context.runtime().await(opened().toCompletableFuture(), Long.MAX_VALUE);
    } catch (TimeoutException e) {
      throw new AssertionError("a wait without a limit timed out", e);
    } catch (ExecutionException e) {
      throw Failures.of(e);
    } catch (InterruptedException e) {
      closeNow();
      throw e;
    }
  }

  @Override
  public void useless(FrameType type) throws ProtocolException {
    useless(type, EffectlessFrames.FRAME);
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

  @Override
  public String describe() {
    return ownConnection().describe();
  }

  @Override
  public String toString() {
    return describe();
  }
}
