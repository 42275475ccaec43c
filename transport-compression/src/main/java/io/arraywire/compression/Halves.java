package io.arraywire.compression;

/**
 * Floats of 16 bits: {@code bf16}, the upper half of a float, and {@code fp16}, IEEE 754 binary16.
 * Rounds to nearest, ties to even; a NaN stays one. Pure functions.
 */
final class Halves {
  private static final int ABSOLUTE = 0x7fffffff;
  private static final int INFINITE = 0x7f800000;

  /** 65536, from where on nothing fits binary16. */
  private static final int TOO_LARGE = 0x47800000;

  /** 2^-14, the least normal number of binary16. */
  private static final int LEAST_NORMAL = 0x38800000;

  /** 0.5: the last bit of its mantissa is worth as much as that of a subnormal of binary16. */
  private static final int HALF = 0x3f000000;

  private Halves() {}

  /** The {@code bf16} of the bits of a float. */
  static short toBf16(int bits) {
    if ((bits & ABSOLUTE) > INFINITE) {
      return (short) ((bits >>> 16) | 0x40);
    }
    return (short) ((bits + 0x7fff + ((bits >>> 16) & 1)) >>> 16);
  }

  /** The bits of a float. */
  static int fromBf16(short half) {
    return half << 16;
  }

  /** The {@code fp16} of the bits of a float. */
  static short toFp16(int bits) {
    int sign = (bits >>> 16) & 0x8000;
    int size = bits & ABSOLUTE;
    int half;
    if (size >= TOO_LARGE) {
      half = size > INFINITE ? 0x7e00 | ((size >>> 13) & 0x3ff) : 0x7c00;
    } else if (size < LEAST_NORMAL) {
      // The addition rounds it to what a subnormal can hold.
      half = Float.floatToRawIntBits(Float.intBitsToFloat(size) + 0.5f) - HALF;
    } else {
      half = (size - (112 << 23) + 0xfff + ((size >>> 13) & 1)) >>> 13;
    }
    return (short) (sign | half);
  }

  /** The bits of a float. */
  static int fromFp16(short half) {
    int sign = (half & 0x8000) << 16;
    int size = (half & 0x7fff) << 13;
    int exponent = size & 0x0f800000;
    if (exponent == 0x0f800000) {
      return sign | (size + (224 << 23));
    }
    if (exponent == 0) {
      float subnormal = Float.intBitsToFloat(size + (113 << 23)) - 0x1p-14f;
      return sign | Float.floatToRawIntBits(subnormal);
    }
    return sign | (size + (112 << 23));
  }
}
