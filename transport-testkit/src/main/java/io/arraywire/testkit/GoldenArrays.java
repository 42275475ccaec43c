package io.arraywire.testkit;

import io.arraywire.ElementType;
import io.arraywire.Encoding;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;

/**
 * The arrays in the golden files, and the files. {@code src/test/python/golden_encodings.py}, which
 * wrote the files, holds the same values.
 */
final class GoldenArrays {
  /** The numbers of elements that there are files for. */
  static final List<Integer> COUNTS = List.of(0, 1, 5);

  private GoldenArrays() {}

  /** The first elements of the golden array of a type. */
  static Object array(ElementType type, int count) {
    Object all = all(type);
    Object array = type.newArray(count);
    System.arraycopy(all, 0, array, 0, count);
    return array;
  }

  /** What that array is on the wire, prefix included. */
  static byte[] bytes(Encoding encoding, ElementType type, int count) {
    String file =
        "golden/encodings/" + encoding.name() + "-" + type.typeName() + "-" + count + ".bin";
    try (InputStream in = GoldenArrays.class.getResourceAsStream(file)) {
      if (in == null) {
        throw new AssertionError("no golden file (file=" + file + ")");
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Object all(ElementType type) {
    return switch (type) {
      case FLOAT ->
          new float[] {
            1, -0.0f, Float.MIN_VALUE, Float.MAX_VALUE, Float.intBitsToFloat(0x7fc12345)
          };
      case INT -> new int[] {1, -1, Integer.MIN_VALUE, Integer.MAX_VALUE, 0x01020304};
      case DOUBLE ->
          new double[] {
            1,
            -0.0,
            Double.MIN_VALUE,
            Double.MAX_VALUE,
            Double.longBitsToDouble(0x7ff8000000012345L)
          };
      case LONG -> new long[] {1, -1, Long.MIN_VALUE, Long.MAX_VALUE, 0x0102030405060708L};
      case SHORT -> new short[] {1, -1, Short.MIN_VALUE, Short.MAX_VALUE, 0x0102};
      case CHAR -> new char[] {'A', 0, 0xffff, 0xd800, 0x0102};
      case BYTE -> new byte[] {1, -1, Byte.MIN_VALUE, Byte.MAX_VALUE, 0x55};
      case BOOLEAN -> new boolean[] {true, false, true, true, false};
      case FP16 -> new short[] {0x3c00, Short.MIN_VALUE, 1, 0x7bff, 0x7e01};
      case BF16 -> new short[] {0x3f80, Short.MIN_VALUE, 1, 0x7f7f, 0x7fc1};
      case UINT8 -> all(ElementType.BYTE);
      case UINT16 -> all(ElementType.SHORT);
      case UINT32 -> all(ElementType.INT);
      case UINT64 -> all(ElementType.LONG);
    };
  }
}
