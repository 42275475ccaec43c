package io.arraywire;

import java.net.SocketAddress;
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
   * What it can do here that not every transport can.
   *
   * @return the capabilities, which do not change; none unless a transport says so
   */
  default Set<Capability> capabilities() {
    return Set.of();
  }

  /**
   * Connects to a listener and completes the handshake. The caller takes arrays with {@link
   * ArrayInput}'s methods.
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
   * As {@link #connect(SocketAddress)}, and hands the arrays that come to a handler.
   *
   * @param address where the listener is
   * @param handler takes the peer's arrays
   * @return the connection, to be closed by the caller
   * @throws ArraywireException as {@link #connect(SocketAddress)}
   * @throws InterruptedException if the caller is interrupted; nothing stays open
   */
  Connection connect(SocketAddress address, ArrayHandler handler)
      throws ArraywireException, InterruptedException;

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
   * Listens for peers and hands all their arrays to a handler, which is called concurrently for
   * different connections. Does not keep the JVM alive, because a transport's threads are daemons:
   * a server whose {@code main} has nothing else to do waits in {@link Listener#awaitClosed()}.
   *
   * @param address where to listen; port 0 takes a free one
   * @param handler takes every peer's arrays
   * @return the listener, to be closed by the caller
   * @throws BindFailedException if the address cannot be had
   */
  Listener listen(SocketAddress address, ArrayHandler handler) throws ArraywireException;

  /**
   * Closes every listener and, at once, every connection that is still open, ends the threads and
   * gives pooled memory back. Close connections first to drain them. Idempotent.
   */
  @Override
  void close();
}
