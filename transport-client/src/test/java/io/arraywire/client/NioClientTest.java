package io.arraywire.client;

import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.nio.NioTransport;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;

class NioClientTest extends ClientContract {
  @Override
  Transport create(TransportOptions options) {
    return NioTransport.create(options);
  }

  @Override
  SocketAddress free() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }
}
