package io.arraywire.benchmarks.receipts;

import io.arraywire.ArrayInfo;
import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.ConnectionClosedException;
import io.arraywire.ElementType;
import io.arraywire.Listener;
import io.arraywire.SendOptions;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.message.Message;
import io.arraywire.spi.Transports;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/**
 * What a {@code float[]} that is sent into the receiver's own array costs the collector, both ends
 * together, once all compilers are done with both: {@code java -cp benchmarks/target/benchmarks.jar
 * io.arraywire.benchmarks.receipts.ConnectionReceipts nio 16}. A line for each case: its name and
 * the bytes per array.
 */
public final class ConnectionReceipts {
  private static final int ARRAYS = 5_000;
  private static final int ROUNDS = 60;

  private ConnectionReceipts() {}

  /**
   * Measures one transport and one size.
   *
   * @param arguments the name of the transport and the number of elements
   * @throws Exception if a connection fails
   */
  public static void main(String[] arguments) throws Exception {
    String transport = arguments[0];
    int elements = Integer.parseInt(arguments[1]);
    ArraySlice array = ArraySlice.of(new float[elements]);
    Message one = Message.of(new float[elements]);
    SendOptions processed = SendOptions.processed();
    SendOptions handedOff = SendOptions.handedOff();
    String of = " " + elements + " " + transport;
    try (Ends ends = new Ends(transport, TransportOptions.defaults(), elements)) {
      Connection sender = ends.sender;
      report("array, acknowledged" + of, () -> sender.send(array, processed));
      report("one part without a name, acknowledged" + of, () -> sender.send(one, processed));
      report("array, handed off" + of, () -> sender.send(array, handedOff));
    }
    TransportOptions plain = TransportOptions.builder().plain(ElementType.FLOAT).build();
    try (Ends ends = new Ends(transport, plain, elements)) {
      report("array, plain mode" + of, () -> ends.sender.send(array, handedOff));
    }
  }

  private static void report(String name, LeastGarbage.Work work) throws Exception {
    LeastGarbage.report(name, ARRAYS, ROUNDS, work);
  }

  /** Both ends of a connection, and a thread that receives into the same array again and again. */
  private static final class Ends implements AutoCloseable {
    private final Transport sending;
    private final Transport receiving;
    private final Connection sender;

    Ends(String transport, TransportOptions options, int elements) throws Exception {
      sending = Transports.create(transport, options);
      receiving = Transports.create(transport, options);
      Listener listener =
          receiving.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      sender = sending.connect(listener.address());
      Connection accepted = listener.accept();
      Thread receiver = new Thread(() -> receive(accepted, elements), "receiver");
      receiver.setDaemon(true);
      receiver.start();
    }

    private static void receive(Connection from, int elements) {
      ArraySlice target = ArraySlice.of(new float[elements]);
      ArrayInfo info = new ArrayInfo();
      try (from) {
        while (true) {
          from.receiveInto(target, info);
        }
      } catch (ConnectionClosedException e) {
        // All have come.
      } catch (ArraywireException | InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void close() throws ArraywireException {
      sender.close();
      sending.close();
      receiving.close();
    }
  }
}
