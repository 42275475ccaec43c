package io.arraywire;

import java.net.SocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Waits for peers at an address.
 *
 * <p>Obtained from {@link Transport#listen}. With an {@link ArrayHandler} every peer's arrays go to
 * the handler; without one, {@link #accept()} hands out the connections. Any thread may call any
 * method.
 *
 * <p>The threads of a transport are daemons, so a listener does not keep the JVM alive. A server
 * whose {@code main} returns ends at once, with status 0. Have {@code main} wait:
 *
 * <pre>{@code
 * try (Listener server = NioTransport.listen(address, handler)) {
 *   server.closeOnShutdown().awaitClosed();
 * }
 * }</pre>
 */
public interface Listener extends ArrayPublisher, AutoCloseable {

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
  default Connection accept() throws ArraywireException, InterruptedException {
    while (true) {
      Connection accepted = accept(Forever.TIMEOUT);
      if (accepted != null) {
        return accepted;
      }
    }
  }

  /**
   * Waits for the next peer, but no longer than a timeout; otherwise as {@link #accept()}.
   *
   * @param timeout how long to wait; zero or less takes a peer that is there without waiting
   * @return the connection, to be closed by the caller, or null if none has come in time
   * @throws IllegalStateException if the listener was made with a handler
   * @throws ConnectionClosedException if the listener is closed, before or during the wait
   * @throws InterruptedException if the caller is interrupted; no connection is lost
   */
  @Nullable Connection accept(Duration timeout) throws ArraywireException, InterruptedException;

  /**
   * Waits until this listener is closed and the connections that belong to its handler have ended.
   * Returns at once if that is so. Any number of threads may wait, virtual ones too. Connections
   * that {@link #accept()} handed out are their callers' and not waited for.
   *
   * <p>A server without other work calls this at the end of its {@code main}: the library's threads
   * are daemons and do not keep the JVM alive.
   *
   * @throws IllegalStateException if this listener's own handler calls it, which would wait for
   *     itself
   * @throws InterruptedException if the caller is interrupted; the listener stays open
   */
  void awaitClosed() throws InterruptedException;

  /**
   * Has this listener closed when the JVM shuts down, by SIGTERM, SIGINT or {@link System#exit}. It
   * then stops listening, drains the connections of its handler for up to {@link
   * TransportOptions#closeTimeout()}, and says goodbye to their peers. It waits for up to the same
   * time until the handler has had all arrays that came. A log line says so if the handler has not.
   * The JVM ends afterwards; it does not wait for the code behind {@link #awaitClosed()}. The
   * shutdown hook is removed when the listener is closed. Idempotent.
   *
   * @return this listener
   */
  Listener closeOnShutdown();

  /**
   * Stops listening and closes, at once, the connections that nobody has accepted. Accepted
   * connections live on; connections that belong to a handler are closed in an orderly way. The
   * handler may still be at work on arrays that came before: {@link ArrayHandler#onClosed} is its
   * last call, and only {@link #closeOnShutdown()} waits for that. Subscriptions end once the
   * arrays queued for them are sent. For that, a connection that nobody has accepted is drained if
   * its peer has subscribed. A Unix domain socket's file is removed. Idempotent.
   *
   * @throws ArraywireException if a connection could not be drained in time
   */
  @Override
  void close() throws ArraywireException;
}
