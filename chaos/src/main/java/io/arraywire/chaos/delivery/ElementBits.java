package io.arraywire.chaos.delivery;

import io.arraywire.ElementType;

/** Elements of arrays of every type as bits. */
final class ElementBits {
  private ElementBits() {}

  static long get(ElementType type, Object array, int i) {
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

  static void set(ElementType type, Object array, int i, long bits) {
    switch (type.carrier()) {
      case FLOAT -> ((float[]) array)[i] = Float.intBitsToFloat((int) bits);
      case INT -> ((int[]) array)[i] = (int) bits;
      case DOUBLE -> ((double[]) array)[i] = Double.longBitsToDouble(bits);
      case LONG -> ((long[]) array)[i] = bits;
      case SHORT -> ((short[]) array)[i] = (short) bits;
      case CHAR -> ((char[]) array)[i] = (char) bits;
      case BYTE -> ((byte[]) array)[i] = (byte) bits;
      case BOOLEAN -> ((boolean[]) array)[i] = (bits & 1) != 0;
      default -> throw new IllegalStateException("not a carrier: " + type);
    }
  }
}
