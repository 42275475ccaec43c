package io.arraywire.compression;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Sorts the bytes of little-endian elements by their significance. All least significant ones come
 * first, in the order of the elements, then all that come next, and so on. Each of these planes has
 * a byte for each element. Bytes of sign and exponent, which are alike, then stand together.
 *
 * <p>Eight elements are transposed at a time in registers of 64 bits, by shifts and masks. So it is
 * fast whether or not the compiler finds vector instructions for it. Pure functions.
 */
final class Shuffle {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final int EIGHT = 8;

  private static final long LOW_32 = 0x00000000_ffffffffL;
  private static final long LOW_16 = 0x0000ffff_0000ffffL;
  private static final long LOW_8 = 0x00ff00ff_00ff00ffL;

  private Shuffle() {}

  /** Sorts bytes into planes. */
  static void split(byte[] elements, byte[] planes, int count, int width) {
    int done =
        switch (width) {
          case 2 -> split2(elements, planes, count);
          case 4 -> split4(elements, planes, count);
          case 8 -> split8(elements, planes, count);
          default -> 0;
        };
    for (int i = done; i < count; i++) {
      for (int k = 0; k < width; k++) {
        planes[k * count + i] = elements[i * width + k];
      }
    }
  }

  /** Puts them back. */
  static void join(byte[] planes, byte[] elements, int count, int width) {
    int done =
        switch (width) {
          case 2 -> join2(planes, elements, count);
          case 4 -> join4(planes, elements, count);
          case 8 -> join8(planes, elements, count);
          default -> 0;
        };
    for (int i = done; i < count; i++) {
      for (int k = 0; k < width; k++) {
        elements[i * width + k] = planes[k * count + i];
      }
    }
  }

  private static long get(byte[] bytes, int at) {
    return (long) LONGS.get(bytes, at);
  }

  private static void put(byte[] bytes, int at, long value) {
    LONGS.set(bytes, at, value);
  }

  private static int split2(byte[] elements, byte[] planes, int count) {
    int end = count - count % EIGHT;
    for (int i = 0; i < end; i += EIGHT) {
      long a = get(elements, 2 * i);
      long b = get(elements, 2 * i + 8);
      put(planes, i, evens(a) | (evens(b) << 32));
      put(planes, count + i, evens(a >>> 8) | (evens(b >>> 8) << 32));
    }
    return end;
  }

  private static int join2(byte[] planes, byte[] elements, int count) {
    int end = count - count % EIGHT;
    for (int i = 0; i < end; i += EIGHT) {
      long low = get(planes, i);
      long high = get(planes, count + i);
      put(elements, 2 * i, apart(low & LOW_32) | (apart(high & LOW_32) << 8));
      put(elements, 2 * i + 8, apart(low >>> 32) | (apart(high >>> 32) << 8));
    }
    return end;
  }

  /** Bytes 0, 2, 4 and 6, beside each other. */
  private static long evens(long value) {
    long bytes = value & LOW_8;
    bytes = (bytes | (bytes >>> 8)) & LOW_16;
    return (bytes | (bytes >>> 16)) & LOW_32;
  }

  /** Four bytes become bytes 0, 2, 4 and 6. */
  private static long apart(long value) {
    long bytes = (value | (value << 16)) & LOW_16;
    return (bytes | (bytes << 8)) & LOW_8;
  }

  private static int split4(byte[] elements, byte[] planes, int count) {
    int end = count - count % EIGHT;
    for (int i = 0; i < end; i += EIGHT) {
      int at = 4 * i;
      long e01 = get(elements, at);
      long e23 = get(elements, at + 8);
      long e45 = get(elements, at + 16);
      long e67 = get(elements, at + 24);
      // Two squares of four bytes each, side by side: elements 0 to 3, and 4 to 7.
      long r0 = (e01 & LOW_32) | (e45 << 32);
      long r1 = (e01 >>> 32) | (e45 & ~LOW_32);
      long r2 = (e23 & LOW_32) | (e67 << 32);
      long r3 = (e23 >>> 32) | (e67 & ~LOW_32);
      long t0 = (r0 & LOW_16) | ((r2 & LOW_16) << 16);
      long t1 = (r1 & LOW_16) | ((r3 & LOW_16) << 16);
      long t2 = ((r0 >>> 16) & LOW_16) | (r2 & ~LOW_16);
      long t3 = ((r1 >>> 16) & LOW_16) | (r3 & ~LOW_16);
      put(planes, i, (t0 & LOW_8) | ((t1 & LOW_8) << 8));
      put(planes, count + i, ((t0 >>> 8) & LOW_8) | (t1 & ~LOW_8));
      put(planes, 2 * count + i, (t2 & LOW_8) | ((t3 & LOW_8) << 8));
      put(planes, 3 * count + i, ((t2 >>> 8) & LOW_8) | (t3 & ~LOW_8));
    }
    return end;
  }

