package io.arraywire.benchmarks.bench;

import io.arraywire.ArraySlice;
import io.arraywire.Connection;
import io.arraywire.ElementType;
import io.arraywire.Listener;
import io.arraywire.RowReader;
import io.arraywire.RowWriter;
import io.arraywire.SendOptions;
import io.arraywire.Transport;
import io.arraywire.spi.Transports;
import java.io.IOException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * This library where many small arrays travel together. Half a window of them are the rows of one
 * array, as the contenders without a library write half a window at a time.
 *
 * @param transport which
 */
record RowsContender(String transport) implements Contender {
  /** In a batch of small arrays; a larger array comes alone. */
  private static final int MOST_TOGETHER = 1 << 20;

  @Override
  public String name() {
    return transport + "-rows";
  }

  @Override
  public String summary() {
    return transport + " transport, RowWriter and RowReader: small arrays travel together";
  }

  private Transport transport(float[] array) {
    return Transports.create(transport, ArraywireContender.options(array.length).build());
  }

  @Override
  public Receiver listen(float[] target) throws Exception {
    Transport transport = transport(target);
    Listener listener = transport.listen(Loopback.TCP.free());
    return new Receiving(transport, listener, target);
  }

  @Override
  public Sender connect(int port, float[] source) throws Exception {
    Transport transport = transport(source);
    return new Sending(transport, transport.connect(Loopback.TCP.numbered(port)), source);
  }

  private static final class Receiving implements Receiver {
    private final Transport transport;
    private final Listener listener;
    private final float[] target;
    private @Nullable RowReader reader;

    Receiving(Transport transport, Listener listener, float[] target) {
      this.transport = transport;
      this.listener = listener;
      this.target = target;
    }

    @Override
    public int port() throws Exception {
      return Loopback.TCP.number(listener.address());
    }

    @Override
    public void serve(int count, Tally tally) throws Exception {
      RowReader rows = reader;
      if (rows == null) {
        int capacity = Math.max(target.length, MOST_TOGETHER);
        rows = RowReader.of(listener.accept(), ElementType.FLOAT, capacity);
        reader = rows;
      }
      do {
        int elements = rows.read(target, 0);
        if (elements != count) {
          throw new IOException(
              "another array came (elements=" + elements + ", expected=" + count + ")");
        }
      } while (tally.add(1));
    }

    @Override
    public void close() {
      transport.close();
    }
  }

  private static final class Sending implements Sender {
    private final Transport transport;
    private final Connection connection;
    private final float[] source;

    Sending(Transport transport, Connection connection, float[] source) {
      this.transport = transport;
      this.connection = connection;
      this.source = source;
    }

    @Override
    public void send(int count) throws Exception {
      connection.send(ArraySlice.of(source, 0, count), SendOptions.processed());
    }

    @Override
    public long stream(int count, int window, BooleanSupplier more) throws Exception {
      int batch = Math.max(1, Math.min(window / 2, MOST_TOGETHER / Math.max(1, count)));
      long sent = 0;
      try (RowWriter rows =
          RowWriter.of(connection, ElementType.FLOAT, count, batch, SendOptions.processed())) {
        for (; more.getAsBoolean(); sent += batch) {
          for (int i = 0; i < batch; i++) {
            rows.write(source, 0);
          }
        }
      }
      return sent;
    }

    @Override
    public void close() {
      transport.close();
    }
  }
}
