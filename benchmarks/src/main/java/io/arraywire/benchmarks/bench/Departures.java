package io.arraywire.benchmarks.bench;

import java.nio.FloatBuffer;

/** The elements of arrays that follow each other without a gap, in portions of any size. */
final class Departures {
  private final float[] source;
  private int count;
  private int position;
  private long left;

  Departures(float[] source) {
    this.source = source;
  }

  /**
   * Begins with new arrays.
   *
   * @param elements of the source that make an array
   * @param arrays how many, all alike
   */
  void begin(int elements, int arrays) {
    count = elements;
    position = 0;
    left = (long) elements * arrays;
  }

  /** How many elements there still are, of all arrays together. */
  long left() {
    return left;
  }

  /** Fills a buffer as far as there are elements. */
  void take(FloatBuffer into) {
    while (left > 0 && into.hasRemaining()) {
      int some = Math.min(count - position, into.remaining());
      into.put(source, position, some);
      left -= some;
      position += some;
      if (position == count) {
        position = 0;
      }
    }
  }
}
