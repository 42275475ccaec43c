package io.arraywire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ArraySliceTest {

  /** The eight variants that the language makes us write differ in nothing but the type. */
  @ParameterizedTest
  @EnumSource
  void allEightTypesAgree(ElementType type) throws ReflectiveOperationException {
    Object array = type.newArray(10);
    Method whole = ArraySlice.class.getMethod("of", array.getClass());
    Method part = ArraySlice.class.getMethod("of", array.getClass(), int.class, int.class);

    check((ArraySlice) whole.invoke(null, array), type.carrier(), array, 0, 10);
    check(ArraySlice.ofArray(array), type.carrier(), array, 0, 10);
    check((ArraySlice) part.invoke(null, array, 3, 4), type.carrier(), array, 3, 4);
    check(ArraySlice.ofArray(array, 3, 4), type.carrier(), array, 3, 4);
    check((ArraySlice) part.invoke(null, array, 10, 0), type.carrier(), array, 10, 0);
    check((ArraySlice) part.invoke(null, array, 0, 10), type.carrier(), array, 0, 10);
  }

  @ParameterizedTest
  @EnumSource
  void whatDoesNotLieInsideTheArrayIsRefused(ElementType type) throws ReflectiveOperationException {
    Object array = type.newArray(10);
    Method part = ArraySlice.class.getMethod("of", array.getClass(), int.class, int.class);
    int max = Integer.MAX_VALUE;
    int min = Integer.MIN_VALUE;
    int[][] outside = {
      {0, 11},
      {11, 0},
      {10, 1},
      {-1, 1},
      {1, -1},
      {5, 6},
      // Sums that overflow an int to something that looks small.
      {1, max},
      {max, 1},
      {max, max},
      {min, min},
      {10, max - 9},
      {min, 0},
      {0, min}
    };
    for (int[] slice : outside) {
      assertThatThrownBy(() -> ArraySlice.ofArray(array, slice[0], slice[1]))
          .as("offset=%d, length=%d", slice[0], slice[1])
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> part.invoke(null, array, slice[0], slice[1]))
          .as("offset=%d, length=%d", slice[0], slice[1])
          .isInstanceOf(InvocationTargetException.class)
          .hasCauseInstanceOf(IndexOutOfBoundsException.class);
    }
  }

  @Test
  void theTextSaysTypeOffsetAndLength() {
    assertThat(ArraySlice.of(new float[8], 2, 3)).hasToString("float[offset=2, length=3]");
    assertThat(ArraySlice.of(new boolean[8])).hasToString("boolean[offset=0, length=8]");
  }

  @Test
  void otherObjectsAreRefused() {
    assertThatThrownBy(() -> ArraySlice.ofArray("text"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> ArraySlice.ofArray(new Integer[1]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("given=Integer[]");
    assertThatThrownBy(() -> ArraySlice.ofArray(new float[1][1], 0, 1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static void check(
      ArraySlice slice, ElementType type, Object array, int offset, int length) {
    assertThat(slice.type()).isSameAs(type);
    assertThat(slice.array()).isSameAs(array);
    assertThat(slice.offset()).isEqualTo(offset);
    assertThat(slice.length()).isEqualTo(length);
    assertThat(slice.bytes()).isEqualTo((long) length * type.bytes());
  }

  @ParameterizedTest
  @EnumSource
  void aSliceCanBeReadAsAnotherTypeOfTheSameArrays(ElementType type) {
    Object array = type.newArray(5);
    ArraySlice slice = ArraySlice.ofArray(array, 1, 3);
    for (ElementType other : ElementType.values()) {
      if (other.carrier() == type.carrier()) {
        check(slice.as(other), other, array, 1, 3);
        assertThat(slice.as(other).as(slice.type()).type()).isEqualTo(type.carrier());
      } else {
        assertThatThrownBy(() -> slice.as(other))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("asked=" + other.typeName())
            .hasMessageContaining("carrier=" + other.carrier().typeName())
            .hasMessageContaining("given=" + type.carrier().typeName());
      }
    }
    assertThat(slice.as(slice.type())).isSameAs(slice);
  }
}
