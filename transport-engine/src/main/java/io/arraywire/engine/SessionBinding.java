package io.arraywire.engine;

import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.ConnectionLostException;
import io.arraywire.security.Identity;
import io.arraywire.wire.SessionOffer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Binds one connection to a session that outlives it: what the handshake asks, and what the
 * connection tells. The sessions, which lie above connections, implement it.
 *
 * <p>Any thread. Callers do not hold the connection's lock: a session's lock is taken first.
 */
interface SessionBinding {
  // The handshake asks.

  /** What the hello of the connecting side says of the session. */
  SessionOffer hello();

  /**
   * Opens a session, or finds the one that a hello names, on the accepting side.
   *
   * @param wanted what the hello says
   * @param peer whose session it is; null if that is not known
   * @return what the welcome says
   * @throws ArraywireException if the session cannot go on, or there are too many of them
   */
  SessionOffer answer(SessionOffer wanted, @Nullable Identity peer) throws ArraywireException;

  /**
   * The listener has opened the session, or goes on with it. On the connecting side.
   *
   * @throws ConnectionLostException if it does not go on with the session that it was asked for
   */
  void welcomed(SessionOffer offered) throws ConnectionLostException;

  /** How long both sides keep the session when its connection breaks. */
  Duration timeout();

  /** The connection failed in its handshake: nobody will meet a session that it opened. */
  void abandoned();

  // The connection tells.

  /** The handshake is over: from here on the connection carries the session. */
  void attach();

  /** Whether users have met the session before. */
  boolean isResumed();

  /** The connection that users hold: the session's, once that is known. */
  Connection userConnection();

  /** A frame came, so the peer has read the handshake. The reading thread's. */
  void confirmed();

  /** The connection has ended, and hands out nothing more to callers of receive. */
  void detached(ArraywireException cause);

  /**
   * The handler has had the connection's last array.
   *
   * @return true if the handler hears of the session's end, and not of the connection's
   */
  boolean handlerOver();

  /** Keeps arrays of one channel from being handed out twice. */
  DeliveryGuard guard(int channel);
}
