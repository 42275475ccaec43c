package io.arraywire.benchmarks.bench;

import java.nio.ByteBuffer;
import java.nio.FloatBuffer;

/**
 * The array at the JVM's end of a {@link PythonContender}: elements come, and the same elements go
 * back. One array is there at a time, so one thread after the other may use this.
 */
final class Mirror {
  private final float[] array;
  private final Filling filling;
  private final Departures departures;
  private volatile int count;

  Mirror(int mostElements) {
    array = new float[mostElements];
    filling = new Filling(array);
    departures = new Departures(array);
  }

  /** All arrays that come from now on have so many elements. */
  void expect(int elements) {
    count = elements;
  }

  /** Elements of an array that comes. */
  int count() {
    return count;
  }

  /** Where elements go and come from, from index 0 on. */
  float[] array() {
    return array;
  }

  /**
   * Little-endian bytes of elements came, split anywhere.
   *
   * @return whether the array is complete
   */
  boolean put(ByteBuffer bytes) {
    return filling.put(bytes, count) > 0;
  }

  /**
   * The elements that came are to go back.
   *
   * @return how many they are
   */
  int turn() {
    departures.begin(count, 1);
    return count;
  }

  /** How many of them there still are. */
  int left() {
    return (int) departures.left();
  }

  /** Fills a buffer as far as there are elements. */
  void take(FloatBuffer into) {
    departures.take(into);
  }

  /** Overwrites all elements, so that what is there afterwards must have come since. */
  void spoil() {
    Elements.spoil(array);
  }

  /** A checksum of the first elements that Python computes alike. */
  String checksum(int elements) {
    return Elements.crc32(array, elements);
  }
}
