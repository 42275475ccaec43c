package io.arraywire.stream;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;

/** Makes sockets for the kinds of addresses that there are: the system's, or a test's. */
interface Sockets {
  /** The system cuts it down to its own limit. */
  int BACKLOG = 1024;

  /** A socket that can be connected to an address of this kind, and closed meanwhile. */
  StreamSocket unconnected(SocketAddress address) throws IOException;

  /** Begins to listen. */
  ServerEnd listen(SocketAddress address) throws IOException;

  /** The system's sockets. */
  static Sockets system() {
    return new Sockets() {
      @Override
      public StreamSocket unconnected(SocketAddress address) throws IOException {
        return address instanceof UnixDomainSocketAddress
            ? ChannelSocket.unconnectedUnix()
            : ChannelSocket.unconnectedTcp();
      }

      @Override
      public ServerEnd listen(SocketAddress address) throws IOException {
        return address instanceof UnixDomainSocketAddress unix
            ? UnixServer.listen(unix, BACKLOG)
            : TcpServer.listen((InetSocketAddress) address, BACKLOG);
      }
    };
  }
}
