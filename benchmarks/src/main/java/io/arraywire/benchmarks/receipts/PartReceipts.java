package io.arraywire.benchmarks.receipts;

import io.arraywire.ArrayInfo;
import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.ConnectionClosedException;
import io.arraywire.Listener;
import io.arraywire.SendOptions;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.message.Message;
import io.arraywire.message.PartTable;
import io.arraywire.spi.Transports;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Objects;

/**
 * What a message of three parts costs the collector, both ends together, once all compilers are
 * done with both. Its receiver reads each part into an array of its own: {@code java -cp
 * benchmarks/target/benchmarks.jar io.arraywire.benchmarks.receipts.PartReceipts nio 16}. A line
 * for each case: its name and the bytes per message.
 */
public final class PartReceipts {
  private static final int MESSAGES = 5_000;
  private static final int ROUNDS = 60;

  private PartReceipts() {}

  /**
   * Measures one transport and one size.
   *
   * @param arguments the name of the transport and the number of elements of each part
   * @throws Exception if a connection fails
   */
  public static void main(String[] arguments) throws Exception {
    String transport = arguments[0];
    int elements = Integer.parseInt(arguments[1]);
    Message plain =
        Message.of("ids", new int[elements])
            .with("scores", new float[elements])
            .with("weights", new double[elements]);
    Message told = plain.tag(7).attribute("unit", "K");
    String of = " " + elements + " " + transport;
    TransportOptions options = TransportOptions.defaults();
    SendOptions processed = SendOptions.processed();
    SendOptions handedOff = SendOptions.handedOff();
    try (Transport sending = Transports.create(transport, options);
        Transport receiving = Transports.create(transport, options);
        Listener listener =
            receiving.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        Connection sender = sending.connect(listener.address())) {
      Connection accepted = listener.accept();
      Thread receiver = new Thread(() -> receive(accepted, elements), "receiver");
      receiver.setDaemon(true);
      receiver.start();
      report("three parts, acknowledged" + of, () -> sender.send(plain, processed));
      report("three parts, handed off" + of, () -> sender.send(plain, handedOff));
      report("three parts with a string, acknowledged" + of, () -> sender.send(told, processed));
    }
  }

  private static void receive(Connection from, int elements) {
    int[] ids = new int[elements];
    float[] scores = new float[elements];
    double[] weights = new double[elements];
    int bytes = 2 * ((elements * Integer.BYTES + 7) & -8) + elements * Double.BYTES;
    ArraySlice room = ArraySlice.of(new byte[bytes]);
    ArrayInfo info = new ArrayInfo();
    try (from) {
      while (true) {
        from.receiveInto(room, info);
        PartTable parts = Objects.requireNonNull(info.attributes().parts());
        parts.readInto(room, "ids", ids, 0);
        parts.readInto(room, "scores", scores, 0);
        parts.readInto(room, "weights", weights, 0);
      }
    } catch (ConnectionClosedException e) {
      // All have come.
    } catch (ArraywireException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void report(String name, LeastGarbage.Work work) throws Exception {
    LeastGarbage.report(name, MESSAGES, ROUNDS, work);
  }
}
