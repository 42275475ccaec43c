package io.arraywire.benchmarks.bench;

import io.arraywire.examples.process.ChildJvm;
import java.io.IOException;
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
 * The contenders of {@code arraywire bench}, one after the other and not in rounds, for JMH's
 * profilers. One {@code float[]} from this JVM's heap into the heap of another over loopback, send
 * to acknowledgement.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(
    value = 2,
    jvmArgsAppend = {
      "-Xms512m",
      "-Xmx512m",
      "-XX:+AlwaysPreTouch",
      "--enable-native-access=ALL-UNNAMED"
    })
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class ContenderBenchmark {
  private static final long HEAP_BYTES = 512L << 20;

  /** Any of {@code arraywire bench --list}. */
  @Param({"raw-sleep", "raw-spin", "raw-staged", "raw-staged-spin", "nio", "stream"})
  public String contender;

  /** Elements in the array: 64 bytes, 1 MiB and 64 MiB. */
  @Param({"16", "262144", "16777216"})
  public int elements;

  private ChildJvm receiver;
  private Contender.Sender sender;

  /**
   * Starts the receiving JVM and connects.
   *
   * @throws Exception if that fails
   */
  @Setup(Level.Trial)
  public void connect() throws Exception {
    receiver = ChildJvm.start("receiver", ReceiverProcess.class, HEAP_BYTES, List.of(), System.err);
    String port = receiver.ask("listen", contender, elements)[0];
    receiver.ask("serve", elements);
    Turn.begin();
    sender = Contenders.named(contender).connect(Integer.parseInt(port), Elements.random(elements));
  }

  /**
   * Ends both JVMs' work.
   *
   * @throws IOException if closing fails
   */
  @TearDown(Level.Trial)
  public void end() throws IOException {
    sender.close();
    receiver.close();
    Turn.end();
  }

  /**
   * Sends the array and waits until the far side has it.
   *
   * @throws Exception if the transfer fails
   */
  @Benchmark
  public void send() throws Exception {
    sender.send(elements);
  }
}
