package io.arraywire;

import io.arraywire.spi.Capability;
import io.arraywire.spi.Transports;
import java.net.SocketAddress;
import java.util.Objects;
import java.util.Set;

/**
 * A way to move arrays between processes: makes connections and listeners that share its options
 * and threads.
 *
 * <p>Each transport module has an entry class with static factories, for example {@code
 * NioTransport.create(options)}; {@link Transports} finds them by name. Addresses are {@link
 * java.net.InetSocketAddress} for TCP and {@link java.net.UnixDomainSocketAddress}. Any thread may
 * call any method.
 */
public interface Transport extends AutoCloseable {

  /**
   * The name by which {@link Transports} finds it.
   *
   * @return for example {@code nio}
   */
  String name();

  /**
   * The options it was made with.
   *
   * @return the options
   */
  TransportOptions options();

  /**
   * What this transport can do on this system, and some other transports cannot.
   *
   * @return the capabilities, which do not change; none unless a transport says so
   */
  default Set<Capability> capabilities() {
    return Set.of();
  }

  /**
   * The address that people write as {@code host:port}, {@code [::1]:port}, {@code :port} for all
   * addresses of this host, or {@code unix:/path} for a Unix domain socket. A host is looked up
   * here.
   *
   * @param text the address
   * @return the address for {@code connect} and {@code listen}
   * @throws IllegalArgumentException if it is written in another way
   */
  static SocketAddress address(String text) {
    return Addresses.parse(Objects.requireNonNull(text, "text"));
  }

  /**
   * Connects to a listener and completes the handshake. The connection has no handlers: the caller
   * receives arrays with the methods of {@link ArrayInput}.
   *
   * @param address where the listener is
   * @return the connection, to be closed by the caller
   * @throws ConnectFailedException if no connection can be made
   * @throws HandshakeException if the two sides cannot agree
   * @throws ProtocolException if the listener is not Arraywire
   * @throws InterruptedException if the caller is interrupted; nothing stays open
   */
  Connection connect(SocketAddress address) throws ArraywireException, InterruptedException;

  /**
   * As {@link #connect(SocketAddress)}, and hands what comes to handlers.
   *
   * @param address where the listener is
   * @param handlers take the peer's arrays and requests
   * @return the connection, to be closed by the caller
   * @throws ArraywireException as {@link #connect(SocketAddress)}
   * @throws InterruptedException if the caller is interrupted; nothing stays open
   */
  Connection connect(SocketAddress address, Handlers handlers)
      throws ArraywireException, InterruptedException;

  /**
   * As {@link #connect(SocketAddress, Handlers)} with {@link Handlers#ofArrays}.
   *
   * @param address where the listener is
   * @param handler takes the peer's arrays
   * @return the connection, to be closed by the caller
   * @throws ArraywireException as {@link #connect(SocketAddress)}
   * @throws InterruptedException if the caller is interrupted; nothing stays open
   */
  default Connection connect(SocketAddress address, ArrayHandler handler)
      throws ArraywireException, InterruptedException {
    return connect(address, Handlers.ofArrays(handler));
  }

  /**
   * Listens for peers, which {@link Listener#accept()} hands out. Does not keep the JVM alive; see
   * {@link Listener#awaitClosed()}.
   *
   * @param address where to listen; port 0 takes a free one
   * @return the listener, to be closed by the caller
   * @throws BindFailedException if the address cannot be had
   */
  Listener listen(SocketAddress address) throws ArraywireException;

  /**
   * Listens for peers and hands all that they send to handlers, which are called concurrently for
   * different connections. Does not keep the JVM alive, because a transport's threads are daemons:
   * a server whose {@code main} has nothing else to do waits in {@link Listener#awaitClosed()}.
   *
   * @param address where to listen; port 0 takes a free one
   * @param handlers take every peer's arrays and requests
   * @return the listener, to be closed by the caller
   * @throws BindFailedException if the address cannot be had
   */
  Listener listen(SocketAddress address, Handlers handlers) throws ArraywireException;

  /**
   * As {@link #listen(SocketAddress, Handlers)} with {@link Handlers#ofArrays}.
   *
   * @param address where to listen; port 0 takes a free one
   * @param handler takes every peer's arrays
   * @return the listener, to be closed by the caller
   * @throws BindFailedException if the address cannot be had
   */
  default Listener listen(SocketAddress address, ArrayHandler handler) throws ArraywireException {
    return listen(address, Handlers.ofArrays(handler));
  }

  /**
   * Closes every listener and, at once, every connection that is still open, ends the threads and
   * gives pooled memory back. Close connections first to drain them. Idempotent.
   */
  @Override
  void close();
}
