package io.arraywire;

import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * A connection to another process that sends and receives primitive arrays, whole and in order.
 *
 * <p>Obtained from {@link Transport#connect} or {@link Listener#accept()}, after the handshake.
 *
 * <p><b>Threads.</b> Every method may be called by any thread, virtual ones included. Sending and
 * receiving go on at the same time. <b>Failure.</b> A connection that failed stays failed: every
 * send and receive, waiting or later, ends with the typed error that ended it.
 */
public interface Connection extends TypedOutput, TypedInput, ArrayPublisher, AutoCloseable {

  /**
   * This end's address.
   *
   * @return the address, unnamed for the connecting end of a Unix domain socket
   */
  SocketAddress localAddress();

  /**
   * The peer's address.
   *
   * @return the address
   */
  SocketAddress remoteAddress();

  /**
   * Whether arrays can still be sent.
   *
   * @return false once this end closes, the peer says goodbye, or the connection fails
   */
  boolean isOpen();

  /**
   * One of the connection's channels. The connection itself is channel 0.
   *
   * @param id its number, the same at both ends
   * @return the channel, the same object for each call with the same number
   * @throws IllegalArgumentException if the number is negative or not below {@link
   *     Agreement#channels()}
   */
  Channel channel(int id);

  /**
   * Subscribes to what the peer publishes on a subject from now on: arrays published after this
   * returns come, earlier ones do not. The peer's program publishes with {@link Connection#publish}
   * or, where it listens, with {@link Listener#publish}.
   *
   * <p>A connection carries at most {@link Agreement#subscriptions()} subscriptions at a time; they
   * take no channel. If all are in use and one of them is closing, this waits up to {@link
   * TransportOptions#requestTimeout()} until the far side has ended it. Then it waits for the
   * peer's answer, once more for as long. With a session, a subscription belongs to the connection
   * of the moment and ends with it.
   *
   * @param subject 1 to 255 bytes of UTF-8 without control characters
   * @param options what happens when this side lags
   * @return the subscription, to be closed by the caller; it ends with the connection
   * @throws IllegalStateException in plain mode
   * @throws NoRoomException if there are as many as both sides allow
   * @throws RemoteRejectedException if the peer refuses the subscription
   * @throws TimedOutException if the peer does not answer within {@link
   *     TransportOptions#requestTimeout()}
   * @throws ArraywireException if the connection failed or is closed
   * @throws InterruptedException if the caller is interrupted; then there is no subscription
   */
  Subscription subscribe(String subject, SubscribeOptions options)
      throws ArraywireException, InterruptedException;

  /**
   * Subscribes with {@link SubscribeOptions#defaults()}: if this side lags, the publisher waits;
   * otherwise as {@link #subscribe(String, SubscribeOptions)}.
   *
   * @param subject 1 to 255 bytes of UTF-8 without control characters
   * @return the subscription, to be closed by the caller; it ends with the connection
   * @throws ArraywireException as above
   * @throws InterruptedException if the caller is interrupted; then there is no subscription
   */
  default Subscription subscribe(String subject) throws ArraywireException, InterruptedException {
    return subscribe(subject, SubscribeOptions.defaults());
  }

  /**
   * Subscribes, and has the arrays handed to a handler; otherwise as {@link #subscribe(String,
   * SubscribeOptions)}. {@link ArrayHandler#onClosed} is called when the subscription has ended.
   *
   * @param subject 1 to 255 bytes of UTF-8 without control characters
   * @param options what happens when this side lags
   * @param handler takes the arrays
   * @param targets says where they are put; null for fresh arrays
   * @return the subscription, whose receive methods throw {@link IllegalStateException}
   * @throws ArraywireException as above
   * @throws InterruptedException if the caller is interrupted; then there is no subscription
   */
  Subscription subscribe(
      String subject,
      SubscribeOptions options,
      ArrayHandler handler,
      @Nullable TargetHandler targets)
      throws ArraywireException, InterruptedException;

  /**
   * As {@link #subscribe(String, SubscribeOptions, ArrayHandler, TargetHandler)}, into fresh
   * arrays.
   *
   * @param subject 1 to 255 bytes of UTF-8 without control characters
   * @param options what happens when this side lags
   * @param handler takes the arrays
   * @return the subscription, whose receive methods throw {@link IllegalStateException}
   * @throws ArraywireException as above
   * @throws InterruptedException if the caller is interrupted; then there is no subscription
   */
  default Subscription subscribe(String subject, SubscribeOptions options, ArrayHandler handler)
      throws ArraywireException, InterruptedException {
    return subscribe(subject, options, handler, null);
  }

  /**
   * What the two ends agreed on.
   *
   * @return the agreement, the same object for the life of the connection
   */
  Agreement agreement();

  /**
   * The connection in words, for a log line. It names transport, addresses, the path in use (TCP
   * over IPv4 or IPv6, Unix domain socket), state, and why it ended if it did. It names encoding
   * and strategy in use, chunk size, checksums and limits. It counts arrays and bytes moved, what
   * is in the queues, and the credit left in each direction. It says for how many checks of its
   * heartbeats the peer was silent. It has the session's state, if there is one.
   *
   * @return one line, in no fixed format
   */
  String describe();

  /**
   * How much waits in the connection: to be sent, acknowledged, received or answered.
   *
   * @return the load now; with a session that has no connection at present, what waits for one
   */
  ConnectionLoad load();

  /**
   * Ends the connection in an orderly way. Refuses new sends, sends everything that was accepted,
   * says goodbye, waits until the peer has read it all, and closes. Arrays that arrive meanwhile
   * are still handed to an {@link ArrayHandler}; without one they are not acknowledged. Waits first
   * for open requests, made here or there. They may still be answered until {@link
   * TransportOptions#closeTimeout()} is over, and new ones are refused. Idempotent.
   *
   * @throws TimedOutException if the peer did not read and acknowledge everything, or a request was
   *     not answered, within {@link TransportOptions#closeTimeout()}; the text says which. The
   *     connection is closed all the same, and what was not acknowledged may be lost
   * @throws ArraywireException if the connection failed while it drained. In plain mode also if it
   *     had failed before and arrays had been sent. A peer in plain mode acknowledges nothing, so
   *     this exception is the only sign that arrays may be lost
   */
  @Override
  void close() throws ArraywireException;

  /**
   * Ends the connection at once. Waiting sends and receives fail with {@link
   * ConnectionClosedException}. A send fails with {@link DeliveryUnknownException} if every byte
   * had left and the far side has not said what became of the array. Arrays that were accepted and
   * not yet handed to the kernel are lost. The peer is told nothing, so it keeps a session until
   * {@link TransportOptions#sessionTimeout()}; {@link #close} ends that, too. Idempotent.
   */
  void closeNow();
}
