package io.arraywire.engine;

import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.ConnectionLostException;
import io.arraywire.ErrorCode;
import io.arraywire.Handlers;
import io.arraywire.security.Identity;
import io.arraywire.wire.SessionOffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What one connection has to do with its session. Any thread. */
final class SessionAttachment implements SessionBinding {
  private final Sessions sessions;
  private final ConnectionCore connection;
  private final @Nullable Handlers handlers;

  /** Null on the accepting side until the peer has said which it is. */
  private volatile @Nullable Session session;

  /** Written before the session is. */
  private boolean resumed;

  private volatile boolean attached;

  /** What the welcome has given, until a frame shows that the peer has it. The reading thread's. */
  private byte @Nullable [] unconfirmed;

  /** For the accepting side. */
  SessionAttachment(Sessions sessions, ConnectionCore connection, @Nullable Handlers handlers) {
    this.sessions = sessions;
    this.connection = connection;
    this.handlers = handlers;
  }

  /** For the connecting side. */
  SessionAttachment(Sessions sessions, ConnectionCore connection, Session session) {
    this(sessions, connection, (Handlers) null);
    resumed = session.identity.isNamed();
    this.session = session;
  }

  private Session session() {
    return Objects.requireNonNull(session, "session");
  }

  @Override
  public SessionOffer hello() {
    return session().identity.hello();
  }

  @Override
  public SessionOffer answer(SessionOffer wanted, @Nullable Identity peer)
      throws ArraywireException {
    resumed = wanted.isNamed();
    Session found;
    if (resumed) {
      found = sessions.find(wanted.id());
      found.checkResumable(wanted.token(), peer);
    } else {
      found = sessions.open(handlers, wanted.millis(), peer, connection.remoteAddress());
    }
    session = found;
    if (found == null) {
      return SessionOffer.NONE;
    }
    SessionOffer welcome = found.identity.welcome();
    unconfirmed = welcome.token();
    return welcome;
  }

  @Override
  public void welcomed(SessionOffer offered) throws ConnectionLostException {
    if (resumed && !Arrays.equals(offered.id(), session().identity.id())) {
      throw new ConnectionLostException(
          ErrorCode.RESUME_REJECTED,
          "the listener does not go on with the session that it was asked for: it answered with "
              + (offered.isNamed() ? "another one" : "none"));
    }
    session().identity.welcomed(offered);
    sessions.add(session());
  }

  @Override
  public Duration timeout() {
    return session().identity.timeout();
  }

  @Override
  public void abandoned() {
    if (!resumed) {
      sessions.forget(session());
    }
  }

  @Override
  public void attach() {
    attached = true;
    session().attach(connection);
    if (resumed) {
      connection.events().resumed();
    }
    // A failure between the end of the handshake and now has not been told.
    ArraywireException cause = connection.failure();
    if (cause != null) {
      detached(cause);
    }
  }

  @Override
  public boolean isResumed() {
    return session != null && resumed;
  }

  @Override
  public Connection userConnection() {
    Session known = session;
    return known == null ? connection.face : known.userConnection;
  }

  @Override
  public void confirmed() {
    byte[] token = unconfirmed;
    if (token != null) {
      unconfirmed = null;
      session().identity.confirmed(token);
    }
  }

  @Override
  public void detached(ArraywireException cause) {
    Session known = session;
    if (known != null) {
      known.detached(connection, cause);
    }
  }

  @Override
  public boolean handlerOver() {
    if (attached) {
      session().handlerOver();
    }
    return attached || isResumed();
  }

  @Override
  public DeliveryGuard guard(int channel) {
    return session().channel(channel).inbox;
  }
}
