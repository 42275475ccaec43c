package io.arraywire.spi;

import io.arraywire.ElementType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Moves plain elements between arrays and buffers in bulk, through the buffer's typed views: one
 * copy by the JDK's intrinsics; where the order is not the host's, {@link SwappedElements} swaps
 * bytes some elements at a time. The building block of every bulk codec.
 *
 * <p>{@code boolean[]} has no view and takes a loop. Stateless; any thread.
 */
public final class BulkElements {
  /** So few elements are moved as fast one by one, and without a view, which would be garbage. */
  private static final int FEW = 32;

  private BulkElements() {}

  /**
   * Copies elements into a buffer.
   *
   * @param type the element type
   * @param array an array of that type
   * @param index the first element
   * @param count how many
   * @param target where the bytes go, from its position, which is advanced; its order is set to
   *     {@code order}
   * @param order the byte order to write
   */
  public static void put(
      ElementType type, Object array, int index, int count, ByteBuffer target, ByteOrder order) {
    target.order(order);
    if (count <= FEW && putFew(type, array, index, count, target)) {
      return;
    }
    if (order != ByteOrder.nativeOrder() && SwappedElements.suits(type)) {
      SwappedElements.put(type, array, index, count, target);
      target.position(target.position() + count * type.bytes());
      return;
    }
    switch (type.carrier()) {
      case FLOAT -> target.asFloatBuffer().put((float[]) array, index, count);
      case INT -> target.asIntBuffer().put((int[]) array, index, count);
      case DOUBLE -> target.asDoubleBuffer().put((double[]) array, index, count);
      case LONG -> target.asLongBuffer().put((long[]) array, index, count);
      case SHORT -> target.asShortBuffer().put((short[]) array, index, count);
      case CHAR -> target.asCharBuffer().put((char[]) array, index, count);
      case BYTE -> {
        target.put((byte[]) array, index, count);
        return;
      }
      case BOOLEAN -> {
        boolean[] booleans = (boolean[]) array;
        for (int i = index; i < index + count; i++) {
          target.put((byte) (booleans[i] ? 1 : 0));
        }
        return;
      }
      default -> throw new IllegalStateException("not a carrier: " + type);
    }
    target.position(target.position() + count * type.bytes());
  }

  /**
   * Copies elements out of a buffer.
   *
   * @param type the element type
   * @param source the bytes, from its position, which is advanced; its order is set to {@code
   *     order}
   * @param array an array of that type
   * @param index where the first element goes
   * @param count how many
   * @param order the byte order to read
   */
  public static void get(
      ElementType type, ByteBuffer source, Object array, int index, int count, ByteOrder order) {
    source.order(order);
    if (count <= FEW && getFew(type, source, array, index, count)) {
      return;
    }
    if (order != ByteOrder.nativeOrder() && SwappedElements.suits(type)) {
      SwappedElements.get(type, source, array, index, count);
      source.position(source.position() + count * type.bytes());
      return;
    }
    switch (type.carrier()) {
      case FLOAT -> source.asFloatBuffer().get((float[]) array, index, count);
      case INT -> source.asIntBuffer().get((int[]) array, index, count);
      case DOUBLE -> source.asDoubleBuffer().get((double[]) array, index, count);
      case LONG -> source.asLongBuffer().get((long[]) array, index, count);
      case SHORT -> source.asShortBuffer().get((short[]) array, index, count);
      case CHAR -> source.asCharBuffer().get((char[]) array, index, count);
      case BYTE -> {
        source.get((byte[]) array, index, count);
        return;
      }
      case BOOLEAN -> {
        boolean[] booleans = (boolean[]) array;
        for (int i = index; i < index + count; i++) {
          booleans[i] = source.get() != 0;
        }
        return;
      }
      default -> throw new IllegalStateException("not a carrier: " + type);
    }
    source.position(source.position() + count * type.bytes());
  }

  private static boolean putFew(
      ElementType type, Object array, int index, int count, ByteBuffer target) {
    int end = index + count;
    switch (type.carrier()) {
      case FLOAT -> {
        float[] floats = (float[]) array;
        for (int i = index; i < end; i++) {
          target.putFloat(floats[i]);
        }
      }
      case INT -> {
        int[] ints = (int[]) array;
        for (int i = index; i < end; i++) {
          target.putInt(ints[i]);
        }
      }
      case DOUBLE -> {
        double[] doubles = (double[]) array;
        for (int i = index; i < end; i++) {
          target.putDouble(doubles[i]);
        }
      }
      case LONG -> {
        long[] longs = (long[]) array;
        for (int i = index; i < end; i++) {
          target.putLong(longs[i]);
        }
      }
      case SHORT -> {
        short[] shorts = (short[]) array;
        for (int i = index; i < end; i++) {
          target.putShort(shorts[i]);
        }
      }
      case CHAR -> {
        char[] chars = (char[]) array;
        for (int i = index; i < end; i++) {
          target.putChar(chars[i]);
        }
      }
      case BYTE, BOOLEAN -> {
        return false;
      }
      default -> throw new IllegalStateException("not a carrier: " + type);
    }
    return true;
  }

  private static boolean getFew(
      ElementType type, ByteBuffer source, Object array, int index, int count) {
    int end = index + count;
    switch (type.carrier()) {
      case FLOAT -> {
        float[] floats = (float[]) array;
        for (int i = index; i < end; i++) {
          floats[i] = source.getFloat();
        }
      }
      case INT -> {
        int[] ints = (int[]) array;
        for (int i = index; i < end; i++) {
          ints[i] = source.getInt();
        }
      }
      case DOUBLE -> {
        double[] doubles = (double[]) array;
        for (int i = index; i < end; i++) {
          doubles[i] = source.getDouble();
        }
      }
      case LONG -> {
        long[] longs = (long[]) array;
        for (int i = index; i < end; i++) {
          longs[i] = source.getLong();
        }
      }
      case SHORT -> {
        short[] shorts = (short[]) array;
        for (int i = index; i < end; i++) {
          shorts[i] = source.getShort();
        }
      }
      case CHAR -> {
        char[] chars = (char[]) array;
        for (int i = index; i < end; i++) {
          chars[i] = source.getChar();
        }
      }
      case BYTE, BOOLEAN -> {
        return false;
      }
      default -> throw new IllegalStateException("not a carrier: " + type);
    }
    return true;
  }
}
