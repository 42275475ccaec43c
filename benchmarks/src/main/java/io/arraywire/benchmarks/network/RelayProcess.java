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
            SocketChannel client = server.accept();
            SocketChannel onward = SocketChannel.open(target);
            DelayedBytes.carry(client, onward, nanos);
            DelayedBytes.carry(onward, client, nanos);
          }
        });
    return ((InetSocketAddress) server.getLocalAddress()).getPort();
  }
}
