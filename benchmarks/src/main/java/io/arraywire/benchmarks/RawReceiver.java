package io.arraywire.benchmarks;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/**
 * The receiving JVM of the raw baseline: reads a fixed number of bytes, answers with one, again.
 */
final class RawReceiver {
  private RawReceiver() {}

  /**
   * Listens and prints the port.
   *
   * @param arguments bytes per message, and whether to poll instead of sleeping in read
   */
  public static void main(String[] arguments) throws Exception {
    int bytes = Integer.parseInt(arguments[0]);
    boolean polling = Boolean.parseBoolean(arguments[1]);
    try (ServerSocketChannel server = ServerSocketChannel.open()) {
      server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      System.out.println(((InetSocketAddress) server.getLocalAddress()).getPort());
      Thread answering = new Thread(() -> answer(server, bytes, polling));
      answering.setDaemon(true);
      answering.start();
      ChildJvm.untilParentEnds();
    }
  }

  private static void answer(ServerSocketChannel server, int bytes, boolean polling) {
    try (SocketChannel peer = server.accept()) {
      peer.setOption(StandardSocketOptions.TCP_NODELAY, true);
      peer.configureBlocking(!polling);
      ByteBuffer message = ByteBuffer.allocateDirect(bytes);
      ByteBuffer answer = ByteBuffer.allocateDirect(1);
      while (true) {
        message.clear();
        while (message.hasRemaining()) {
          if (peer.read(message) < 0) {
            return;
          }
        }
        answer.clear();
        while (answer.hasRemaining()) {
          peer.write(answer);
        }
      }
    } catch (IOException e) {
      // The sender is gone: the benchmark is over.
      System.err.println("raw receiver: " + e.getMessage());
    }
  }
}
