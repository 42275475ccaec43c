package io.arraywire.nio;

import io.arraywire.ArrayHandler;
import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.Handlers;
import io.arraywire.Listener;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.engine.SharedTransport;
import java.io.UncheckedIOException;
import java.net.SocketAddress;

/**
 * The nonblocking transport: event loops on platform threads, each with a selector, over TCP and
 * Unix domain sockets.
 *
 * <p>The static {@code listen} and {@code connect} use one transport with every default that the
 * whole process shares; {@link #create(TransportOptions)} makes one of your own. All threads are
 * daemons: a server's {@code main} waits in {@link Listener#awaitClosed()}, or the JVM ends. Any
 * thread may call any method.
 */
public final class NioTransport {
  private static final SharedTransport SHARED = new SharedTransport(NioTransport::create);

  private NioTransport() {}

  /**
   * Listens with every default; see {@link Transport#listen(SocketAddress)}.
   *
   * @param address where to listen; port 0 takes a free one
   * @return the listener, to be closed by the caller
   * @throws ArraywireException if the address cannot be had
   */
  public static Listener listen(SocketAddress address) throws ArraywireException {
    return SHARED.toListen(address).listen(address);
  }

  /**
   * Listens with every default; see {@link Transport#listen(SocketAddress)}.
   *
   * @param address as {@link Transport#address(String)} takes it
   * @return the listener, to be closed by the caller
   * @throws ArraywireException if the address cannot be had
   */
  public static Listener listen(String address) throws ArraywireException {
    return listen(Transport.address(address));
  }

  /**
   * Listens with every default; see {@link Transport#listen(SocketAddress, Handlers)}.
   *
   * @param address where to listen; port 0 takes a free one
   * @param handlers take every peer's arrays and requests
   * @return the listener, to be closed by the caller
   * @throws ArraywireException if the address cannot be had
   */
  public static Listener listen(SocketAddress address, Handlers handlers)
      throws ArraywireException {
    return SHARED.toListen(address).listen(address, handlers);
  }

  /**
   * Listens with every default; see {@link Transport#listen(SocketAddress, Handlers)}.
   *
   * @param address as {@link Transport#address(String)} takes it
   * @param handlers take every peer's arrays and requests
   * @return the listener, to be closed by the caller
   * @throws ArraywireException if the address cannot be had
   */
  public static Listener listen(String address, Handlers handlers) throws ArraywireException {
    return listen(Transport.address(address), handlers);
  }

  /**
   * Listens with every default; see {@link Transport#listen(SocketAddress, ArrayHandler)}.
   *
   * @param address where to listen; port 0 takes a free one
   * @param handler takes every peer's arrays
   * @return the listener, to be closed by the caller
   * @throws ArraywireException if the address cannot be had
   */
  public static Listener listen(SocketAddress address, ArrayHandler handler)
      throws ArraywireException {
    return SHARED.toListen(address).listen(address, handler);
  }

  /**
   * Listens with every default; see {@link Transport#listen(SocketAddress, ArrayHandler)}.
   *
   * @param address as {@link Transport#address(String)} takes it
   * @param handler takes every peer's arrays
   * @return the listener, to be closed by the caller
   * @throws ArraywireException if the address cannot be had
   */
  public static Listener listen(String address, ArrayHandler handler) throws ArraywireException {
    return listen(Transport.address(address), handler);
  }

  /**
   * Connects with every default; see {@link Transport#connect(SocketAddress)}.
   *
   * @param address where the listener is
   * @return the connection, to be closed by the caller
   * @throws ArraywireException if no connection can be made, or the two sides cannot agree
   * @throws InterruptedException if the caller is interrupted; nothing stays open
   */
  public static Connection connect(SocketAddress address)
      throws ArraywireException, InterruptedException {
    return SHARED.toConnect(address).connect(address);
  }

  /**
   * Connects with every default; see {@link Transport#connect(SocketAddress)}.
   *
   * @param address as {@link Transport#address(String)} takes it
   * @return the connection, to be closed by the caller
   * @throws ArraywireException if no connection can be made, or the two sides cannot agree
   * @throws InterruptedException if the caller is interrupted; nothing stays open
   */
  public static Connection connect(String address) throws ArraywireException, InterruptedException {
    return connect(Transport.address(address));
  }

  /**
   * Connects with every default; see {@link Transport#connect(SocketAddress, Handlers)}.
   *
   * @param address where the listener is
   * @param handlers take the peer's arrays and requests
   * @return the connection, to be closed by the caller
   * @throws ArraywireException if no connection can be made, or the two sides cannot agree
   * @throws InterruptedException if the caller is interrupted; nothing stays open
   */
  public static Connection connect(SocketAddress address, Handlers handlers)
      throws ArraywireException, InterruptedException {
    return SHARED.toConnect(address).connect(address, handlers);
  }

  /**
   * Connects with every default; see {@link Transport#connect(SocketAddress, Handlers)}.
   *
   * @param address as {@link Transport#address(String)} takes it
   * @param handlers take the peer's arrays and requests
   * @return the connection, to be closed by the caller
   * @throws ArraywireException if no connection can be made, or the two sides cannot agree
   * @throws InterruptedException if the caller is interrupted; nothing stays open
   */
  public static Connection connect(String address, Handlers handlers)
      throws ArraywireException, InterruptedException {
    return connect(Transport.address(address), handlers);
  }

  /**
   * Connects with every default; see {@link Transport#connect(SocketAddress, ArrayHandler)}.
   *
   * @param address where the listener is
   * @param handler takes the peer's arrays
   * @return the connection, to be closed by the caller
   * @throws ArraywireException if no connection can be made, or the two sides cannot agree
   * @throws InterruptedException if the caller is interrupted; nothing stays open
   */
  public static Connection connect(SocketAddress address, ArrayHandler handler)
      throws ArraywireException, InterruptedException {
    return SHARED.toConnect(address).connect(address, handler);
  }

  /**
   * Connects with every default; see {@link Transport#connect(SocketAddress, ArrayHandler)}.
   *
   * @param address as {@link Transport#address(String)} takes it
   * @param handler takes the peer's arrays
   * @return the connection, to be closed by the caller
   * @throws ArraywireException if no connection can be made, or the two sides cannot agree
   * @throws InterruptedException if the caller is interrupted; nothing stays open
   */
  public static Connection connect(String address, ArrayHandler handler)
      throws ArraywireException, InterruptedException {
    return connect(Transport.address(address), handler);
  }

  /**
   * Makes a transport of your own.
   *
   * @param options its options
   * @return the transport, to be closed by the caller
   * @throws UncheckedIOException if the process has too few file descriptors left
   */
  public static Transport create(TransportOptions options) {
    return create(options, NioOptions.defaults());
  }

  /**
   * Makes a transport of your own.
   *
   * @param options its options
   * @param nioOptions its event loops
   * @return the transport, to be closed by the caller
   * @throws UncheckedIOException if the process has too few file descriptors left
   */
  public static Transport create(TransportOptions options, NioOptions nioOptions) {
    return new SelectorTransport(options, nioOptions, SocketIo::of);
  }
}
