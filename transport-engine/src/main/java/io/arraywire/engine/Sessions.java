package io.arraywire.engine;

import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.ConnectionLostException;
import io.arraywire.Handlers;
import io.arraywire.NoRoomException;
import io.arraywire.security.Identity;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The sessions of one transport. Any thread. */
final class Sessions implements Session.Keeper {
  /** The most that peers can open here; fewer with a small heap. */
  private static final int MOST = 65_536;

  /**
   * A session whose connection is gone takes some 5 KiB of the heap, until sessionTimeout. What had
   * come of arrays over that connection goes with it.
   */
  private static final long HEAP_FOR_EACH = 32 << 10;

  private final long most = most(Runtime.getRuntime().maxMemory());

  private final EngineContext context;

  /** A session, and where the peer was that has opened it. */
  private record Kept(Session session, SocketAddress openedFrom) {}

  /** By name, those that peers may resume. */
  private final Map<ByteBuffer, Kept> resumable = new ConcurrentHashMap<>();

  private final Set<Session> all = ConcurrentHashMap.newKeySet();

  Sessions(EngineContext context) {
    this.context = context;
  }

  /** How many sessions peers can open in a JVM with so much heap. */
  static long most(long heapBytes) {
    return Math.min(MOST, heapBytes / HEAP_FOR_EACH);
  }

  /** Connects, with a session if the listener keeps them. */
  Connection connect(Dialer dialer, @Nullable Handlers handlers, Duration timeout)
      throws ArraywireException, InterruptedException {
    SessionIdentity unnamed = SessionIdentity.unnamed(context.runtime(), timeout);
    return new SessionConnection(context, this, unnamed, handlers, dialer).connect();
  }

  /** A connection that this side has accepted may come to carry a session. */
  void accepts(ConnectionCore connection, @Nullable Handlers handlers) {
    connection.bind(new SessionAttachment(this, connection, handlers));
  }

  @Override
  public void joins(ConnectionCore connection, Session session) {
    connection.bind(new SessionAttachment(this, connection, session));
  }

  /**
   * Opens a session for a peer that asked for a new one; null where none are kept.
   *
   * @throws NoRoomException if there are too many, in all or of this address
   */
  @Nullable Session open(
      @Nullable Handlers handlers, long peerMillis, @Nullable Identity peer, SocketAddress from)
      throws NoRoomException {
    Duration here = context.sessionTimeout();
    if (here == null) {
      return null;
    }
    context.admission().opensSession(from, most);
    Session session;
    try {
      SessionIdentity fresh = SessionIdentity.opened(context.runtime(), here, peerMillis, peer);
      session = new SessionConnection(context, this, fresh, handlers, null).session;
      resumable.put(ByteBuffer.wrap(fresh.id()), new Kept(session, from));
    } catch (RuntimeException | Error e) { // No memory.
      context.admission().sessionOver(from);
      throw e;
    }
    all.add(session);
    return session;
  }

  /** Finds the session that a peer wants to go on with. */
  Session find(byte[] id) throws ConnectionLostException {
    Kept kept = resumable.get(ByteBuffer.wrap(id));
    if (kept == null) {
      throw SessionIdentity.notKnown();
    }
    return kept.session;
  }

  /** A session that this side's peer keeps. */
  void add(Session session) {
    all.add(session);
  }

  @Override
  public void forget(Session session) {
    all.remove(session);
    ByteBuffer id = ByteBuffer.wrap(session.identity.id());
    Kept kept = resumable.get(id);
    if (kept != null && kept.session.equals(session) && resumable.remove(id, kept)) {
      context.admission().sessionOver(kept.openedFrom);
    }
  }

  /** Ends all sessions at once, also those without a connection at present. */
  void close() {
    for (Session session : List.copyOf(all)) {
      // One whose first connection is in its handshake ends with that.
      if (session.state.last() != null) {
        session.userConnection.closeNow();
      }
    }
  }
}
