package io.arraywire.stream;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;

/** A TCP port. */
final class TcpServer implements ServerEnd {
  private final ServerSocket server;
  private final SocketAddress address;

  private TcpServer(ServerSocket server) {
    this.server = server;
    this.address = server.getLocalSocketAddress();
  }

  static TcpServer listen(InetSocketAddress address, int backlog) throws IOException {
    InetSocketAddress resolved = TcpSocket.resolved(address);
    ServerSocket server = new ServerSocket();
    try {
      // A port whose last connections have just ended can be had again at once.
      server.setReuseAddress(true);
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
      Socket socket = server.accept();
      try {
        return TcpSocket.accepted(socket);
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
