package io.arraywire.testkit;

import io.arraywire.ElementType;
import java.lang.reflect.Array;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Elements to bytes and back in the plainest way there is: one element, then one byte at a time, by
 * shifting. Slow on purpose. It shares nothing with what it verifies, neither {@code BulkElements}
 * nor views, streams or byte orders of buffers.
 */
final class NaiveElements {
  private NaiveElements() {}

  /** The bits of an element, in the low bits of the result; the rest is unspecified. */
  static long bits(ElementType type, Object array, int i) {
    return switch (type.carrier()) {
      case FLOAT -> Float.floatToRawIntBits(((float[]) array)[i]);
      case INT -> ((int[]) array)[i];
      case DOUBLE -> Double.doubleToRawLongBits(((double[]) array)[i]);
      case LONG -> ((long[]) array)[i];
      case SHORT -> ((short[]) array)[i];
      case CHAR -> ((char[]) array)[i];
      case BYTE -> ((byte[]) array)[i];
      case BOOLEAN -> ((boolean[]) array)[i] ? 1 : 0;
      default -> throw new IllegalStateException("not a carrier: " + type);
    };
  }

  /** Sets an element from the low bits; a boolean is true if any of its eight bits is set. */
  static void setBits(ElementType type, Object array, int i, long bits) {
    switch (type.carrier()) {
      case FLOAT -> ((float[]) array)[i] = Float.intBitsToFloat((int) bits);
      case INT -> ((int[]) array)[i] = (int) bits;
      case DOUBLE -> ((double[]) array)[i] = Double.longBitsToDouble(bits);
      case LONG -> ((long[]) array)[i] = bits;
      case SHORT -> ((short[]) array)[i] = (short) bits;
      case CHAR -> ((char[]) array)[i] = (char) bits;
      case BYTE -> ((byte[]) array)[i] = (byte) bits;
      case BOOLEAN -> ((boolean[]) array)[i] = (bits & 0xff) != 0;
      default -> throw new IllegalStateException("not a carrier: " + type);
    }
  }

  /** Whether two elements have the same bits, so that NaNs and zeros differ as their bits do. */
  static boolean same(ElementType type, Object one, int i, Object other, int j) {
    return bits(type, one, i) == bits(type, other, j);
  }

  /** The first of some elements that differs, counted from where they begin; -1 if none does. */
  static int firstDifference(ElementType type, Object one, int i, Object other, int j, int count) {
    if (haveTheSameBits(one, i, other, j, count)) {
      return -1;
    }
    for (int k = 0; k < count; k++) {
      if (!same(type, one, i + k, other, j + k)) {
        return k;
      }
    }
    return -1;
  }

  /**
   * Whether some elements have the same bits, by the JDK where it compares bits. Tests compare
   * whole arrays for each that is sent. One element after the other would take most of their time.
   */
  static boolean haveTheSameBits(Object left, int from, Object right, int to, int count) {
    if (left.getClass() != right.getClass()) {
      return false;
    }
    if (left instanceof byte[] bytes) {
      return Arrays.equals(bytes, from, from + count, (byte[]) right, to, to + count);
    }
    if (left instanceof short[] shorts) {
      return Arrays.equals(shorts, from, from + count, (short[]) right, to, to + count);
    }
    if (left instanceof char[] chars) {
      return Arrays.equals(chars, from, from + count, (char[]) right, to, to + count);
    }
    if (left instanceof int[] ints) {
      return Arrays.equals(ints, from, from + count, (int[]) right, to, to + count);
    }
    if (left instanceof long[] longs) {
      return Arrays.equals(longs, from, from + count, (long[]) right, to, to + count);
    }
    if (left instanceof boolean[] booleans) {
      return Arrays.equals(booleans, from, from + count, (boolean[]) right, to, to + count);
    }
    if (left instanceof float[] floats) {
      return sameFloats(floats, from, (float[]) right, to, count);
    }
    return left instanceof double[] doubles
        && sameDoubles(doubles, from, (double[]) right, to, count);
  }

  /** For Arrays.equals all NaNs are one. */
  private static boolean sameFloats(float[] left, int from, float[] right, int to, int count) {
    for (int i = 0; i < count; i++) {
      if (Float.floatToRawIntBits(left[from + i]) != Float.floatToRawIntBits(right[to + i])) {
        return false;
      }
    }
    return true;
  }

  private static boolean sameDoubles(double[] left, int from, double[] right, int to, int count) {
    for (int i = 0; i < count; i++) {
      if (Double.doubleToRawLongBits(left[from + i]) != Double.doubleToRawLongBits(right[to + i])) {
        return false;
      }
    }
    return true;
  }

  /** Sets all elements to the same bits. */
  static void fill(ElementType type, Object array, long bits) {
    int length = Array.getLength(array);
    if (length > 0) {
      setBits(type, array, 0, bits);
    }
    // Copies what is there already, twice as much each time.
    for (int done = 1; done < length; done *= 2) {
      System.arraycopy(array, 0, array, done, Math.min(done, length - done));
    }
  }

  static byte[] encode(ElementType type, Object array, int index, int count, ByteOrder order) {
    int size = type.bytes();
    byte[] bytes = new byte[count * size];
    for (int i = 0; i < count; i++) {
      long bits = bits(type, array, index + i);
      for (int k = 0; k < size; k++) {
        int at = order == ByteOrder.LITTLE_ENDIAN ? k : size - 1 - k;
        bytes[i * size + at] = (byte) (bits >>> (8 * k));
      }
    }
    return bytes;
  }

  static Object decode(ElementType type, byte[] bytes, int count, ByteOrder order) {
    int size = type.bytes();
    Object array = type.newArray(count);
    for (int i = 0; i < count; i++) {
      long bits = 0;
      for (int k = 0; k < size; k++) {
        int at = order == ByteOrder.LITTLE_ENDIAN ? k : size - 1 - k;
        bits |= (bytes[i * size + at] & 0xffL) << (8 * k);
      }
      setBits(type, array, i, bits);
    }
    return array;
  }
}
