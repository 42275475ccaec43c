package io.arraywire.engine;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.ConnectionClosedException;
import io.arraywire.ConnectionLoad;
import io.arraywire.ConnectionLostException;
import io.arraywire.ErrorCode;
import io.arraywire.Handlers;
import io.arraywire.security.Identity;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What both sides keep when a connection breaks, and what happens when one comes, breaks, or is not
 * replaced. {@link SessionIdentity} is what handshakes say of it, {@link SessionState} is what
 * callers wait for, {@link RetainedSends} keeps arrays. {@link Reconnector} makes the next
 * connection, and {@link SessionConnection} is what users hold.
 *
 * <p>Any thread. Connections call it without their lock.
 */
final class Session {
  /** Connections in a row that broke before they were of any use; then it is no outage. */
  private static final int MOST_USELESS = 10;

  /** A connection that lived so long was of use even if nothing was sent. */
  private static final long USEFUL_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** Keeps the sessions of a transport. */
  interface Keeper {
    /** A connection that is about to be started is to carry the session. */
    void joins(ConnectionCore connection, Session session);

    /** The session has ended. */
    void forget(Session session);
  }

  final EngineContext context;
  final SessionIdentity identity;
  final SessionState state;
  final SessionRefusals refusals = new SessionRefusals();

  /** What users hold. */
  final Connection userConnection;

  /** Counts the arrays of callers that do not wait, if it is a stranger that they go to. */
  final @Nullable HeldArrays held;

  private final Keeper keeper;
  private final @Nullable Handlers handlers;

  /** On the connecting side. */
  private final @Nullable Reconnector reconnector;

  private final Map<Integer, SessionChannel> channels = new ConcurrentHashMap<>(2);

  @GuardedBy("state.lock")
  private Runnable expiry = () -> {};

  /** Whether an array was handed out or acknowledged since the last break. */
  private volatile boolean progressed;

  @GuardedBy("state.lock")
  private int useless;

  @GuardedBy("state.lock")
  private long attachedAt;

  @GuardedBy("state.lock")
  private long resumes;

  /** Connections whose handler tasks may still run. */
  @GuardedBy("state.lock")
  private int handling;

  /** An executor may run what it then refuses. */
  @GuardedBy("state.lock")
  private boolean handlerTold;

  Session(
      EngineContext context,
      Keeper keeper,
      SessionIdentity identity,
      Connection userConnection,
      @Nullable Handlers handlers,
      @Nullable Dialer dialer) {
    this.context = context;
    this.keeper = keeper;
    this.identity = identity;
    this.userConnection = userConnection;
    this.handlers = handlers;
    state = new SessionState(context.runtime());
    reconnector = dialer == null ? null : new Reconnector(this, dialer);
    boolean toStranger =
        dialer == null
            && context.options().authToken() == null
            && context.options().authenticator() == null;
    held = toStranger && context.budget().isDefault() ? new HeldArrays(context.budget()) : null;
  }

  /** Makes the first connection. */
  EngineConnection connect() throws ArraywireException, InterruptedException {
    if (reconnector == null) {
      throw new IllegalStateException("the peer makes the connections");
    }
    return reconnector.dial(context.options().connectTimeout());
  }

  /** A connection that is about to be started is to carry the session. */
  void joins(EngineConnection connection) {
    keeper.joins((ConnectionCore) connection, this);
  }

  /** Checks that a peer that wants to go on may. */
  void checkResumable(byte[] token, @Nullable Identity peer) throws ConnectionLostException {
    // First: what another peer shows must not count as a token that was used.
    identity.checkPeer(peer);
    if (state.end() != null) {
      throw SessionIdentity.refused("the session has ended");
    }
    identity.checkToken(token);
  }

  // Connections come and go.

  /** A connection's handshake is over: it carries the session from here on. */
  void attach(ConnectionCore connection) {
    ConnectionCore before = state.current();
    if (before != null) {
      // From here on it hands out nothing more.
      before.termination().supersede();
    }
    boolean over;
    state.lock.lock();
    try {
      over = state.end() != null;
      if (!over) {
        expiry.run();
        if (state.attached(connection)) {
          resumes++;
          Log.resumed(userConnection, resumes);
        }
        if (reconnector != null) {
          var unused = reconnector.stop();
        }
        handling++;
        attachedAt = context.runtime().nanoTime();
        channels.values().forEach(channel -> channel.attach(connection));
      }
    } finally {
      state.lock.unlock();
    }
    flushEvents();
    if (over) {
      connection.closeNow();
    } else if (state.saysGoodbyeByItself()) {
      connection.beginClose();
    }
  }

  /**
   * Notes the break of a connection that has ended, if nobody has; returns whether it broke and the
   * session goes on over another one.
   */
  boolean goesOnAfter(ConnectionCore connection) {
    ArraywireException cause = connection.failure();
    if (cause == null || cause instanceof ConnectionClosedException) {
      return false;
    }
    detached(connection, cause);
    return state.end() == null;
  }

  /** A connection ended, in whatever way. */
  void detached(ConnectionCore connection, ArraywireException cause) {
    ArraywireException over = null;
    state.lock.lock();
    try {
      if (!connection.equals(state.current())) {
        return;
      }
      state.detached(cause);
      boolean lasted = context.runtime().nanoTime() - attachedAt > USEFUL_NANOS;
      useless = lasted ? 0 : progressed ? 1 : useless + 1;
      progressed = false;
      if (cause instanceof ConnectionClosedException) {
        over = cause;
      } else if (connection.hasPeerSaidGoodbye()) {
        // It has the acknowledgement of everything that it sent, and will not come back.
        over = retainsNothing() ? Failures.closedByPeer(connection.remoteAddress()) : cause;
      } else if (useless > MOST_USELESS) {
        over = cause;
      } else {
        Log.broken(userConnection, cause, identity.timeout());
        connection.events().broken(cause);
        if (reconnector == null) {
          expiry = context.deadlines().after(identity.timeout(), () -> expire(cause));
        } else {
          reconnector.begin(cause, Math.max(0, useless - 1));
        }
        connection.inboxes().forEach(Inbox::superseded);
      }
    } finally {
      state.lock.unlock();
    }
    if (over != null) {
      end(over);
    }
  }

