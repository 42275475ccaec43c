package io.arraywire.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArraySlice;
import io.arraywire.ElementType;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ElementsTest {
  @Test
  void tilesWholeAndPart() {
    ArraySlice source = ArraySlice.of(new int[] {9, 1, 2, 3, 9}, 1, 3);

    assertThat((int[]) Elements.tile(source, 8)).containsExactly(1, 2, 3, 1, 2, 3, 1, 2);
    assertThat((int[]) Elements.tile(source, 2)).containsExactly(1, 2);
    assertThat((int[]) Elements.tile(source, 0)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(ElementType.class)
  void spoilingChangesTheSliceOnly(ElementType type) {
    Object array = type.newArray(5);
    Elements.spoil(ArraySlice.ofArray(array, 1, 3).as(type));

    Object zero = Array.get(type.newArray(1), 0);
    assertThat(Array.get(array, 0)).isEqualTo(zero);
    assertThat(Array.get(array, 1)).isNotEqualTo(zero);
    assertThat(Array.get(array, 3)).isNotEqualTo(zero);
    assertThat(Array.get(array, 4)).isEqualTo(zero);
  }

  /**
   * Against the bytes as {@code ByteBuffer} writes them one by one, across the digest's windows.
   */
  @Test
  void digestIsThatOfTheLittleEndianBytes() throws Exception {
    float[] floats = new float[200_003];
    ByteBuffer bytes = ByteBuffer.allocate(4 * 200_001).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < floats.length; i++) {
      floats[i] = i * 0.37f;
    }
    for (int i = 1; i < 200_002; i++) {
      bytes.putFloat(floats[i]);
    }
    String expected =
        HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes.array()));

    assertThat(Elements.digest(ArraySlice.of(floats, 1, 200_001))).isEqualTo(expected);
  }

  @Test
  void digestTellsOneBit() {
    float[] floats = new float[1000];
    String before = Elements.digest(ArraySlice.of(floats));
    floats[999] = -0f;

    assertThat(Elements.digest(ArraySlice.of(floats))).isNotEqualTo(before);
  }
}
