package io.arraywire.compression;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Planes are what their definition says, for every width and around every multiple of eight. */
class ShuffleTest {
  @ParameterizedTest
  @ValueSource(ints = {2, 4, 8})
  void aPlaneHasOneByteOfEachElement(int width) {
    for (int count = 0; count < 100; count = count == 70 ? 16_383 : count + 1) {
      if (count > 70) {
        check(16_383 / width, width);
        check(65_536 / width, width);
        return;
      }
      check(count, width);
    }
  }

  private static void check(int count, int width) {
    byte[] elements = new byte[count * width];
    new Random(count).nextBytes(elements);
    byte[] expected = new byte[count * width];
    for (int i = 0; i < count * width; i++) {
      expected[i % width * count + i / width] = elements[i];
    }
    byte[] planes = new byte[count * width];
    Shuffle.split(elements, planes, count, width);
    assertThat(planes).as("count=%d", count).isEqualTo(expected);
    byte[] joined = new byte[count * width];
    Shuffle.join(planes, joined, count, width);
    assertThat(joined).as("count=%d", count).isEqualTo(elements);
  }
}
