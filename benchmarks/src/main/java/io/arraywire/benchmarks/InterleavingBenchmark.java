package io.arraywire.benchmarks;

import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.Channel;
import io.arraywire.Connection;
import io.arraywire.Receipt;
import io.arraywire.SendOptions;
import io.arraywire.Transport;
import io.arraywire.examples.process.ChildJvm;
import io.arraywire.spi.Transports;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
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
import org.openjdk.jmh.annotations.Warmup;

/**
 * What a large array on one channel does to a small one on another. It measures 16 floats from this
 * JVM's heap into the heap of another, send to acknowledgement. Meanwhile nothing else goes on, or
 * arrays of 1 GiB follow each other on channel 0 of the same connection. The percentiles are what
 * counts.
 *
 * <p>Large and small ones go with the codec that the transport prefers.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(
    value = 2,
    jvmArgsAppend = {
      "-Xms" + InterleavingBenchmark.HEAP,
      "-Xmx" + InterleavingBenchmark.HEAP,
      "-XX:+AlwaysPreTouch",
      "--enable-native-access=ALL-UNNAMED"
    })
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 4)
public class InterleavingBenchmark {
  /** Holds the largest array once. */
  static final String HEAP = "2g";

  private static final long HEAP_BYTES = 2L << 30;

  private static final int SMALL = 16;

  /** The transport. */
  @Param({"nio", "stream"})
  public String transport;

  /** What goes on beside the small arrays. */
  @Param({"none", "bulk"})
  public String beside;

  /** Elements in each large array: 1 GiB. */
  @Param({"268435456"})
  public int bulkElements;

  /** The size of the sockets' buffers, in bytes; 0 leaves it to the system. */
  @Param({"0", "65536"})
  public int socketBufferBytes;

  /** Whether payloads carry a checksum. */
  @Param({"false"})
  public boolean checksums;

  private ChildJvm receiver;
  private Transport sender;
  private Connection connection;
  private Channel channel;
  private ArraySlice slice;
  private @Nullable Bulk bulk;

  /**
   * Starts the receiving JVM and connects.
   *
   * @throws Exception if that fails
   */
  @Setup(Level.Trial)
  public void connect() throws Exception {
    boolean withBulk = beside.equals("bulk");
    int large = withBulk ? bulkElements : 1;
    receiver = ChildJvm.start("receiver", ArrayReceiver.class, HEAP_BYTES, List.of(), System.err);
    int port =
        Integer.parseInt(
            receiver.ask("listen", transport, checksums, socketBufferBytes, large, SMALL)[0]);
    sender = Transports.create(transport, ArrayReceiver.options(checksums, socketBufferBytes));
    connection = sender.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    channel = connection.channel(1);
    slice = ArraySlice.of(new float[SMALL]);
    if (withBulk) {
      bulk = Bulk.start(connection.channel(0), large);
    }
  }

  /**
   * Ends both JVMs' work.
   *
   * @throws Exception if the large arrays did not go on until now
   */
  @TearDown(Level.Trial)
  public void end() throws Exception {
    try {
      if (bulk != null) {
        bulk.end();
      }
    } finally {
      connection.closeNow();
      sender.close();
      receiver.close();
    }
  }

  /**
   * Sends the small array and waits until the far side has it.
   *
   * @return the receipt
   * @throws Exception if the transfer fails
   */
  @Benchmark
  public Receipt send() throws Exception {
    return channel.send(slice, SendOptions.processed());
  }

  /** Large arrays, one behind the other, until the end. */
  private static final class Bulk {
    private final Channel channel;
    private final ArraySlice large;
    private final AtomicLong sent = new AtomicLong();
    private final long start = System.nanoTime();
    private final Thread thread;
    private volatile boolean ending;
    private volatile @Nullable Exception failure;

    private Bulk(Channel channel, int elements) {
      this.channel = channel;
      large = ArraySlice.of(new float[elements]);
      thread = new Thread(this::sendOn, "bulk");
      thread.setDaemon(true);
    }

    static Bulk start(Channel channel, int elements) {
      Bulk bulk = new Bulk(channel, elements);
      bulk.thread.start();
      return bulk;
    }

    private void sendOn() {
      try {
        while (!ending) {
          // Handed off, so that no acknowledgement is waited for between two.
          channel.send(large, SendOptions.handedOff());
          sent.incrementAndGet();
        }
      } catch (ArraywireException | InterruptedException e) {
        failure = e;
      }
    }

    /**
     * Says how much went beside: without it the percentiles would be those of an idle connection.
     */
    void end() throws Exception {
      Exception early = failure;
      if (early != null) {
        throw new IllegalStateException("the large arrays did not go on", early);
      }
      long arrays = sent.get();
      double seconds = (System.nanoTime() - start) / 1e9;
      ending = true;
      System.out.printf(
          "%nbeside: %d arrays of %d MiB in %.1f s%n", arrays, large.length() / 262_144, seconds);
      if (arrays == 0) {
        throw new IllegalStateException("no large array went beside (seconds=" + seconds + ")");
      }
      thread.interrupt();
      thread.join();
    }
  }
}
