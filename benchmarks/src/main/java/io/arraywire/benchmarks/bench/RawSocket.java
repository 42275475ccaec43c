package io.arraywire.benchmarks.bench;

import java.io.EOFException;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.function.Consumer;

/**
 * One end of a plain connection, which either sleeps in the kernel until it can go on, or polls and
 * so keeps a processor busy.
 */
class RawSocket implements AutoCloseable {
  private final SocketChannel channel;

  RawSocket(SocketChannel channel, boolean polling) throws IOException {
    this.channel = channel;
    if (channel.supportedOptions().contains(StandardSocketOptions.TCP_NODELAY)) {
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    }
    channel.configureBlocking(!polling);
  }

  static ServerSocketChannel listen(Loopback where) throws IOException {
    return listen(where, 0);
  }

  /**
   * Opens a socket to connect to.
   *
   * @param backlog how many may connect before they are accepted; 0 leaves it to the JDK
   */
  static ServerSocketChannel listen(Loopback where, int backlog) throws IOException {
    ServerSocketChannel server = where.open();
    try {
      return server.bind(where.free(), backlog);
    } catch (IOException | RuntimeException | Error e) {
      server.close();
      throw e;
    }
  }

  static RawSocket accept(ServerSocketChannel server, boolean polling) throws IOException {
    return new RawSocket(server.accept(), polling);
  }

  /** Accepts connections that sleep in the kernel, until the socket is closed. */
  static void acceptAll(ServerSocketChannel server, Consumer<RawSocket> accepted) {
    try {
      while (true) {
        accepted.accept(accept(server, false));
      }
    } catch (IOException e) {
      System.err.println("no more connections: " + e);
    }
  }

  static RawSocket connect(Loopback where, int number, boolean polling) throws IOException {
    return new RawSocket(SocketChannel.open(where.numbered(number)), polling);
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
  final void readFully(ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      readSome(bytes);
    }
  }

  @Override
  public final void close() throws IOException {
    channel.close();
  }
}
