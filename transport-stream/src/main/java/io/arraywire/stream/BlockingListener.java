package io.arraywire.stream;

import io.arraywire.ArrayAttributes;
import io.arraywire.ArrayHandler;
import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.Listener;
import io.arraywire.PublishReceipt;
import io.arraywire.engine.AcceptQueue;
import io.arraywire.engine.ListenerLifecycle;
import io.arraywire.engine.ProtocolConnection;
import io.arraywire.engine.Role;
import io.arraywire.engine.Subjects;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * Accepts peers on a thread of its own. Each peer's handshake runs on that peer's threads, so one
 * that is silent keeps nobody waiting.
 */
final class BlockingListener implements Listener {
  private final BlockingTransport transport;
  private final ServerEnd server;
  private final @Nullable ArrayHandler handler;
  private final AcceptQueue queue = new AcceptQueue(this::address);
  private final Subjects subjects;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread acceptor;
  private final ListenerLifecycle lifecycle;

  /** Those in handshake. */
  private final Set<ProtocolConnection> arriving = ConcurrentHashMap.newKeySet();

  /** Those that belong to the handler. */
  private final Set<ProtocolConnection> handled = ConcurrentHashMap.newKeySet();

  private BlockingListener(
      BlockingTransport transport, ServerEnd server, @Nullable ArrayHandler handler) {
    this.transport = transport;
    this.server = server;
    this.handler = handler;
    subjects = new Subjects(transport.engine());
    lifecycle = new ListenerLifecycle(this);
    // A virtual thread would do, but only a platform thread wakes up at once whatever handlers on
    // virtual threads are busy with.
    acceptor =
        Threads.platform()
            .unstarted("arraywire-stream-accept " + server.address(), this::acceptAll);
  }

  /** Begins to accept; if this throws, the server is closed. */
  static BlockingListener open(
      BlockingTransport transport, ServerEnd server, @Nullable ArrayHandler handler) {
    BlockingListener listener = new BlockingListener(transport, server, handler);
    try {
      listener.acceptor.start();
      return listener;
    } catch (RuntimeException | Error e) {
      server.close();
      throw e;
    }
  }

  @Override
  public SocketAddress address() {
    return server.address();
  }

  @Override
  public Connection accept() throws ArraywireException, InterruptedException {
    if (handler != null) {
      throw new IllegalStateException(
          "this listener's connections go to its handler (address="
              + address()
              + ", handler="
              + handler.getClass().getName()
              + ")");
    }
    return queue.take();
  }

  private boolean isClosed() {
    return closed.getCount() == 0;
  }

  // The accepting thread.

  private void acceptAll() {
    AcceptFailures failures = new AcceptFailures(address());
    while (!isClosed()) {
      try {
        StreamSocket socket = server.accept();
        failures.over();
        try {
          socket.setBuffers(transport.options());
        } catch (IOException e) {
          // This peer has gone already; the next one may be there.
          socket.close();
          continue;
        }
        greet(socket);
      } catch (Throwable e) { // Descriptors, threads or memory run out, and come back.
        if (!isClosed()) {
          failures.backOff(e, closed);
        }
      }
    }
  }

  private void greet(StreamSocket socket) throws ArraywireException {
    ProtocolConnection peer = transport.open(Role.ACCEPTOR, socket, handler, this::expect);
    // Once it is no longer here, it may have been accepted, and would live on.
    if (isClosed() && arriving.contains(peer)) {
      peer.closeNow();
    }
  }

  /** Before it is read from, so that what its handler does finds it here. */
  private void expect(ProtocolConnection peer) {
    arriving.add(peer);
    peer.publishes(subjects);
    var unused =
        peer.opened()
            .whenComplete((opened, failure) -> {
              arriving.remove(peer);
              if (failure == null) {
                welcome(peer);
              } else if (!isClosed()) {
                peer.logNotAccepted(address(), failure);
              }
            });
  }

  /** As soon as the handshake is over. */
  private void welcome(ProtocolConnection peer) {
    if (handler == null) {
      queue.add(peer);
      return;
    }
    handled.add(peer);
    var unused = peer.ended().thenRun(() -> handled.remove(peer));
    if (isClosed()) {
      peer.closeNow();
    }
  }

  // The end.

  @Override
  public PublishReceipt publish(String subject, ArraySlice slice, ArrayAttributes attributes)
      throws ArraywireException, InterruptedException {
    return subjects.publish(subject, slice, attributes);
  }

  @Override
  public int subscribers(String subject) {
    return subjects.subscribers(subject);
  }

  @Override
  public void awaitClosed() throws InterruptedException {
    lifecycle.awaitClosed(handled);
  }

  @Override
  public Listener closeOnShutdown() {
    lifecycle.closeOnShutdown();
    return this;
  }

  @Override
  public void close() throws ArraywireException {
    try {
      List<ProtocolConnection> draining = new ArrayList<>(queue.takeSubscribed());
      stop();
      draining.addAll(handled);
      ProtocolConnection.closeAll(draining);
    } finally {
      // Also where a connection could not be drained.
      lifecycle.stopped(List.of());
    }
  }

  /** Closes handled connections at once, too. */
  void closeNow() {
    stop();
    List<ProtocolConnection> draining = List.copyOf(handled);
    draining.forEach(ProtocolConnection::closeNow);
    lifecycle.stopped(draining);
  }

  private void stop() {
    closed.countDown();
    server.close();
    transport.forget(this);
    queue.close();
    subjects.close();
    arriving.forEach(ProtocolConnection::closeNow);
    awaitAcceptor();
  }

  /** The kernel keeps the port for as long as a thread is about to return from it. */
  private void awaitAcceptor() {
    boolean interrupted = false;
    while (acceptor.isAlive() && !acceptor.equals(Thread.currentThread())) {
      try {
        acceptor.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public String toString() {
    return "stream listener at " + address();
  }
}
