package io.arraywire.stream;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** A TCP port. */
final class TcpServer implements ServerEnd {
  private final ServerSocketChannel server;
  private final SocketAddress address;

  private TcpServer(ServerSocketChannel server) throws IOException {
    this.server = server;
    this.address = server.getLocalAddress();
  }

  static TcpServer listen(InetSocketAddress address, int backlog) throws IOException {
    InetSocketAddress resolved = ChannelSocket.resolved(address);
    ServerSocketChannel server = ServerSocketChannel.open();
    try {
      // A port whose last connections have just ended can be had again at once.
      server.setOption(StandardSocketOptions.SO_REUSEADDR, true);
      server.bind(resolved, backlog);
      return new TcpServer(server);
    } catch (IOException | RuntimeException | Error e) {
      server.close();
      throw e;
    }
  }

  @Override
  public StreamSocket accept() throws IOException {
    while (true) {
      SocketChannel channel = server.accept();
      try {
        return ChannelSocket.acceptedTcp(channel);
      } catch (IOException e) {
        // This peer has gone already; the next one may be there.
      }
    }
  }

  @Override
  public SocketAddress address() {
    return address;
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      // The descriptor is gone all the same, and nobody could do anything about it.
    }
  }
}
