package io.arraywire.benchmarks;

import io.arraywire.ArrayInfo;
import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.ConnectionClosedException;
import io.arraywire.ElementType;
import io.arraywire.Listener;
import io.arraywire.OfferStatus;
import io.arraywire.Receipt;
import io.arraywire.SendOptions;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.spi.Transports;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What an array costs the collector, both ends together. Both are in one JVM, so that {@code -prof
 * gc} counts what the sender, the receiver and the I/O threads allocate. The figure is {@code
 * gc.alloc.rate.norm}, in bytes per array; the times mean little, for the ends share two
 * processors.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Threads(1)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xms1g", "-Xmx1g", "--enable-native-access=ALL-UNNAMED"})
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
public class GarbageBenchmark {
  /** The transport. */
  @Param("nio")
  public String transport;

  /** Whether arrays go in frames, with acknowledgements, or in plain mode. */
  @Param({"framed", "plain"})
  public String mode;

  /** Elements in each array. */
  @Param({"16", "16384", "1048576"})
  public int elements;

  private Transport sending;
  private Transport receiving;
  private Connection connection;
  private Thread receiver;
  private ArraySlice slice;

  /**
   * Connects, and starts the thread that receives.
   *
   * @throws Exception if that fails
   */
  @Setup(Level.Trial)
  public void connect() throws Exception {
    TransportOptions options = TransportOptions.defaults();
    if (mode.equals("plain")) {
      options = TransportOptions.builder().plain(ElementType.FLOAT).build();
    }
    sending = Transports.create(transport, options);
    receiving = Transports.create(transport, options);
    Listener listener =
        receiving.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    connection = sending.connect(listener.address());
    Connection accepted = listener.accept();
    receiver = new Thread(() -> receive(accepted, elements), "receiver");
    receiver.start();
    slice = ArraySlice.of(new float[elements]);
  }

  private static void receive(Connection from, int elements) {
    ArraySlice target = ArraySlice.of(new float[elements]);
    ArrayInfo note = new ArrayInfo();
    try {
      while (true) {
        from.receiveInto(target, note);
      }
    } catch (ConnectionClosedException e) {
      // The benchmark is over.
    } catch (ArraywireException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Ends the connection.
   *
   * @throws Exception if that fails
   */
  @TearDown(Level.Trial)
  public void close() throws Exception {
    connection.close();
    receiver.join();
    sending.close();
    receiving.close();
  }

  /**
   * Sends an array, and waits until it is acknowledged, or in plain mode until the kernel has it.
   *
   * @return what it cost
   * @throws Exception if that fails
   */
  @Benchmark
  public Receipt send() throws Exception {
    return connection.send(
        slice, mode.equals("plain") ? SendOptions.handedOff() : SendOptions.processed());
  }

  /**
   * Offers an array, which is copied at once if there is room for it.
   *
   * @return whether there was
   * @throws Exception if that fails
   */
  @Benchmark
  public OfferStatus offer() throws Exception {
    OfferStatus status = connection.offer(slice, SendOptions.handedOff());
    if (status == OfferStatus.BACK_PRESSURED) {
      Thread.sleep(1);
    }
    return status;
  }
}
