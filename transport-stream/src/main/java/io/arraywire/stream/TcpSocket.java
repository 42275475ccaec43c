package io.arraywire.stream;

import io.arraywire.TransportOptions;
import io.arraywire.engine.TcpKeepAlive;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.UnknownHostException;

/** A TCP socket. */
final class TcpSocket implements StreamSocket {
  private final Socket socket;

  private TcpSocket(Socket socket) {
    this.socket = socket;
  }

  static TcpSocket unconnected() {
    return new TcpSocket(new Socket());
  }

  static TcpSocket accepted(Socket socket) throws IOException {
    TcpSocket accepted = new TcpSocket(socket);
    try {
      socket.setTcpNoDelay(true);
      TcpKeepAlive.set(socket.supportedOptions(), socket::setOption);
    } catch (IOException e) {
      accepted.close();
      throw e;
    }
    return accepted;
  }

  @Override
  public void setBuffers(TransportOptions options) throws IOException {
    if (options.sendBufferBytes() > 0) {
      socket.setSendBufferSize(options.sendBufferBytes());
    }
    if (options.receiveBufferBytes() > 0) {
      socket.setReceiveBufferSize(options.receiveBufferBytes());
    }
  }

  @Override
  public void connect(SocketAddress address) throws IOException {
    socket.setTcpNoDelay(true);
    TcpKeepAlive.set(socket.supportedOptions(), socket::setOption);
    socket.connect(resolved((InetSocketAddress) address));
  }

  /** An address that was made unresolved is looked up now; this may take long. */
  static InetSocketAddress resolved(InetSocketAddress address) throws UnknownHostException {
    InetSocketAddress resolved =
        address.isUnresolved()
            ? new InetSocketAddress(address.getHostString(), address.getPort())
            : address;
    if (resolved.isUnresolved()) {
      throw new UnknownHostException(address.getHostString());
    }
    return resolved;
  }

  @Override
  public InputStream input() throws IOException {
    return socket.getInputStream();
  }

  @Override
  public OutputStream output() throws IOException {
    return socket.getOutputStream();
  }

  @Override
  public void endOutput() throws IOException {
    socket.shutdownOutput();
  }

  @Override
  public SocketAddress localAddress() {
    return socket.getLocalSocketAddress();
  }

  @Override
  public SocketAddress remoteAddress() {
    return socket.getRemoteSocketAddress();
  }

  @Override
  public void reset() {
    try {
      socket.setSoLinger(true, 0);
    } catch (SocketException e) {
      // It is closed already.
    }
    close();
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      // The descriptor is gone all the same, and nobody could do anything about it.
    }
  }
}
