package io.arraywire.testkit;

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
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Waits for peers at a name. */
final class MemoryListener implements Listener {
  private final InMemoryTransport transport;
  private final MemoryAddress address;
  private final @Nullable ArrayHandler handler;
  private final AcceptQueue queue = new AcceptQueue(this::address);
  private final Subjects subjects;
  private final ListenerLifecycle lifecycle;
  private final Set<ProtocolConnection> handled = ConcurrentHashMap.newKeySet();
  private final Consumer<MemorySocket> door = this::accepted;

  private MemoryListener(
      InMemoryTransport transport, MemoryAddress address, @Nullable ArrayHandler handler) {
    this.transport = transport;
    this.address = address;
    this.handler = handler;
    subjects = new Subjects(transport.engine());
    lifecycle = new ListenerLifecycle(this);
  }

  static MemoryListener open(
      InMemoryTransport transport, MemoryAddress address, @Nullable ArrayHandler handler)
      throws ArraywireException {
    MemoryListener listener = new MemoryListener(transport, address, handler);
    MemoryNetwork.listen(address, listener.door);
    return listener;
  }

  private void accepted(MemorySocket socket) {
    ProtocolConnection connection =
        transport.begin(socket, Role.ACCEPTOR, handler, unstarted -> unstarted.publishes(subjects));
    if (handler != null) {
      handled.add(connection);
      var unused = connection.ended().thenRun(() -> handled.remove(connection));
    } else {
      var unused = connection.opened().thenRun(() -> queue.add(connection));
    }
  }

  @Override
  public SocketAddress address() {
    return address;
  }

  @Override
  public Connection accept() throws ArraywireException, InterruptedException {
    if (handler != null) {
      throw new IllegalStateException(
          "this listener's connections go to its handler (address=" + address + ")");
    }
    return queue.take();
  }

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
      closeNow();
      draining.addAll(ProtocolConnection.closeUnopened(handled));
      ProtocolConnection.closeAll(draining);
    } finally {
      // Also where a connection could not be drained.
      lifecycle.stopped(List.of());
    }
  }

  /** Stops listening; connections that belong to the handler live on. */
  void closeNow() {
    MemoryNetwork.leave(address, door);
    queue.close();
    subjects.close();
    transport.closed(this);
    lifecycle.stopped(List.copyOf(handled));
  }
}
