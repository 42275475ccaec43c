package io.arraywire.benchmarks;

import io.arraywire.Codecs;
import io.arraywire.Connection;
import io.arraywire.Listener;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.Transports;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** The receiving JVM: puts every array into the same memory, as a careful application does. */
final class ArrayReceiver {
  private ArrayReceiver() {}

  /** The options that both sides use. */
  static TransportOptions options(String codec, boolean checksums) {
    return TransportOptions.builder().codecs(Codecs.named(codec)).checksums(checksums).build();
  }

  /**
   * Listens and prints the port.
   *
   * @param arguments transport, codec, whether to have checksums, the most elements
   */
  public static void main(String[] arguments) throws Exception {
    TransportOptions options = options(arguments[1], Boolean.parseBoolean(arguments[2]));
    float[] target = new float[Integer.parseInt(arguments[3])];
    try (Transport transport = Transports.create(arguments[0], options);
        Listener listener =
            transport.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
      System.out.println(((InetSocketAddress) listener.address()).getPort());
      Thread accepting =
          new Thread(() -> {
            try {
              while (true) {
                Connection connection = listener.accept();
                Thread receiver = new Thread(() -> receive(connection, target));
                receiver.setDaemon(true);
                receiver.start();
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

  private static void receive(Connection connection, float[] target) {
    try (connection) {
      while (true) {
        connection.receiveInto(target, 0, target.length);
      }
    } catch (Exception e) {
      System.err.println("receiver: " + e.getMessage());
    }
  }
}
