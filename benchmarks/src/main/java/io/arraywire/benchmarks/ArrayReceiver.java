package io.arraywire.benchmarks;

import io.arraywire.Channel;
import io.arraywire.Codecs;
import io.arraywire.Connection;
import io.arraywire.Listener;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.Transports;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/**
 * The receiving JVM: puts every array of a channel into the same memory, as a careful application
 * does.
 */
final class ArrayReceiver {
  /** Stands for the codec that the transport prefers. */
  static final String DEFAULT_CODEC = "default";

  private ArrayReceiver() {}

  /** The options that both sides use. */
  static TransportOptions options(String codec, boolean checksums, int socketBufferBytes) {
    TransportOptions.Builder options =
        TransportOptions.builder()
            .checksums(checksums)
            .sendBufferBytes(socketBufferBytes)
            .receiveBufferBytes(socketBufferBytes);
    if (!codec.equals(DEFAULT_CODEC)) {
      options.codecs(Codecs.named(codec));
    }
    return options.build();
  }

  /**
   * Listens and prints the port.
   *
   * @param arguments transport, codec, whether to have checksums, the size of socket buffers or 0,
   *     then for each channel from 0 on the most elements
   */
  public static void main(String[] arguments) throws Exception {
    TransportOptions options =
        options(arguments[1], Boolean.parseBoolean(arguments[2]), Integer.parseInt(arguments[3]));
    float[][] targets = new float[arguments.length - 4][];
    for (int channel = 0; channel < targets.length; channel++) {
      targets[channel] = new float[Integer.parseInt(arguments[4 + channel])];
    }
    try (Transport transport = Transports.create(arguments[0], options);
        Listener listener =
            transport.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
      System.out.println(((InetSocketAddress) listener.address()).getPort());
      Thread accepting =
          new Thread(() -> {
            try {
              while (true) {
                Connection connection = listener.accept();
                for (int id = 0; id < targets.length; id++) {
                  Channel channel = connection.channel(id);
                  float[] target = targets[id];
                  Thread receiver = new Thread(() -> receive(channel, target));
                  receiver.setDaemon(true);
                  receiver.start();
                }
              }
            } catch (Exception e) {
              // The listener is closed: the benchmark is over.
              System.err.println("receiver: " + e.getMessage());
            }
          });
      accepting.setDaemon(true);
      accepting.start();
      ChildJvm.untilParentEnds();
    }
  }

  private static void receive(Channel channel, float[] target) {
    try (Connection connection = channel.connection()) {
      while (connection.isOpen()) {
        channel.receiveInto(target, 0, target.length);
      }
    } catch (Exception e) {
      System.err.println("receiver: " + e.getMessage());
    }
  }
}
