package io.arraywire.benchmarks.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.zip.Deflater;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the arrays of a measurement hold. */
class SampleDataTest {
  private static final int COUNT = 100_000;

  private static int deflated(float[] elements) {
    ByteBuffer bytes = ByteBuffer.allocate(elements.length * Float.BYTES);
    bytes.asFloatBuffer().put(elements);
    Deflater deflater = new Deflater();
    deflater.setInput(bytes.array());
    deflater.finish();
    int size = deflater.deflate(new byte[2 * bytes.capacity()]);
    deflater.end();
    return size;
  }

  /** Both JVMs of each contender, and those of all rounds, have the same. */
  @ParameterizedTest
  @EnumSource
  void itIsTheSameEveryTime(SampleData data) {
    float[] once = data.elements(COUNT);
    float[] again = data.elements(COUNT);
    assertThat(Elements.checksum(once, COUNT)).isEqualTo(Elements.checksum(again, COUNT));
    // A shorter array is the beginning of a longer one: contenders send the first elements.
    assertThat(Elements.checksum(data.elements(100), 100)).isEqualTo(Elements.checksum(once, 100));
  }

  /** Else a comparison of compressions says nothing. */
  @Test
  void someGetsSmallerAndNoiseDoesNot() {
    assertThat(deflated(SampleData.NOISE.elements(COUNT))).isGreaterThan(COUNT * Float.BYTES);
    assertThat(deflated(SampleData.SENSORS.elements(COUNT))).isLessThan(COUNT * Float.BYTES / 2);
    assertThat(deflated(SampleData.TICKS.elements(COUNT))).isLessThan(COUNT * Float.BYTES / 2);
    assertThat(deflated(SampleData.WEIGHTS.elements(COUNT)))
        .isBetween(COUNT * Float.BYTES * 8 / 10, COUNT * Float.BYTES);
  }

  @Test
  void withoutAWordItIsNoise() throws Exception {
    assertThat(ArrayData.here()).isEqualTo(SampleData.NOISE);
    for (SampleData each : SampleData.values()) {
      assertThat(ArrayData.named(each.label())).isEqualTo(each);
    }
  }
}
