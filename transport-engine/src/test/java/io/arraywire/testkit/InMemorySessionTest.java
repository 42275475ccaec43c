package io.arraywire.testkit;

import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.memory.InMemoryTransport;
import io.arraywire.memory.MemoryAddress;
import io.arraywire.memory.MemoryCable;
import java.net.SocketAddress;

class InMemorySessionTest extends SessionContract {
  @Override
  protected Transport create(TransportOptions options) {
    return InMemoryTransport.create(options);
  }

  @Override
  protected SocketAddress address() {
    return MemoryAddress.free();
  }

  @Override
  public Cable cable(SocketAddress listener) throws Exception {
    return new MemoryCable(listener);
  }
}
