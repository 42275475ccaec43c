package io.arraywire.engine;

import io.arraywire.ArrayHandler;
import io.arraywire.ResumeRejectedException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The sessions of one transport. Any thread. */
final class Sessions {
  /**
   * The most that peers can make this side keep; further peers get a connection without a session.
   */
  static final int MOST = 65_536;

  static final int ID_BYTES = 16;
  static final int TOKEN_BYTES = 16;

  private final Engine engine;

  /** By name, those that peers may resume. */
  private final Map<ByteBuffer, SessionConnection> resumable = new ConcurrentHashMap<>();

  private final Set<SessionConnection> all = ConcurrentHashMap.newKeySet();

  Sessions(Engine engine) {
    this.engine = engine;
  }

  byte[] random(int bytes) {
    byte[] secret = new byte[bytes];
    engine.context().runtime().fillSecret(secret);
    return secret;
  }

  /** A session for a peer that asked for a new one; null if there are too many. */
  @Nullable SessionConnection open(@Nullable ArrayHandler handler, Duration timeout) {
    if (resumable.size() >= MOST) {
      return null;
    }
    SessionConnection session =
        SessionConnection.accepted(engine, handler, timeout, random(ID_BYTES));
    resumable.put(ByteBuffer.wrap(session.id()), session);
    all.add(session);
    return session;
  }

  /** The session that a peer wants to go on with. */
  SessionConnection find(byte[] id) throws ResumeRejectedException {
    SessionConnection session = resumable.get(ByteBuffer.wrap(id));
    if (session == null) {
      throw new ResumeRejectedException(
          "the session is not known here; this side was restarted, or kept it no longer");
    }
    return session;
  }

  /** A session that this side's peer keeps. */
  void add(SessionConnection session) {
    all.add(session);
  }

  void forget(SessionConnection session) {
    all.remove(session);
    resumable.remove(ByteBuffer.wrap(session.id()), session);
  }

  /** Ends all sessions at once, those whose connection broke included. */
  void close() {
    List<SessionConnection> left = new ArrayList<>(all);
    left.forEach(SessionConnection::closeNow);
  }
}
