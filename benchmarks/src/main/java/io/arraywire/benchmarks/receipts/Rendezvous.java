package io.arraywire.benchmarks.receipts;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** Where the two processes meet: a socket beside the connection, without garbage. */
final class Rendezvous {
  private final SocketChannel channel;
  private final ByteBuffer one = ByteBuffer.allocateDirect(1);

  private Rendezvous(SocketChannel channel) {
    this.channel = channel;
  }

  static Rendezvous accept(ServerSocketChannel server) throws IOException {
    return new Rendezvous(server.accept());
  }

  static Rendezvous connect(int port) throws IOException {
    return new Rendezvous(
        SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port)));
  }

  /** Lets the other go on. */
  void signal() throws IOException {
    one.clear();
    channel.write(one);
  }

  /** Waits until the other signals. */
  void await() throws IOException {
    one.clear();
    if (channel.read(one) < 0) {
      throw new EOFException("the other process has gone");
    }
  }
}
