package io.arraywire.client;

import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.stream.StreamTransport;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;

class StreamClientTest extends ClientContract {
  @Override
  Transport create(TransportOptions options) {
    return StreamTransport.create(options);
  }

  @Override
  SocketAddress free() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }
}
