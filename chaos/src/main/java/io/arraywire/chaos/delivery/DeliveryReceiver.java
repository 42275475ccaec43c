package io.arraywire.chaos.delivery;

import io.arraywire.ArrayHandler;
import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.Listener;
import io.arraywire.ReceivedArray;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.spi.Transports;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Logs each array of a {@link DeliverySender} before it lets it be acknowledged, and compares its
 * elements with those that its seed gives. An array that no sender can have sent is logged as one
 * of sender -1, a phantom.
 *
 * <p>A program too: see {@link #main}. Any thread may call it.
 */
public final class DeliveryReceiver implements ArrayHandler {
  private static final int NOBODY = -1;

  private final DeliveryLog log;
  private final AtomicLong arrays = new AtomicLong();
  private final AtomicLong damaged = new AtomicLong();

  private DeliveryReceiver(DeliveryLog log) {
    this.log = log;
  }

  /**
   * A receiver, to be given to {@link Transport#listen(SocketAddress, ArrayHandler)}.
   *
   * @param log what comes
   * @return the receiver
   */
  public static DeliveryReceiver create(DeliveryLog log) {
    return new DeliveryReceiver(log);
  }

  /**
   * Receives as a program of its own. Arguments are {@code name=value}: {@code transport}, {@code
   * address} and {@code log}, and those of {@link TransportOptions}, as for {@link
   * DeliverySender#main}. Prints {@code listening} and the address, as {@link DeliverySender} takes
   * it, then receives until its standard input ends.
   *
   * @param args the arguments
   * @throws Exception if it fails
   */
  public static void main(String... args) throws Exception {
    Arguments arguments = new Arguments(args);
    String name = arguments.text("transport");
    SocketAddress address = arguments.address("address");
    Path file = Path.of(arguments.text("log"));
    TransportOptions options = arguments.options();
    arguments.end();
    try (FileDeliveryLog log = FileDeliveryLog.create(file);
        Transport transport = Transports.create(name, options)) {
      DeliveryReceiver receiver = create(log);
      try (Listener listener = transport.listen(address, receiver)) {
        System.out.println("listening " + Arguments.text(listener.address()));
        while (System.in.read() >= 0) {
          // The process that started it says nothing, and closes the stream or ends.
        }
      }
      System.out.println(receiver);
    }
  }

  @Override
  public void onArray(Connection connection, ReceivedArray array) {
    arrays.incrementAndGet();
    long hash = ArrayHash.of(array.slice());
    DeliveryStamp stamp = DeliveryStamp.of(array.header());
    if (stamp == null) {
      DeliveryStream nowhere = new DeliveryStream(NOBODY, 0, array.header().channel());
      log.delivered(nowhere, array.header().sequence(), hash);
      return;
    }
    ArraySlice expected = stamp.array(array.type(), array.count());
    if (ArrayHash.of(expected) != hash) {
      damaged.incrementAndGet();
    }
    log.delivered(stamp.stream(), stamp.sequence(), hash);
  }

  @Override
  public void onClosed(Connection connection, @Nullable ArraywireException cause) {
    // Connections end all the time where faults are made; the sender's log has what follows.
  }

  /**
   * How many arrays came with other elements than their seed gives.
   *
   * @return 0 if all is well
   */
  public long damaged() {
    return damaged.get();
  }

  @Override
  public String toString() {
    return "delivery receiver (arrays=" + arrays + ", damaged=" + damaged + ")";
  }
}
