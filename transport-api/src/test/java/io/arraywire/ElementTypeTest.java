package io.arraywire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ElementTypeTest {

  @ParameterizedTest
  @CsvSource({
    "FLOAT, 1, 4, float",
    "INT, 2, 4, int",
    "DOUBLE, 3, 8, double",
    "LONG, 4, 8, long",
    "SHORT, 5, 2, short",
    "CHAR, 6, 2, char",
    "BYTE, 7, 1, byte",
    "BOOLEAN, 8, 1, boolean",
    "FP16, 9, 2, fp16",
    "BF16, 10, 2, bf16",
    "UINT8, 11, 1, uint8",
    "UINT16, 12, 2, uint16",
    "UINT32, 13, 4, uint32",
    "UINT64, 14, 8, uint64"
  })
  void codesNamesAndSizesNeverChange(ElementType type, int code, int bytes, String typeName) {
    assertThat(type.code()).isEqualTo(code);
    assertThat(type.bytes()).isEqualTo(bytes);
    assertThat(type.typeName()).isEqualTo(typeName);
    assertThat(ElementType.fromCode(code)).isSameAs(type);
    assertThat(ElementType.named(typeName)).isSameAs(type);
    assertThat(ElementType.named(typeName.toUpperCase(Locale.ROOT))).isSameAs(type);
  }

  @Test
  void thereAreNoOtherTypes() {
    assertThat(ElementType.values()).hasSize(14);
  }

  @Test
  void everyOtherCodeIsUnknown() {
    for (int code = -300; code < 600; code++) {
      assertThat(ElementType.fromCode(code) != null)
          .as("code %d is known", code)
          .isEqualTo(code >= 1 && code <= 14);
    }
    assertThat(ElementType.fromCode(Integer.MIN_VALUE)).isNull();
    assertThat(ElementType.fromCode(Integer.MAX_VALUE)).isNull();
  }

  @ParameterizedTest
  @EnumSource
  void makesArraysOfItself(ElementType type) {
    Object array = type.newArray(3);

    assertThat(array.getClass().getComponentType().getName()).isEqualTo(type.carrier().typeName());
    assertThat(Array.getLength(array)).isEqualTo(3);
    assertThat(ElementType.of(array)).isSameAs(type.carrier());
    assertThat(ElementType.of(type.newArray(0))).isSameAs(type.carrier());
    assertThat(type.carrier().isPrimitive()).isTrue();
    assertThat(type.carrier().bytes()).isEqualTo(type.bytes());
    assertThat(type.isPrimitive()).isEqualTo(type.carrier() == type);
    assertThat(type.isPrimitive())
        .as("the name is that of Java's type")
        .isEqualTo(array.getClass().getComponentType().getName().equals(type.typeName()));
    assertThatThrownBy(() -> type.newArray(-1)).isInstanceOf(NegativeArraySizeException.class);
  }

  @Test
  void otherNamesAreRefusedWithThoseThatExist() {
    assertThatThrownBy(() -> ElementType.named("Integer"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("type=Integer")
        .hasMessageContaining(
            String.join(
                " ", Arrays.stream(ElementType.values()).map(ElementType::typeName).toList()));
  }

  @Test
  void otherObjectsAreRefused() {
    for (Object object : new Object[] {"text", new Float[1], new float[1][1], new Object[0], 1f}) {
      assertThatThrownBy(() -> ElementType.of(object))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("given=" + object.getClass().getSimpleName());
    }
  }
}
