package io.arraywire.spi;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Copies the bits of {@code float[]} and {@code double[]} to an {@code int[]} or {@code long[]} and
 * back, once and without garbage, and turns their bytes round there. A segment of the latter takes
 * the elements of the former as they are. Takes the place of the class of the same name in {@code
 * src/main/java}, whose package-private methods it must have. For one thread at a time.
 */
final class ElementBits {
  private final int[] ints;
  private final long[] longs;
  private final MemorySegment intSegment;
  private final MemorySegment longSegment;

  /**
   * Makes one.
   *
   * @param ints where the bits of {@code float}s are
   * @param longs where the bits of {@code double}s are
   */
  ElementBits(int[] ints, long[] longs) {
    this.ints = ints;
    this.longs = longs;
    intSegment = MemorySegment.ofArray(ints);
    longSegment = MemorySegment.ofArray(longs);
  }

  /** Copies to the beginning of the ints. */
  void load(float[] from, int index, int count) {
    MemorySegment.copy(from, index, intSegment, ValueLayout.JAVA_FLOAT, 0, count);
  }

  /** Copies from the beginning of the ints. */
  void store(float[] to, int index, int count) {
    MemorySegment.copy(intSegment, ValueLayout.JAVA_FLOAT, 0, to, index, count);
  }

  /** Copies to the beginning of the longs. */
  void load(double[] from, int index, int count) {
    MemorySegment.copy(from, index, longSegment, ValueLayout.JAVA_DOUBLE, 0, count);
  }

  /** Copies from the beginning of the longs. */
  void store(double[] to, int index, int count) {
    MemorySegment.copy(longSegment, ValueLayout.JAVA_DOUBLE, 0, to, index, count);
  }

  /**
   * Reverses the bytes of each of the first ints, by vector instructions. In place, since compilers
   * cannot tell that two arrays are not one.
   */
  void swapInts(int count) {
    for (int i = 0; i < count; i++) {
      ints[i] = Integer.reverseBytes(ints[i]);
    }
  }

  /** Reverses the bytes of each of the first longs, likewise. */
  void swapLongs(int count) {
    for (int i = 0; i < count; i++) {
      longs[i] = Long.reverseBytes(longs[i]);
    }
  }
}
