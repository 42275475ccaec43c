package io.arraywire;

import io.arraywire.security.Identity;
import io.arraywire.spi.BackPressure;
import io.arraywire.spi.Rejection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Observes what happens on the connections of a transport; see {@link
 * TransportOptions.Builder#observer}. Every method does nothing unless overridden. {@link
 * TransportCounters} counts.
 *
 * <p><b>Threads.</b> The methods are called by library threads, often by one that does I/O for many
 * connections. So they must neither block nor wait for anything of Arraywire. No lock of the
 * library is held, so {@link Connection#describe()} and {@link Connection#load()} may be called.
 * For one connection there is one call at a time, in the order in which things happened. For
 * different connections, and for two channels that carry a session one after the other, there can
 * be several at a time. <b>Failure.</b> An exception that a method throws changes nothing; the
 * first one of a transport is logged.
 *
 * <p>The connection is the object that {@code connect}, {@code accept} and handlers give out. With
 * a session it stays the same object while channels change, and opens and closes once.
 */
public interface TransportObserver {

  /**
   * A handshake is over, or in plain mode a channel is connected.
   *
   * @param connection the connection
   */
  default void connectionOpened(Connection connection) {}

  /**
   * A connection that had opened has ended. Arrays that had come before may still be taken.
   *
   * @param connection the connection
   * @param cause why it failed; null if it ended in an orderly way or was closed here
   */
  default void connectionClosed(Connection connection, @Nullable ArraywireException cause) {}

  /**
   * The kernel has taken the last byte of an array. With a session, this is called again for an
   * array that is sent again over another channel.
   *
   * @param connection the connection
   * @param header what was sent
   * @param receipt what that cost
   */
  default void arraySent(Connection connection, ArrayHeader header, Receipt receipt) {}

  /**
   * An array was taken: a receive call has it, its handler has returned, or it answered a request.
   *
   * @param connection the connection
   * @param header what has come
   * @param receipt what that cost
   */
  default void arrayReceived(Connection connection, ArrayHeader header, Receipt receipt) {}

  /**
   * The peer has acknowledged an array that was sent with {@link Delivery#PROCESSED} or {@link
   * Delivery#SESSION}.
   *
   * @param connection the connection
   * @param header what was sent
   * @param nanos the time since it was accepted to be sent, over the present channel if there is a
   *     session
   */
  default void arrayAcknowledged(Connection connection, ArrayHeader header, long nanos) {}

  /**
   * An array was refused, here or by the peer.
   *
   * @param connection the connection
   * @param rejection which one and why
   */
  default void arrayRejected(Connection connection, Rejection rejection) {}

  /**
   * Arrays to be sent on a channel are held up.
   *
   * @param connection the connection
   * @param pressure what holds them up
   */
  default void backPressureBegan(Connection connection, BackPressure pressure) {}

  /**
   * Arrays to be sent on a channel are no longer held up, or the connection has ended.
   *
   * @param connection the connection
   * @param pressure what held them up
   * @param nanos for how long
   */
  default void backPressureEnded(Connection connection, BackPressure pressure, long nanos) {}

  /**
   * The network connection under a session broke. The session goes on over another one, if it can.
   *
   * @param connection the session's connection
   * @param cause what broke it
   */
  default void sessionBroken(Connection connection, ArraywireException cause) {}

  /**
   * A session goes on over another channel.
   *
   * @param connection the session's connection
   */
  default void sessionResumed(Connection connection) {}

  /**
   * A peer was refused a subscription that its {@link Identity} does not permit. The connection
   * stays open; a violation that ends it is reported by {@link #error} instead.
   *
   * @param connection the connection; its {@link Agreement#identity()} says who the peer is
   * @param denial what was refused, with {@link ErrorCode#NOT_PERMITTED}
   */
  default void permissionDenied(Connection connection, ArraywireException denial) {}

  /**
   * A connection failed, before or after it had opened. Followed by {@link #connectionClosed} if it
   * had. A failed attempt to connect has no connection and is not reported: {@code connect} throws.
   *
   * @param connection the connection; it may have no {@linkplain Connection#agreement() agreement}
   * @param error the typed error with which waiting calls end, too
   */
  default void error(Connection connection, ArraywireException error) {}

  /**
   * Several observers as one. If one throws, the others are called all the same.
   *
   * @param observers the observers, called in this order
   * @return the one
   */
  static TransportObserver all(TransportObserver... observers) {
    return new AllObservers(List.of(observers));
  }
}
