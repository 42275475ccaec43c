package io.arraywire.benchmarks.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ElementType;
import io.arraywire.compression.Compression;
import io.arraywire.spi.Codec;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is accepted of contenders whose encoding loses bits. */
class RoundingTest {
  private static final int COUNT = 10_000;

  /** Of any bits: infinite, not numbers, and next to zero among them. */
  @Test
  void whatTheCodecMakesOfElementsIsAllowed() throws Exception {
    float[] sent = Elements.random(COUNT);
    float[] received = new float[COUNT];
    Codec codec = Compression.bf16();
    ByteBuffer block = ByteBuffer.allocateDirect(COUNT * Float.BYTES - 1);
    codec.encode(ElementType.FLOAT, sent, 0, COUNT, block);
    codec.decode(ElementType.FLOAT, block.flip(), received, 0, COUNT);
    assertThat(Rounding.BF16.firstWrong(sent, received, COUNT)).isEqualTo(-1);
    assertThat(Rounding.BF16.codec()).isEqualTo(codec.name());
    assertThat(Rounding.BF16.loss()).contains("2^-8", "2^-134", "3.39e38");
    // Not because all is: it ends with the first element that is another.
    received[COUNT - 1] = -received[COUNT - 1];
    received[77] = Float.intBitsToFloat(Float.floatToRawIntBits(received[77]) ^ 0x0100_0000);
    assertThat(Rounding.BF16.firstWrong(sent, received, COUNT)).isEqualTo(77);
    assertThat(Rounding.BF16.firstWrong(sent, received, 77)).isEqualTo(-1);
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1, true",
    "1, 1.00390625, true",
    "1, 1.0039064, false",
    "1, 0.99, false",
    "1, -1, false",
    "0, 0, true",
    "0, -0.0, false",
    "1e-40, 0, false",
    "4e-41, 0, true",
    "1e-45, 1e-44, true",
    "3.4e38, Infinity, true",
    "3.4e38, 3.39e38, true",
    "3.38e38, Infinity, false",
    "-3.4e38, Infinity, false",
    "Infinity, Infinity, true",
    "Infinity, 3.4e38, false",
    "NaN, NaN, true",
    "NaN, 1, false",
    "1, NaN, false",
    "NaN, Infinity, false",
  })
  void anErrorIsAllowedUpToWhatTheEncodingStates(float sent, float received, boolean allowed) {
    assertThat(Rounding.BF16.allows(sent, received)).isEqualTo(allowed);
  }
}
