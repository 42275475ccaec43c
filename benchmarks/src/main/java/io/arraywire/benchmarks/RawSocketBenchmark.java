package io.arraywire.benchmarks;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
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
 * The baseline: as many bytes as the arrays of {@link TransferBenchmark} have, from a full-size
 * direct buffer into another JVM's, in writes of 1 MiB, send to a one-byte answer. No array, no
 * frames.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(
    value = 2,
    jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+AlwaysPreTouch"})
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class RawSocketBenchmark {
  private static final int WRITE_BYTES = 1 << 20;

  /** Float elements that the bytes would be. */
  @Param({"16", "262144", "16777216"})
  public int elements;

  /**
   * Whether both sides poll a nonblocking channel ({@code raw-spin}) or sleep ({@code
   * raw-ceiling}).
   */
  @Param({"false", "true"})
  public boolean polling;

  private ChildJvm receiver;
  private SocketChannel channel;
  private ByteBuffer message;
  private ByteBuffer answer;

  /**
   * Starts the receiving JVM and connects.
   *
   * @throws IOException if that fails
   */
  @Setup(Level.Trial)
  public void connect() throws IOException {
    message = ByteBuffer.allocateDirect(elements * Float.BYTES);
    answer = ByteBuffer.allocateDirect(1);
    receiver =
        ChildJvm.start(
            RawReceiver.class, Integer.toString(message.capacity()), Boolean.toString(polling));
    int port = Integer.parseInt(receiver.line());
    channel = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    channel.configureBlocking(!polling);
  }

  /**
   * Ends both JVMs' work.
   *
   * @throws IOException if closing fails
   */
  @TearDown(Level.Trial)
  public void end() throws IOException {
    channel.close();
    receiver.close();
  }

  /**
   * Sends the bytes and waits for the answer.
   *
   * @return the answer
   * @throws IOException if the connection breaks
   */
  @Benchmark
  public ByteBuffer send() throws IOException {
    for (int from = 0; from < message.capacity(); from += WRITE_BYTES) {
      message.limit(Math.min(message.capacity(), from + WRITE_BYTES)).position(from);
      while (message.hasRemaining()) {
        channel.write(message);
      }
    }
    answer.clear();
    while (answer.hasRemaining()) {
      if (channel.read(answer) < 0) {
        throw new IOException("the receiver closed the connection");
      }
    }
    return answer;
  }
}
