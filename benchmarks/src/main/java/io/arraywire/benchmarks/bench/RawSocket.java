package io.arraywire.benchmarks.bench;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/**
 * One end of a plain TCP connection, which either sleeps in the kernel until it can go on, or polls
 * and so keeps a processor busy.
 */
final class RawSocket implements AutoCloseable {
  private final SocketChannel channel;

  private RawSocket(SocketChannel channel, boolean polling) throws IOException {
    this.channel = channel;
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    channel.configureBlocking(!polling);
  }

  static ServerSocketChannel listen() throws IOException {
    return listen(0);
  }

  /**
   * Opens a socket to connect to.
   *
   * @param backlog how many may connect before they are accepted; 0 leaves it to the JDK
   */
  static ServerSocketChannel listen(int backlog) throws IOException {
    return ServerSocketChannel.open().bind(new InetSocketAddress(loopback(), 0), backlog);
  }

  static int port(ServerSocketChannel server) throws IOException {
    return ((InetSocketAddress) server.getLocalAddress()).getPort();
  }

  static RawSocket accept(ServerSocketChannel server, boolean polling) throws IOException {
    return new RawSocket(server.accept(), polling);
  }

  static RawSocket connect(int port, boolean polling) throws IOException {
    return new RawSocket(SocketChannel.open(new InetSocketAddress(loopback(), port)), polling);
  }

  /** Where all contenders meet. */
  static InetAddress loopback() {
    return InetAddress.getLoopbackAddress();
  }

  /** Writes all that remains. */
  void write(ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      if (channel.write(bytes) == 0) {
        Thread.onSpinWait();
      }
    }
  }

  /** Waits for bytes and reads what is there, at least one. */
  int readSome(ByteBuffer bytes) throws IOException {
    while (true) {
      int read = channel.read(bytes);
      if (read > 0) {
        return read;
      } else if (read < 0) {
        throw new EOFException("the other end closed the connection");
      }
      Thread.onSpinWait();
    }
  }

  /** Reads until nothing remains. */
  void readFully(ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      readSome(bytes);
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
