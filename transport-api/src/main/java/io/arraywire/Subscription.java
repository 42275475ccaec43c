package io.arraywire;

/**
 * Takes the arrays that a peer publishes on a subject, in the order in which they were published.
 *
 * <p>Obtained from {@link Connection#subscribe}. It has an order and a credit of its own. Arrays
 * that wait here hold up neither other subscriptions nor the channels of the connection, until all
 * of these together hold {@link TransportOptions#connectionInboxBytes()}. What the publisher does
 * when this side lags is the subscription's {@link LagPolicy}. {@link ArrayHeader#dropped()} of
 * each array says how many were dropped just before it.
 *
 * <p><b>The end.</b> A receive throws {@link ConnectionClosedException} once the subscription is
 * closed here. It does so, too, when what came before is taken and the publisher's listener or the
 * connection is closed. It throws {@link ConnectionLostException} ({@link
 * ErrorCode#SLOW_SUBSCRIBER}) after {@link LagPolicy#DISCONNECT}. Otherwise it throws what ended
 * the connection. <b>Threads.</b> Any thread may call any method. <b>Memory.</b> As for {@link
 * ArrayInput}.
 */
public interface Subscription extends TypedInput, AutoCloseable {

  /**
   * What is subscribed to.
   *
   * @return the subject
   */
  String subject();

  /**
   * The connection that the subscription is a part of.
   *
   * @return the connection
   */
  Connection connection();

  /**
   * How many arrays the publisher dropped for this subscriber before the one that came last.
   *
   * @return arrays, since the subscription began
   */
  long dropped();

  /**
   * Whether further arrays may come.
   *
   * @return false once either side has ended the subscription or the connection
   */
  boolean isOpen();

  /**
   * Ends the subscription, without waiting. Receives end at once with {@link
   * ConnectionClosedException}, arrays that nobody has taken are dropped, and the publisher drops
   * its queue. Idempotent.
   */
  @Override
  void close();
}
