package io.arraywire.compression;

import io.arraywire.ElementType;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import java.util.function.IntToLongFunction;

/** Arrays of every type for tests, and their bits. */
final class Samples {
  private Samples() {}

  /** What is in an array. */
  enum Kind {
    /** All bits at random: nothing gets smaller. */
    NOISE,
    /** Values that are near each other, as those of a sensor. */
    WALK,
    /** One value. */
    SAME
  }

  static Object array(ElementType type, int count, Kind kind) {
    Object array = type.newArray(count);
    Random random = new Random(count);
    long walk = 20_000;
    for (int i = 0; i < count; i++) {
      walk += random.nextInt(21) - 10;
      long bits =
          switch (kind) {
            case NOISE -> random.nextLong();
            case WALK -> walk;
            case SAME -> 77;
          };
      set(type, array, i, bits, kind == Kind.NOISE);
    }
    return array;
  }

  /** Elements with these bits, as many of them as the type has. */
  static Object ofBits(ElementType type, int count, IntToLongFunction bits) {
    Object array = type.newArray(count);
    for (int i = 0; i < count; i++) {
      set(type, array, i, bits.applyAsLong(i), true);
    }
    return array;
  }

  private static void set(ElementType type, Object array, int i, long bits, boolean raw) {
    switch (type.carrier()) {
      case FLOAT -> ((float[]) array)[i] = raw ? Float.intBitsToFloat((int) bits) : bits / 1000f;
      case INT -> ((int[]) array)[i] = (int) bits;
      case DOUBLE -> ((double[]) array)[i] = raw ? Double.longBitsToDouble(bits) : bits / 1000d;
      case LONG -> ((long[]) array)[i] = bits;
      case SHORT -> ((short[]) array)[i] = (short) bits;
      case CHAR -> ((char[]) array)[i] = (char) bits;
      case BYTE -> ((byte[]) array)[i] = (byte) (raw ? bits : bits >> 6);
      case BOOLEAN -> ((boolean[]) array)[i] = (bits & 64) != 0;
      default -> throw new IllegalStateException("not a carrier: " + type);
    }
  }

  /** The bytes of elements, little-endian, one by one. */
  static byte[] bytes(ElementType type, Object array, int index, int count) {
    ByteBuffer bytes = ByteBuffer.allocate(count * type.bytes()).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = index; i < index + count; i++) {
      switch (type.carrier()) {
        case FLOAT -> bytes.putInt(Float.floatToRawIntBits(Array.getFloat(array, i)));
        case INT -> bytes.putInt(Array.getInt(array, i));
        case DOUBLE -> bytes.putLong(Double.doubleToRawLongBits(Array.getDouble(array, i)));
        case LONG -> bytes.putLong(Array.getLong(array, i));
        case SHORT -> bytes.putShort(Array.getShort(array, i));
        case CHAR -> bytes.putChar(Array.getChar(array, i));
        case BYTE -> bytes.put(Array.getByte(array, i));
        case BOOLEAN -> bytes.put((byte) (Array.getBoolean(array, i) ? 1 : 0));
        default -> throw new IllegalStateException("not a carrier: " + type);
      }
    }
    return bytes.array();
  }
}
