package io.arraywire.memory;

import io.arraywire.engine.Acceptor;
import io.arraywire.engine.EngineListener;
import java.net.BindException;
import java.net.SocketAddress;
import java.util.function.Consumer;

/** Waits for peers at a name. */
final class MemoryAcceptor implements Acceptor {
  private final InMemoryTransport transport;
  private final MemoryAddress address;
  private volatile Consumer<MemorySocket> door = socket -> {};

  MemoryAcceptor(InMemoryTransport transport, MemoryAddress address) {
    this.transport = transport;
    this.address = address;
  }

  @Override
  public SocketAddress address() {
    return address;
  }

  @Override
  public void start(EngineListener listener) throws BindException {
    door = socket -> transport.begin(socket, listener::open);
    MemoryNetwork.listen(address, door);
  }

  @Override
  public void stop() {
    MemoryNetwork.leave(address, door);
  }

  @Override
  public boolean awaitStopped(long nanos) {
    return true;
  }
}
