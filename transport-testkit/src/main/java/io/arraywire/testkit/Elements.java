package io.arraywire.testkit;

import io.arraywire.ElementType;
import java.lang.reflect.Array;

/** Compares runs of elements by their bits. */
final class Elements {
  /** How many there are before and after a slice, which nobody may touch. */
  static final int MARGIN = 5;

  /** More {@code int}s than sockets and inbox hold, so that they cannot all be in flight. */
  static final int TOO_MANY_TO_BE_ON_THE_WAY = 12 << 20;

  private Elements() {}

  static Object copy(ElementType type, Object array) {
    int length = Array.getLength(array);
    Object copy = type.newArray(length);
    System.arraycopy(array, 0, copy, 0, length);
    return copy;
  }

  static void assertSame(
      ElementType type,
      Object expected,
      int expectedFrom,
      Object actual,
      int actualFrom,
      int count) {
    if (NaiveElements.haveTheSameBits(expected, expectedFrom, actual, actualFrom, count)) {
      return;
    }
    for (int i = 0; i < count; i++) {
      if (!NaiveElements.same(type, expected, expectedFrom + i, actual, actualFrom + i)) {
        throw new AssertionError(
            "element "
                + i
                + " of "
                + count
                + " is not what was sent (type="
                + type.typeName()
                + ", expected="
                + Array.get(expected, expectedFrom + i)
                + ", actual="
                + Array.get(actual, actualFrom + i)
                + ")");
      }
    }
  }
}
