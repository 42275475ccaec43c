package io.arraywire.benchmarks;

import io.arraywire.Connection;
import io.arraywire.Receipt;
import io.arraywire.SendOptions;
import io.arraywire.Transport;
import io.arraywire.examples.process.ChildJvm;
import io.arraywire.message.Message;
import io.arraywire.spi.Transports;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
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
 * What it costs that 3 MiB are three parts of a message and not one array. The clock runs from send
 * to acknowledgement, from this JVM's heap into arrays of another one.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(
    value = 3,
    jvmArgsAppend = {
      "-Xms" + PartsBenchmark.HEAP,
      "-Xmx" + PartsBenchmark.HEAP,
      "-XX:+AlwaysPreTouch",
      "--enable-native-access=ALL-UNNAMED"
    })
@Warmup(iterations = 2, time = 2)
@Measurement(iterations = 4, time = 2)
public class PartsBenchmark {
  static final String HEAP = "512m";

  private static final long HEAP_BYTES = 512L << 20;

  private static final int FLOATS = 3 << 18;

  /** The transport. */
  @Param({"nio", "stream"})
  public String transport;

  /** How many parts there are, with names; one without a name is an array. */
  @Param({"1", "3"})
  public int parts;

  private ChildJvm receiver;
  private Transport sender;
  private Connection connection;
  private Message message;

  /**
   * Starts the receiving JVM and connects.
   *
   * @throws Exception if that fails
   */
  @Setup(Level.Trial)
  public void connect() throws Exception {
    receiver = ChildJvm.start("receiver", PartsReceiver.class, HEAP_BYTES, List.of(), System.err);
    int port = Integer.parseInt(receiver.ask("listen", transport)[0]);
    sender = Transports.create(transport, ArrayReceiver.options(false, 0));
    connection = sender.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    if (parts == 1) {
      message = Message.of(new float[FLOATS]);
    } else {
      message = Message.of("0", new float[FLOATS / parts]);
      for (int i = 1; i < parts; i++) {
        message = message.with(Integer.toString(i), new float[FLOATS / parts]);
      }
    }
  }

  /**
   * Ends both JVMs' work.
   *
   * @throws Exception if that fails
   */
  @TearDown(Level.Trial)
  public void end() throws Exception {
    connection.closeNow();
    sender.close();
    receiver.close();
  }

  /**
   * Sends all parts and waits until the far side has them.
   *
   * @return the receipt
   * @throws Exception if the transfer fails
   */
  @Benchmark
  public Receipt send() throws Exception {
    return connection.send(message, SendOptions.processed());
  }
}