  private static int join4(byte[] planes, byte[] elements, int count) {
    int end = count - count % EIGHT;
    for (int i = 0; i < end; i += EIGHT) {
      long p0 = get(planes, i);
      long p1 = get(planes, count + i);
      long p2 = get(planes, 2 * count + i);
      long p3 = get(planes, 3 * count + i);
      long t0 = (p0 & LOW_8) | ((p1 & LOW_8) << 8);
      long t1 = ((p0 >>> 8) & LOW_8) | (p1 & ~LOW_8);
      long t2 = (p2 & LOW_8) | ((p3 & LOW_8) << 8);
      long t3 = ((p2 >>> 8) & LOW_8) | (p3 & ~LOW_8);
      long r0 = (t0 & LOW_16) | ((t2 & LOW_16) << 16);
      long r1 = (t1 & LOW_16) | ((t3 & LOW_16) << 16);
      long r2 = ((t0 >>> 16) & LOW_16) | (t2 & ~LOW_16);
      long r3 = ((t1 >>> 16) & LOW_16) | (t3 & ~LOW_16);
      int at = 4 * i;
      put(elements, at, (r0 & LOW_32) | (r1 << 32));
      put(elements, at + 8, (r2 & LOW_32) | (r3 << 32));
      put(elements, at + 16, (r0 >>> 32) | (r1 & ~LOW_32));
      put(elements, at + 24, (r2 >>> 32) | (r3 & ~LOW_32));
    }
    return end;
  }

  private static int split8(byte[] elements, byte[] planes, int count) {
    int end = count - count % EIGHT;
    for (int i = 0; i < end; i += EIGHT) {
      transpose(elements, 8 * i, 8, planes, i, count);
    }
    return end;
  }

  private static int join8(byte[] planes, byte[] elements, int count) {
    int end = count - count % EIGHT;
    for (int i = 0; i < end; i += EIGHT) {
      transpose(planes, i, count, elements, 8 * i, 8);
    }
    return end;
  }

  /** A square of eight by eight bytes; the rows lie so many bytes apart. */
  private static void transpose(byte[] from, int at, int apart, byte[] to, int toAt, int toApart) {
    long a0 = get(from, at);
    long a1 = get(from, at + apart);
    long a2 = get(from, at + 2 * apart);
    long a3 = get(from, at + 3 * apart);
    long a4 = get(from, at + 4 * apart);
    long a5 = get(from, at + 5 * apart);
    long a6 = get(from, at + 6 * apart);
    long a7 = get(from, at + 7 * apart);
    long b0 = (a0 & LOW_32) | (a4 << 32);
    long b1 = (a1 & LOW_32) | (a5 << 32);
    long b2 = (a2 & LOW_32) | (a6 << 32);
    long b3 = (a3 & LOW_32) | (a7 << 32);
    long b4 = (a0 >>> 32) | (a4 & ~LOW_32);
    long b5 = (a1 >>> 32) | (a5 & ~LOW_32);
    long b6 = (a2 >>> 32) | (a6 & ~LOW_32);
    long b7 = (a3 >>> 32) | (a7 & ~LOW_32);
    quarter(b0, b1, b2, b3, to, toAt, toApart);
    quarter(b4, b5, b6, b7, to, toAt + 4 * toApart, toApart);
  }

  /** Four rows of the result. */
  private static void quarter(
      long r0, long r1, long r2, long r3, byte[] to, int toAt, int toApart) {
    long t0 = (r0 & LOW_16) | ((r2 & LOW_16) << 16);
    long t1 = (r1 & LOW_16) | ((r3 & LOW_16) << 16);
    long t2 = ((r0 >>> 16) & LOW_16) | (r2 & ~LOW_16);
    long t3 = ((r1 >>> 16) & LOW_16) | (r3 & ~LOW_16);
    put(to, toAt, (t0 & LOW_8) | ((t1 & LOW_8) << 8));
    put(to, toAt + toApart, ((t0 >>> 8) & LOW_8) | (t1 & ~LOW_8));
    put(to, toAt + 2 * toApart, (t2 & LOW_8) | ((t3 & LOW_8) << 8));
    put(to, toAt + 3 * toApart, ((t2 >>> 8) & LOW_8) | (t3 & ~LOW_8));
  }
}
