package io.arraywire.benchmarks;

import io.arraywire.ArraySlice;
import io.arraywire.Connection;
import io.arraywire.Receipt;
import io.arraywire.SendOptions;
import io.arraywire.Transport;
import io.arraywire.Transports;
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
import org.openjdk.jmh.annotations.Warmup;

/**
 * One {@code float[]} from this JVM's heap into the heap of another over loopback, send to
 * acknowledgement. Compare with {@link RawSocketBenchmark} of the same run.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(
    value = 2,
    jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+AlwaysPreTouch"})
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class TransferBenchmark {

  /** The transport. */
  @Param({"nio", "stream"})
  public String transport;

  /** The codec of both sides. */
  @Param({
    "data-output-buffered",
    "object-stream",
    "buffer-view",
    "direct",
    "direct-be",
    "protobuf"
  })
  public String codec;

  /** Elements in the array: 64 bytes, 1 MiB and 64 MiB. */
  @Param({"16", "262144", "16777216"})
  public int elements;

  /** Whether payloads carry a checksum. */
  @Param({"false"})
  public boolean checksums;

  private ChildJvm receiver;
  private Transport sender;
  private Connection connection;
  private ArraySlice slice;

  /**
   * Starts the receiving JVM and connects.
   *
   * @throws Exception if that fails
   */
  @Setup(Level.Trial)
  public void connect() throws Exception {
    receiver =
        ChildJvm.start(
            ArrayReceiver.class,
            transport,
            codec,
            Boolean.toString(checksums),
            "0",
            Integer.toString(elements));
    int port = Integer.parseInt(receiver.line());
    sender = Transports.create(transport, ArrayReceiver.options(codec, checksums, 0));
    connection = sender.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    float[] array = new float[elements];
    for (int i = 0; i < elements; i++) {
      array[i] = i;
    }
    slice = ArraySlice.of(array);
  }

  /**
   * Ends both JVMs' work.
   *
   * @throws Exception if the connection failed
   */
  @TearDown(Level.Trial)
  public void end() throws Exception {
    connection.close();
    sender.close();
    receiver.close();
  }

  /**
   * Sends the array and waits until the far side has it.
   *
   * @return the receipt
   * @throws Exception if the transfer fails
   */
  @Benchmark
  public Receipt send() throws Exception {
    return connection.send(slice, SendOptions.processed());
  }
}
