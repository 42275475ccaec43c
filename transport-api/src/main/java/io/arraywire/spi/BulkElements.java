package io.arraywire.spi;

import io.arraywire.ElementType;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;

/**
 * Moves plain elements between arrays and buffers in bulk, through the buffer's typed views: one
 * copy by the JDK's intrinsics. Where the order is not the host's, {@link SwappedElements} swaps
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
   * @param array an array of that type, or a typed buffer in any byte order, whose position is
   *     neither used nor moved
   * @param index where the first element goes
   * @param count how many
   * @param order the byte order to read
   */
  public static void get(
      ElementType type, ByteBuffer source, Object array, int index, int count, ByteOrder order) {
    source.order(order);
    if (array instanceof Buffer) {
      getIntoBuffer(source, array, index, count);
      source.position(source.position() + count * type.bytes());
      return;
    }
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

  /**
   * Reverses the bytes of each element, where they lie.
   *
   * @param type the element type
   * @param bytes a buffer, whose position, limit and byte order stay
   * @param from where the first element begins
   * @param to where the last one ends
   */
  public static void swap(ElementType type, ByteBuffer bytes, int from, int to) {
    if (SwappedElements.suits(type)) {
      SwappedElements.swap(bytes, from, to, type.bytes());
    } else if (type.bytes() == Short.BYTES) {
      for (int i = from; i < to; i += Short.BYTES) {
        bytes.putShort(i, Short.reverseBytes(bytes.getShort(i)));
      }
    }
  }

  private static void getIntoBuffer(ByteBuffer source, Object target, int index, int count) {
    if (target instanceof FloatBuffer floats) {
      floats.put(index, source.asFloatBuffer(), 0, count);
    } else if (target instanceof IntBuffer ints) {
      ints.put(index, source.asIntBuffer(), 0, count);
    } else if (target instanceof DoubleBuffer doubles) {
      doubles.put(index, source.asDoubleBuffer(), 0, count);
    } else if (target instanceof LongBuffer longs) {
      longs.put(index, source.asLongBuffer(), 0, count);
    } else if (target instanceof ShortBuffer shorts) {
      shorts.put(index, source.asShortBuffer(), 0, count);
    } else if (target instanceof CharBuffer chars) {
      chars.put(index, source.asCharBuffer(), 0, count);
    } else {
      ((ByteBuffer) target).put(index, source, source.position(), count);
    }
  }

  /**
   * Copies elements between arrays, or between an array and a typed buffer.
   *
   * @param from an array, or a typed buffer whose position is neither used nor moved
   * @param index the first element
   * @param to the same for where they go, of the same element type; not a buffer if {@code from} is
   *     one
   * @param at where the first element goes
   * @param count how many
   */
  public static void copy(Object from, int index, Object to, int at, int count) {
    if (to instanceof Buffer) {
      putIntoBuffer(from, index, to, at, count);
    } else if (from instanceof Buffer) {
      getFromBuffer(from, index, to, at, count);
    } else {
      System.arraycopy(from, index, to, at, count);
    }
  }

  private static void putIntoBuffer(Object from, int index, Object to, int at, int count) {
    if (to instanceof FloatBuffer floats) {
      floats.put(at, (float[]) from, index, count);
    } else if (to instanceof IntBuffer ints) {
      ints.put(at, (int[]) from, index, count);
    } else if (to instanceof DoubleBuffer doubles) {
      doubles.put(at, (double[]) from, index, count);
    } else if (to instanceof LongBuffer longs) {
      longs.put(at, (long[]) from, index, count);
    } else if (to instanceof ShortBuffer shorts) {
      shorts.put(at, (short[]) from, index, count);
    } else if (to instanceof CharBuffer chars) {
      chars.put(at, (char[]) from, index, count);
    } else {
      ((ByteBuffer) to).put(at, (byte[]) from, index, count);
    }
  }

  private static void getFromBuffer(Object from, int index, Object to, int at, int count) {
    if (from instanceof FloatBuffer floats) {
      floats.get(index, (float[]) to, at, count);
    } else if (from instanceof IntBuffer ints) {
      ints.get(index, (int[]) to, at, count);
    } else if (from instanceof DoubleBuffer doubles) {
      doubles.get(index, (double[]) to, at, count);
    } else if (from instanceof LongBuffer longs) {
      longs.get(index, (long[]) to, at, count);
    } else if (from instanceof ShortBuffer shorts) {
      shorts.get(index, (short[]) to, at, count);
    } else if (from instanceof CharBuffer chars) {
      chars.get(index, (char[]) to, at, count);
    } else {
      ((ByteBuffer) from).get(index, (byte[]) to, at, count);
    }
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
