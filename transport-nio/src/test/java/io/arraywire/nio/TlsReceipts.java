package io.arraywire.nio;

import io.arraywire.ArrayInfo;
import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.ConnectionClosedException;
import io.arraywire.Listener;
import io.arraywire.SendOptions;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.security.Tls;
import io.arraywire.spi.TlsEngines;
import io.arraywire.testkit.TestAuthority;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;

/**
 * Measures what an array costs over TLS beside time, both ends together: what the library allocates
 * for it, what the engines of the JDK do, and how often the channels are asked. In a JVM of its
 * own, as {@link TlsReceiptsTest} starts it.
 */
final class TlsReceipts {
  private static final int WARM_UP = 10;
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(40);
  static final double MIB = 1 << 20;

  /** Reads and writes for one MiB, those that move nothing included, of what is large. */
  static final double MOST_OPERATIONS = 20;

  static final double LARGE_MIB = 1;

  /**
   * Records that the library has and the bare engines have not, for each: those that give credit,
   * and those that are not full, because a chunk ends or a write does.
   */
  static final double MOST_OF_BARE = 1.25;

  private static final SSLContext CONTEXT =
      TestAuthority.named("arraywire test").issue("both", "localhost", "127.0.0.1").context();

  private final AtomicLong inside = new AtomicLong();
  private final AtomicLong operations = new AtomicLong();

  /** What one array costs. */
  private record Cost(double ours, double engines, double bare, double operationsPerMib) {
    Cost least(Cost other) {
      return new Cost(
          Math.min(ours, other.ours),
          Math.min(engines, other.engines),
          Math.min(bare, other.bare),
          Math.min(operationsPerMib, other.operationsPerMib));
    }

    boolean isFine(double mostOurs, double mostOperations) {
      return ours < mostOurs && engines < MOST_OF_BARE * bare && operationsPerMib <= mostOperations;
    }
  }

  private SSLEngine metered(SSLEngine engine) {
    return new MeteredEngine(engine, inside);
  }

  private SocketIo counting(SocketChannel channel) {
    return new StagedIo(SocketIo.of(channel)) {
      @Override
      public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
        operations.incrementAndGet();
        return super.read(targets, offset, length);
      }

      @Override
      public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        operations.incrementAndGet();
        return super.write(sources, offset, length);
      }
    };
  }

  private Transport transport() {
    TlsEngines engines =
        new TlsEngines() {
          @Override
          public SSLEngine client(String peerName, int port) {
            return metered(CONTEXT.createSSLEngine(peerName, port));
          }

          @Override
          public SSLEngine server() {
            return metered(CONTEXT.createSSLEngine());
          }
        };
    return new SelectorTransport(
        TransportOptions.builder().tls(Tls.of(engines)).build(),
        NioOptions.builder().eventLoops(1).build(),
        this::counting);
  }

  /**
   * Measures one size, until its figures are fine or it takes too long.
   *
   * @param arguments the number of elements, of arrays in a round, and the bytes of the library's
   *     own that are fine
   */
  public static void main(String[] arguments) throws Exception {
    new TlsReceipts()
        .measure(
            Integer.parseInt(arguments[0]),
            Integer.parseInt(arguments[1]),
            Double.parseDouble(arguments[2]));
  }

  private void measure(int elements, int arrays, double mostOurs) throws Exception {
    float[] target = new float[elements];
    float[] source = new float[elements];
    for (int i = 0; i < elements; i++) {
      source[i] = i;
    }
    try (Transport listening = transport();
        Transport sending = transport();
        Listener listener =
            listening.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        Connection connection = sending.connect(listener.address());
        Connection accepted = listener.accept()) {
      Thread receiver = new Thread(() -> receive(accepted, target), "receiver");
      receiver.setDaemon(true);
      receiver.start();
      Cost cost = measured(connection, receiver, source, arrays, mostOurs);
      if (!Arrays.equals(target, source)) {
        throw new IllegalStateException("what came is not what was sent");
      }
      System.out.printf(
          Locale.ROOT,
          "%.1f %.0f %.0f %.1f%n",
          cost.ours,
          cost.engines,
          cost.bare,
          cost.operationsPerMib);
    }
  }

  private static double mib(float[] array) {
    return array.length * (double) Float.BYTES / MIB;
  }

  private static void receive(Connection from, float[] target) {
    ArraySlice slice = ArraySlice.of(target);
    ArrayInfo info = new ArrayInfo();
    try {
      while (true) {
        from.receiveInto(slice, info);
      }
    } catch (ConnectionClosedException e) {
      // All have come.
    } catch (ArraywireException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** An array that comes before anybody asks for it takes an array of its own. */
  private static void awaitCall(Thread receiver) {
    while (receiver.getState() == Thread.State.RUNNABLE) {
      Thread.yield();
    }
  }

  /** The least of each figure, in as many rounds as it takes. */
  private Cost measured(
      Connection connection, Thread receiver, float[] source, int arrays, double mostOurs)
      throws Exception {
    ArraySlice slice = ArraySlice.of(source);
    SendOptions processed = SendOptions.processed();
    BareTls bare = new BareTls(CONTEXT);
    ByteBuffer[] bytes = {ByteBuffer.allocate(Math.multiplyExact(Float.BYTES, source.length))};
    double mib = mib(source);
    long start = System.nanoTime();
    Cost least = new Cost(Double.MAX_VALUE, Double.MAX_VALUE, Double.MAX_VALUE, Double.MAX_VALUE);
    for (int i = 0; i < WARM_UP || System.nanoTime() - start < PATIENCE_NANOS; i++) {
      long bareBefore = ThreadFigures.allocatedBytes();
      for (int j = 0; j < arrays; j++) {
        bare.pass(bytes);
        bytes[0].clear();
      }
      long ofBare = ThreadFigures.allocatedBytes() - bareBefore;
      Map<Long, Long> before = ThreadFigures.allocatedBytesOfAll();
      long insideBefore = inside.get();
      long operationsBefore = operations.get();
      for (int j = 0; j < arrays; j++) {
        awaitCall(receiver);
        var unused = connection.send(slice, processed);
      }
      long ofEngines = inside.get() - insideBefore;
      long asked = operations.get() - operationsBefore;
      Map<Long, Long> after = ThreadFigures.allocatedBytesOfAll();
      if (!after.keySet().containsAll(before.keySet())) {
        // A thread that has ended takes with it what it has allocated.
        continue;
      }
      long all = 0;
      for (Map.Entry<Long, Long> each : after.entrySet()) {
        all += each.getValue() - before.getOrDefault(each.getKey(), 0L);
      }
      least =
          least.least(
              new Cost(
                  (double) (all - ofEngines) / arrays,
                  (double) ofEngines / arrays,
                  (double) ofBare / arrays,
                  asked / (mib * arrays)));
      if (i >= WARM_UP
          && least.isFine(mostOurs, mib < LARGE_MIB ? Double.MAX_VALUE : MOST_OPERATIONS)) {
        break;
      }
    }
    return least;
  }
}
