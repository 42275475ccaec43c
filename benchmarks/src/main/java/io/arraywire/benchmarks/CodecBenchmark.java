package io.arraywire.benchmarks;

import io.arraywire.ElementType;
import io.arraywire.spi.Codec;
import io.arraywire.spi.Codecs;
import io.arraywire.spi.MemoryKind;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What a codec alone costs, without a socket. A {@code float[]} or {@code int[]} becomes bytes and
 * comes back, through the 64 KiB window that a transport lends it. Time is for the whole array.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(
    value = 2,
    jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+AlwaysPreTouch"})
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class CodecBenchmark {
  private static final int WINDOW_BYTES = 64 << 10;

  /** The codec. */
  @Param({
    "data-output-buffered",
    "object-stream",
    "buffer-view",
    "buffer-view-le",
    "direct",
    "direct-be",
    "protobuf"
  })
  public String codec;

  /** Of the array. */
  @Param({"FLOAT", "INT"})
  public ElementType type;

  /** Elements in the array: 64 bytes, 64 KiB, 4 MiB and 64 MiB. */
  @Param({"16", "16384", "1048576", "16777216"})
  public int elements;

  private Codec strategy;
  private ByteBuffer window;
  private Object array;
  private int perWindow;

  /** Makes the array and the window. */
  @Setup
  public void prepare() {
    strategy = Codecs.named(codec);
    window =
        strategy.traits().staging() == MemoryKind.DIRECT
            ? ByteBuffer.allocateDirect(WINDOW_BYTES)
            : ByteBuffer.allocate(WINDOW_BYTES);
    float[] floats = new float[elements];
    int[] ints = new int[elements];
    for (int i = 0; i < elements; i++) {
      floats[i] = i * 0.5f;
      ints[i] = i * 0x9E37_79B9;
    }
    array = type == ElementType.INT ? ints : floats;
    perWindow = WINDOW_BYTES / strategy.encoding().elementBytes(type);
    // So that decode has something that was encoded.
    encode();
  }

  /**
   * Encodes the array, a window at a time.
   *
   * @return the window, so that the work is not removed
   */
  @Benchmark
  public ByteBuffer encode() {
    for (int i = 0; i < elements; i += perWindow) {
      strategy.encode(type, array, i, Math.min(perWindow, elements - i), window.clear());
    }
    return window;
  }

  /**
   * Decodes the array, the same window again and again.
   *
   * @return the array, so that the work is not removed
   * @throws Exception if the bytes are not what they must be
   */
  @Benchmark
  public Object decode() throws Exception {
    for (int i = 0; i < elements; i += perWindow) {
      strategy.decode(type, window.clear(), array, i, Math.min(perWindow, elements - i));
    }
    return array;
  }
}
