package io.arraywire.benchmarks.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.arraywire.ArraySlice;
import io.arraywire.Connection;
import io.arraywire.Listener;
import io.arraywire.SendOptions;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.benchmarks.RecordedConsole;
import io.arraywire.nio.NioTransport;
import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How small elements become. */
class RatiosTest {
  /** No multiple of a block. */
  private static final int COUNT = 100_003;

  private static final double BYTES = COUNT * Float.BYTES;

  @TempDir private Path directory;

  private final RecordedConsole console = new RecordedConsole();

  /** What is said of an encoding is what a connection puts on the wire, but for some heads. */
  @Test
  void theyAreThoseOfAnArrayThatIsSent() throws Exception {
    float[] elements = SampleData.SENSORS.elements(COUNT);
    Ratios ratios = Ratios.of(elements);
    try (Transport transport = NioTransport.create(TransportOptions.defaults());
        Listener listener =
            transport.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        Connection client = transport.connect(listener.address());
        Connection server = listener.accept()) {
      assertThat(ratios.shuffleZstd())
          .isCloseTo(sent(client, server, elements, "shuffle-zstd"), withinPercentage(0.5));
      assertThat(ratios.shuffleLz4())
          .isCloseTo(sent(client, server, elements, "shuffle-lz4"), withinPercentage(0.5));
      assertThat(ratios.bf16())
          .isCloseTo(sent(client, server, elements, "bf16"), withinPercentage(0.5));
    }
    assertThat(ratios.shuffleZstd()).isGreaterThan(2.5);
    assertThat(ratios.bf16()).isCloseTo(2, offset(0.01));
    assertThat(ratios.bf16Error()).isBetween(0x1p-9, 0x1p-8);
  }

  private static double sent(Connection client, Connection server, float[] elements, String codec)
      throws Exception {
    long wireBytes =
        client.send(ArraySlice.of(elements), SendOptions.handedOff().codec(codec)).wireBytes();
    assertThat(server.receive().floats()).hasSize(elements.length);
    return BYTES / wireBytes;
  }

  @Test
  void deflateIsThatOfGzip() throws Exception {
    float[] elements = SampleData.TICKS.elements(COUNT);
    ByteBuffer bytes = ByteBuffer.allocate((int) BYTES).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asFloatBuffer().put(elements);
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      out.write(bytes.array());
    }
    Ratios ratios = Ratios.of(elements);
    assertThat(ratios.deflate6()).isCloseTo(BYTES / packed.size(), withinPercentage(0.1));
    // Two algorithms, one size of window and more: they differ, but not by much.
    assertThat(ratios.zstd3()).isBetween(0.8 * ratios.deflate6(), 2 * ratios.deflate6());
    assertThat(ratios.deflate1()).isLessThan(ratios.deflate6()).isGreaterThan(1.5);
  }

  @Test
  void noiseDoesNotGetSmaller() throws Exception {
    Ratios ratios = Ratios.of(SampleData.NOISE.elements(COUNT));
    assertThat(ratios.shuffleZstd()).isBetween(0.999, 1.0);
    assertThat(ratios.shuffleLz4()).isBetween(0.999, 1.0);
    assertThat(ratios.deflate6()).isBetween(0.999, 1.0);
    assertThat(ratios.zstd3()).isBetween(0.999, 1.0);
    assertThat(ratios.bf16Error()).isBetween(0x1p-9, 0x1p-8);
  }

  @Test
  void theCommandHasALineForEachFile() throws Exception {
    Path ticks = NpyFiles.write(directory.resolve("ticks.npy"), SampleData.TICKS.elements(COUNT));
    Path noise = NpyFiles.write(directory.resolve("noise.npy"), SampleData.NOISE.elements(COUNT));
    int status =
        Bench.execute(
            console.console(),
            RecordedConsole.line("bench", "ratios", ticks.toString(), noise.toString()));
    assertThat(console.err()).isEmpty();
    assertThat(status).isZero();
    assertThat(console.out())
        .containsPattern("Data +floats +shuffle-zstd +shuffle-lz4 +bf16 +bf16 error")
        .containsPattern(
            "ticks\\.npy +100,003 +[2-9]\\.\\d\\d +[2-9]\\.\\d\\d +2\\.00 +0\\.\\d\\d %")
        .containsPattern("noise\\.npy +100,003 +1\\.00 +1\\.00 +2\\.00 +0\\.39 %( +1\\.00){3}");
  }

  @Test
  void aFileThatIsNotThereIsNamed() {
    String none = directory.resolve("none.npy").toString();
    int status = Bench.execute(console.console(), RecordedConsole.line("bench", "ratios", none));
    assertThat(status).isEqualTo(2);
    assertThat(console.err()).contains("there is no such file (file=" + none + ")");
  }
}
