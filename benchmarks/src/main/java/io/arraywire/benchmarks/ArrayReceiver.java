package io.arraywire.benchmarks;

import io.arraywire.Channel;
import io.arraywire.Checksums;
import io.arraywire.Connection;
import io.arraywire.Listener;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.examples.process.CommandLoop;
import io.arraywire.spi.Transports;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/**
 * The receiving process: puts every array of a channel into the same memory, as a careful
 * application does.
 *
 * <pre>
 * listen TRANSPORT CHECKSUMS BUFFER COUNT...    for one connection, whose sockets' buffers have that
 *                                               size or, with 0, the system's, and on which channel
 *                                               i has arrays of COUNT[i] elements at most; answers
 *                                               with the port
 * </pre>
 */
final class ArrayReceiver implements CommandLoop.Commands {
  private static final int COUNTS = 4;

  private ArrayReceiver() {}

  /** The options that both sides use. */
  static TransportOptions options(boolean checksums, int socketBufferBytes) {
    return TransportOptions.builder()
        .checksums(Checksums.of(checksums))
        .sendBufferBytes(socketBufferBytes)
        .receiveBufferBytes(socketBufferBytes)
        .build();
  }

  /**
   * Serves until standard input ends.
   *
   * @param arguments none
   * @throws Exception if standard input fails
   */
  public static void main(String[] arguments) throws Exception {
    new CommandLoop().serve(new ArrayReceiver());
  }

  @Override
  public String[] run(String[] words) throws Exception {
    if (!words[0].equals("listen")) {
      throw new IllegalArgumentException("no such command: " + words[0]);
    }
    float[][] targets = new float[words.length - COUNTS][];
    for (int channel = 0; channel < targets.length; channel++) {
      targets[channel] = new float[Integer.parseInt(words[COUNTS + channel])];
    }
    Transport transport =
        Transports.create(
            words[1], options(Boolean.parseBoolean(words[2]), Integer.parseInt(words[3])));
    Listener listener =
        transport.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    background(() -> accept(listener, targets));
    return new String[] {Integer.toString(((InetSocketAddress) listener.address()).getPort())};
  }

  private static void accept(Listener listener, float[][] targets) {
    try {
      Connection connection = listener.accept();
      for (int id = 0; id < targets.length; id++) {
        Channel channel = connection.channel(id);
        float[] target = targets[id];
        background(() -> receive(channel, target));
      }
    } catch (Exception e) {
      System.err.println("receiver: " + e.getMessage());
    }
  }

  private static void receive(Channel channel, float[] target) {
    try (Connection connection = channel.connection()) {
      while (connection.isOpen()) {
        channel.receiveInto(target);
      }
    } catch (Exception e) {
      // The connection is closed: the benchmark is over.
      System.err.println("receiver: " + e.getMessage());
    }
  }

  private static void background(Runnable work) {
    Thread thread = new Thread(work, "receiver");
    thread.setDaemon(true);
    thread.start();
  }
}
