package io.arraywire;

import java.net.SocketAddress;

/**
 * Waits for peers at an address.
 *
 * <p>Obtained from {@link Transport#listen}. With an {@link ArrayHandler} every peer's arrays go to
 * the handler; without one, {@link #accept()} hands out the connections. Any thread may call any
 * method.
 */
public interface Listener extends AutoCloseable {

  /**
   * The address listened on, with the real port where 0 was asked for.
   *
   * @return the address
   */
  SocketAddress address();

  /**
   * Waits for the next peer that has completed its handshake. A peer that fails its handshake is
   * logged and not handed out.
   *
   * @return the connection, to be closed by the caller
   * @throws IllegalStateException if the listener was made with a handler
   * @throws ConnectionClosedException if the listener is closed, before or during the wait
   * @throws InterruptedException if the caller is interrupted; no connection is lost
   */
  Connection accept() throws ArraywireException, InterruptedException;

  /**
   * Stops listening and closes, at once, the connections that nobody has accepted. Accepted
   * connections live on; connections that belong to a handler are closed in an orderly way. A Unix
   * domain socket's file is removed. Idempotent.
   *
   * @throws ArraywireException if a connection could not be drained in time
   */
  @Override
  void close() throws ArraywireException;
}