  /** The peer has not come back in time, unless it just did. On the accepting side. */
  private void expire(ArraywireException brokenBy) {
    if (state.current() == null) {
      end(
          new ConnectionLostException(
                  ErrorCode.SESSION_EXPIRED,
                  "the connection broke and the peer did not replace it in time",
                  "sessionTimeout",
                  identity.timeout(),
                  "lastFailure",
                  String.valueOf(brokenBy.getMessage()))
              .because(brokenBy));
    }
  }

  /** An array was handed out or acknowledged: the connection is of use. */
  void progressed() {
    progressed = true;
  }

  /** The peer acknowledged an array in this time. */
  void answered(long nanos) {
    progressed();
    if (reconnector != null) {
      reconnector.answered(nanos);
    }
  }

  /** Tells observers what was noted under the lock. */
  void flushEvents() {
    ConnectionCore over = state.current();
    if (over != null) {
      over.events().flush();
    }
  }

  // The end.

  /**
   * Waits until everything is acknowledged and there is a connection to say goodbye on, or the
   * session has ended; returns whether everything is acknowledged.
   */
  boolean awaitDrained(long nanos) throws InterruptedException {
    state.lock.lockInterruptibly();
    try {
      long left = nanos;
      while (left > 0 && state.end() == null && (state.current() == null || !retainsNothing())) {
        left = state.changed.awaitNanos(left);
      }
      return retainsNothing();
    } finally {
      state.lock.unlock();
    }
  }

  /**
   * Begins to close, and does not wait. A goodbye goes over the present connection; if that breaks
   * before the peer has answered, over the next one.
   */
  void beginClose() {
    state.closesByItself();
    ConnectionCore present = state.current();
    if (present != null) {
      present.beginClose();
    }
  }

  /** Ends the session, once, and the connection that carries it. */
  void end(ArraywireException reason) {
    ArraywireException cause = reason;
    List<SessionSend> lost = new ArrayList<>();
    Runnable interruptsReconnector = () -> {};
    ConnectionCore carrying;
    boolean tellsHandler;
    state.lock.lock();
    try {
      if (state.end() != null) {
        return;
      }
      if (state.isClosing() && retainsNothing()) {
        // However it came about, nothing is lost by it.
        cause = Failures.closedHere(userConnection.remoteAddress());
      }
      carrying = state.current();
      state.ended(cause);
      channels.values().forEach(channel -> lost.addAll(channel.sends.drop()));
      if (reconnector != null) {
        interruptsReconnector = reconnector.stop();
      }
      expiry.run();
      tellsHandler = handling == 0;
    } finally {
      state.lock.unlock();
    }
    keeper.forget(this);
    interruptsReconnector.run();
    if (carrying != null) {
      carrying.closeNow(cause);
    }
    for (SessionSend send : lost) {
      send.lost(cause);
    }
    if (!(cause instanceof ConnectionClosedException)) {
      Log.sessionEnded(userConnection, cause);
    }
    ConnectionCore over = state.last();
    if (over != null) {
      over.events().ended(cause, true);
      over.events().flush();
    }
    if (tellsHandler && handlers != null) {
      try {
        context.executor().execute(this::tellHandler);
      } catch (RuntimeException | Error e) {
        // It may be shut down, have no thread left, or fail in a way of its own.
        tellHandler();
      }
    }
  }

  /** One connection's handler tasks are over. */
  void handlerOver() {
    boolean tells;
    state.lock.lock();
    try {
      handling--;
      tells = handling == 0 && state.end() != null;
    } finally {
      state.lock.unlock();
    }
    if (tells) {
      tellHandler();
    }
  }

  private void tellHandler() {
    Handlers told;
    state.lock.lock();
    try {
      told = handlerTold ? null : handlers;
      handlerTold = true;
    } finally {
      state.lock.unlock();
    }
    if (told != null) {
      ArraywireException cause = state.end();
      HandlerRunner.tellClosed(
          told, userConnection, cause instanceof ConnectionClosedException ? null : cause);
    }
  }

  // Channels.

  /** Allocates only for the first use of a channel: each array that is received asks. */
  SessionChannel channel(int number) {
    SessionChannel known = channels.get(number);
    return known == null
        ? channels.computeIfAbsent(number, id -> new SessionChannel(this, id))
        : known;
  }

  /** What is kept on all channels. */
  ConnectionLoad retained() {
    return channels.values().stream()
        .map(channel -> channel.sends.load())
        .reduce(ConnectionLoad.NONE, ConnectionLoad::plus);
  }

  private boolean retainsNothing() {
    return retained().queuedArrays() == 0;
  }

  String describe() {
    state.lock.lock();
    try {
      ConnectionCore last = state.last();
      ConnectionLoad retained = retained();
      return "session "
          + state.describe(reconnector == null ? -1 : reconnector.attempts())
          + ", sessionTimeout="
          + identity.timeout()
          + ", resumes="
          + resumes
          + ", unacknowledgedArrays="
          + retained.queuedArrays()
          + ", unacknowledgedBytes="
          + retained.queuedBytes()
          + (last == null ? "" : ", over " + last.describe());
    } finally {
      state.lock.unlock();
    }
  }
}
