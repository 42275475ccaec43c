package io.arraywire.stream;

import io.arraywire.engine.AcceptPauses;
import io.arraywire.engine.Acceptor;
import io.arraywire.engine.EngineListener;
import io.arraywire.engine.Role;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Accepts peers on a thread of its own. Each peer's handshake runs on that peer's threads, so one
 * that is silent keeps nobody waiting.
 */
final class BlockingAcceptor implements Acceptor {
  private final BlockingTransport transport;
  private final ServerEnd server;
  private final CountDownLatch stopped = new CountDownLatch(1);
  private volatile @Nullable Thread thread;

  BlockingAcceptor(BlockingTransport transport, ServerEnd server) {
    this.transport = transport;
    this.server = server;
  }

  @Override
  public SocketAddress address() {
    return server.address();
  }

  @Override
  public void start(EngineListener listener) {
    // A virtual thread would do, but only a platform thread wakes up at once whatever handlers on
    // virtual threads are busy with.
    Thread accepting =
        Threads.platform()
            .unstarted("arraywire-stream-accept " + address(), () -> acceptAll(listener));
    accepting.start();
    thread = accepting;
  }

  private void acceptAll(EngineListener listener) {
    AcceptPauses pauses = new AcceptPauses(address());
    while (stopped.getCount() > 0) {
      try {
        StreamSocket socket = server.accept();
        pauses.over();
        try {
          socket.setBuffers(transport.options());
        } catch (IOException e) {
          // This peer has gone already; the next one may be there.
          socket.close();
          continue;
        }
        transport.begin(Role.ACCEPTOR, socket, listener::open);
      } catch (Throwable e) { // Descriptors, threads or memory run out, and come back.
        if (stopped.getCount() > 0) {
          pauses.rest(e, stopped);
        }
      }
    }
  }

  @Override
  public void stop() {
    stopped.countDown();
    server.close();
  }

  /** The kernel keeps the port for as long as a thread is about to return from it. */
  @Override
  public boolean awaitStopped(long nanos) throws InterruptedException {
    Thread accepting = thread;
    if (accepting == null || accepting.equals(Thread.currentThread())) {
      return true;
    }
    TimeUnit.NANOSECONDS.timedJoin(accepting, nanos);
    return !accepting.isAlive();
  }
}
