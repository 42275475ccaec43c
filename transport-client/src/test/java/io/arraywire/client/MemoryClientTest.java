package io.arraywire.client;

import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.memory.InMemoryTransport;
import io.arraywire.memory.MemoryAddress;
import java.net.SocketAddress;

class MemoryClientTest extends ClientContract {
  @Override
  Transport create(TransportOptions options) {
    return InMemoryTransport.create(options);
  }

  @Override
  SocketAddress free() {
    return MemoryAddress.free();
  }
}
