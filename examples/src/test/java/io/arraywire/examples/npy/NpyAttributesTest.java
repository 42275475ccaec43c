package io.arraywire.examples.npy;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArrayAttributes;
import io.arraywire.ArrayHeader;
import io.arraywire.ElementType;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NpyAttributesTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "<f4", "<f8", "|i1", "|u1", "<i2", "<u2", "<i4", "<i8", "|b1", "<u4", "<u8", "<f2", "<V2"
      })
  void typeAndShapeSurvive(String descr) {
    NpyHeader sent = new NpyHeader(NpyDtype.parse(descr), List.of(2L, 3L));

    assertThat(received(sent, 6)).isEqualTo(sent);
  }

  @Test
  void bigEndianFilesAreWrittenLittleEndian() {
    NpyHeader sent = new NpyHeader(NpyDtype.parse(">i4"), List.of(6L));

    assertThat(received(sent, 6).dtype().descr()).isEqualTo("<i4");
  }

  @Test
  void aSingleValueBecomesOneDimension() {
    NpyHeader sent = new NpyHeader(NpyDtype.parse("<f4"), List.of());

    assertThat(received(sent, 1).shape()).containsExactly(1L);
  }

  /** What a peer says is checked before it is believed. */
  @Test
  void attributesThatDoNotFitAreIgnored() {
    ArrayAttributes wrongShape = ArrayAttributes.of(0, new long[] {4, 4}, Map.of());
    assertThat(NpyAttributes.header(new ArrayHeader(ElementType.INT, 6, 1, wrongShape)).shape())
        .containsExactly(6L);

    ArrayAttributes unknown = ArrayAttributes.of(0, new long[0], Map.of("unit", "K"));
    assertThat(NpyAttributes.header(new ArrayHeader(ElementType.BYTE, 6, 1, unknown)).dtype())
        .isEqualTo(NpyDtype.of(ElementType.BYTE));
  }

  private static NpyHeader received(NpyHeader sent, int count) {
    return NpyAttributes.header(
        new ArrayHeader(sent.dtype().type(), count, 1, NpyAttributes.of(sent)));
  }
}
