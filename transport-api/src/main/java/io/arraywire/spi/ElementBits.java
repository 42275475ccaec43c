package io.arraywire.spi;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;

/**
 * Copies the bits of {@code float[]} and {@code double[]} to an {@code int[]} or {@code long[]} and
 * back, in bulk, and turns their bytes round there. Conversion of one element after the other is
 * several times as slow, and need not keep every NaN. For one thread at a time.
 *
 * <p>This version is for JDKs before 22. It copies twice, through memory that is seen as both.
 * {@code src/main/java22} has the other one, of the same shape, which copies once.
 */
final class ElementBits {
  private final int[] ints;
  private final long[] longs;
  private final IntBuffer asInts;
  private final LongBuffer asLongs;
  private final FloatBuffer asFloats;
  private final DoubleBuffer asDoubles;

  /**
   * Makes one.
   *
   * @param ints where the bits of {@code float}s are
   * @param longs where the bits of {@code double}s are
   */
  ElementBits(int[] ints, long[] longs) {
    this.ints = ints;
    this.longs = longs;
    ByteBuffer both =
        ByteBuffer.allocate(Math.max(ints.length * Integer.BYTES, longs.length * Long.BYTES))
            .order(ByteOrder.nativeOrder());
    asInts = both.asIntBuffer();
    asLongs = both.asLongBuffer();
    asFloats = both.asFloatBuffer();
    asDoubles = both.asDoubleBuffer();
  }

  /** Copies to the beginning of the ints. */
  void load(float[] from, int index, int count) {
    asFloats.put(0, from, index, count);
    asInts.get(0, ints, 0, count);
  }

  /** Copies from the beginning of the ints. */
  void store(float[] to, int index, int count) {
    asInts.put(0, ints, 0, count);
    asFloats.get(0, to, index, count);
  }

  /** Copies to the beginning of the longs. */
  void load(double[] from, int index, int count) {
    asDoubles.put(0, from, index, count);
    asLongs.get(0, longs, 0, count);
  }

  /** Copies from the beginning of the longs. */
  void store(double[] to, int index, int count) {
    asLongs.put(0, longs, 0, count);
    asDoubles.get(0, to, index, count);
  }

  /**
   * Reverses the bytes of each of the first ints. In place, since compilers cannot tell that two
   * arrays are not one, and by shifts, which they turn into vector instructions before JDK 20, too.
   */
  void swapInts(int count) {
    for (int i = 0; i < count; i++) {
      int bits = ints[i];
      bits = ((bits >>> 8) & 0x00ff_00ff) | ((bits & 0x00ff_00ff) << 8);
      ints[i] = (bits >>> 16) | (bits << 16);
    }
  }

  /** Reverses the bytes of each of the first longs; so many shifts as they need do not pay. */
  void swapLongs(int count) {
    for (int i = 0; i < count; i++) {
      longs[i] = Long.reverseBytes(longs[i]);
    }
  }
}
