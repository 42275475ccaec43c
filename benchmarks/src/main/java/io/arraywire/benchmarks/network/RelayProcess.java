package io.arraywire.benchmarks.network;

import io.arraywire.examples.process.CommandLoop;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/**
 * The child process of a {@link Relay}.
 *
 * <pre>
 * carry ADDRESS PORT NANOS    listens, and carries between each connection that comes and one to
 *                             that address, whose bytes wait for so long; answers with the port
 * </pre>
 */
final class RelayProcess implements CommandLoop.Commands {
  private RelayProcess() {}

  /**
   * Serves until standard input ends.
   *
   * @param arguments none
   * @throws Exception if standard input fails
   */
  public static void main(String[] arguments) throws Exception {
    new CommandLoop().serve(new RelayProcess());
  }

  @Override
  public String[] run(String[] words) throws Exception {
    if (!words[0].equals("carry")) {
      throw new IllegalArgumentException("unknown command (command=" + words[0] + ")");
    }
    InetSocketAddress target = new InetSocketAddress(words[1], Integer.parseInt(words[2]));
    return new String[] {Integer.toString(carry(target, Long.parseLong(words[3])))};
  }

  /** Listens on all addresses from here on; answers with the port. */
  static int carry(InetSocketAddress target, long nanos) throws IOException {
    ServerSocketChannel server = ServerSocketChannel.open().bind(new InetSocketAddress(0), 1 << 10);
    DaemonThread.start(
        "accept",
        () -> {
          while (true) {
            connect(server.accept(), target, nanos);
          }
        });
    return ((InetSocketAddress) server.getLocalAddress()).getPort();
  }

  /** Others are accepted, whatever becomes of this one. */
  private static void connect(SocketChannel client, InetSocketAddress target, long nanos)
      throws IOException {
    try {
      DelayedBytes.carryBothWays(client, SocketChannel.open(target), nanos);
    } catch (IOException e) {
      System.err.println("a connection is not relayed (target=" + target + ", cause=" + e + ")");
      client.close();
    }
  }
}
