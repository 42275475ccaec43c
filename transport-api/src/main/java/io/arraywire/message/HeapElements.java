package io.arraywire.message;

import io.arraywire.ElementType;
import io.arraywire.spi.BulkElements;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Copies plain elements out of a {@code byte[]}. Few of them make no garbage on any JDK; of more
 * the buffer and its view are garbage, unless the compiler removes them. Functions, for any thread.
 */
final class HeapElements {
  /** As many as {@link BulkElements} moves one by one. */
  private static final int FEW = 32;

  private static final VarHandle SHORTS = view(short[].class);
  private static final VarHandle CHARS = view(char[].class);
  private static final VarHandle INTS = view(int[].class);
  private static final VarHandle LONGS = view(long[].class);

  private HeapElements() {}

  private static VarHandle view(Class<?> arrays) {
    return MethodHandles.byteArrayViewVarHandle(arrays, ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * Copies elements.
   *
   * @param at where the first one begins
   * @param order the byte order of the elements
   * @param to an array of the type
   * @param index where the first one goes
   */
  static void copy(
      ElementType type, byte[] from, int at, ByteOrder order, Object to, int index, int count) {
    if (count > FEW || order == ByteOrder.BIG_ENDIAN) {
      BulkElements.get(
          type, ByteBuffer.wrap(from, at, count * type.bytes()), to, index, count, order);
      return;
    }
    int width = type.bytes();
    switch (type.carrier()) {
      case FLOAT -> {
        float[] floats = (float[]) to;
        for (int i = 0; i < count; i++) {
          floats[index + i] = Float.intBitsToFloat((int) INTS.get(from, at + width * i));
        }
      }
      case INT -> {
        int[] ints = (int[]) to;
        for (int i = 0; i < count; i++) {
          ints[index + i] = (int) INTS.get(from, at + width * i);
        }
      }
      case DOUBLE -> {
        double[] doubles = (double[]) to;
        for (int i = 0; i < count; i++) {
          doubles[index + i] = Double.longBitsToDouble((long) LONGS.get(from, at + width * i));
        }
      }
      case LONG -> {
        long[] longs = (long[]) to;
        for (int i = 0; i < count; i++) {
          longs[index + i] = (long) LONGS.get(from, at + width * i);
        }
      }
      case SHORT -> {
        short[] shorts = (short[]) to;
        for (int i = 0; i < count; i++) {
          shorts[index + i] = (short) SHORTS.get(from, at + width * i);
        }
      }
      case CHAR -> {
        char[] chars = (char[]) to;
        for (int i = 0; i < count; i++) {
          chars[index + i] = (char) CHARS.get(from, at + width * i);
        }
      }
      case BOOLEAN -> {
        boolean[] booleans = (boolean[]) to;
        for (int i = 0; i < count; i++) {
          booleans[index + i] = from[at + i] != 0;
        }
      }
      default -> System.arraycopy(from, at, to, index, count);
    }
  }
}
