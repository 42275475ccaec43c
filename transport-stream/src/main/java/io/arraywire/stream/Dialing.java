package io.arraywire.stream;

import io.arraywire.ConnectFailedException;
import io.arraywire.TransportOptions;
import io.arraywire.engine.ConnectErrors;
import java.io.IOException;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * One attempt to connect.
 *
 * <p>The attempt has a thread of its own, because a thread that connects a {@code Socket} or looks
 * up a name cannot be interrupted; closing the socket ends the attempt, and who asked for it need
 * not wait for that. A platform thread: a lookup would hold on to a virtual one's carrier, and on a
 * virtual thread the JDK takes a Unix domain socket whose listener's queue is full for connected.
 */
final class Dialing {
  private final SocketAddress address;
  private final TransportOptions options;
  private final StreamSocket socket;
  private final CompletableFuture<Void> connected = new CompletableFuture<>();

  Dialing(SocketAddress address, Sockets sockets, TransportOptions options)
      throws ConnectFailedException {
    this.address = address;
    this.options = options;
    try {
      socket = sockets.unconnected(address);
    } catch (IOException e) {
      throw ConnectErrors.connect(address, e);
    }
  }

  /** The connected socket; if this throws, the socket is closed. */
  StreamSocket await(Threads threads, Duration connectTimeout)
      throws ConnectFailedException, InterruptedException {
    boolean done = false;
    try {
      threads.unstarted("arraywire-stream-connect " + address, this::connect).start();
      connected.get(nanos(connectTimeout), TimeUnit.NANOSECONDS);
      done = true;
      return socket;
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      throw ConnectErrors.connect(address, cause == null ? e : cause);
    } catch (TimeoutException e) {
      throw ConnectErrors.connectTimeout(address, connectTimeout);
    } catch (OutOfMemoryError e) {
      throw ConnectErrors.connect(address, e);
    } finally {
      if (!done) {
        socket.close();
      }
    }
  }

  /** Gives up, from any thread. */
  void cancel() {
    socket.close();
  }

  private void connect() {
    try {
      socket.setBuffers(options);
      socket.connect(address);
      connected.complete(null);
    } catch (Throwable e) { // Whatever it is, somebody waits for it.
      connected.completeExceptionally(e);
    }
  }

  /** A time in nanoseconds; the longest there is if it is longer. */
  static long nanos(Duration duration) {
    try {
      return duration.toNanos();
    } catch (ArithmeticException e) {
      return Long.MAX_VALUE;
    }
  }
}
