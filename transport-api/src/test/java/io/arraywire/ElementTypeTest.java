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
    "BOOLEAN, 8, 1, boolean"
  })
  void codesNamesAndSizesNeverChange(ElementType type, int code, int bytes, String javaName) {
    assertThat(type.code()).isEqualTo(code);
    assertThat(type.bytes()).isEqualTo(bytes);
    assertThat(type.javaName()).isEqualTo(javaName);
    assertThat(ElementType.fromCode(code)).isSameAs(type);
    assertThat(ElementType.named(javaName)).isSameAs(type);
    assertThat(ElementType.named(javaName.toUpperCase(Locale.ROOT))).isSameAs(type);
  }

  @Test
  void thereAreNoOtherTypes() {
    assertThat(ElementType.values()).hasSize(8);
  }

  @Test
  void everyOtherCodeIsUnknown() {
    for (int code = -300; code < 600; code++) {
      assertThat(ElementType.fromCode(code) != null)
          .as("code %d is known", code)
          .isEqualTo(code >= 1 && code <= 8);
    }
    assertThat(ElementType.fromCode(Integer.MIN_VALUE)).isNull();
    assertThat(ElementType.fromCode(Integer.MAX_VALUE)).isNull();
  }

  @ParameterizedTest
  @EnumSource
  void makesArraysOfItself(ElementType type) {
    Object array = type.newArray(3);

    assertThat(array.getClass().getComponentType().getName()).isEqualTo(type.javaName());
    assertThat(Array.getLength(array)).isEqualTo(3);
    assertThat(ElementType.of(array)).isSameAs(type);
    assertThat(ElementType.of(type.newArray(0))).isSameAs(type);
    assertThatThrownBy(() -> type.newArray(-1)).isInstanceOf(NegativeArraySizeException.class);
  }

  @Test
  void otherNamesAreRefusedWithThoseThatExist() {
    assertThatThrownBy(() -> ElementType.named("Integer"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("type=Integer")
        .hasMessageContaining(
            String.join(
                " ", Arrays.stream(ElementType.values()).map(ElementType::javaName).toList()));
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
