package io.arraywire.benchmarks.bench;

import java.util.Arrays;
import java.util.SplittableRandom;

/** Makes, spoils and compares arrays. */
final class Elements {
  private static final long SEED = 4711;
  private static final float SPOILED = -12345.678f;

  private Elements() {}

  /** Elements of any bits, NaNs with payloads among them. */
  static float[] random(int count) {
    return random(count, 0);
  }

  /** Others for each number. */
  static float[] random(int count, int number) {
    SplittableRandom random = new SplittableRandom(SEED + number);
    float[] elements = new float[count];
    for (int i = 0; i < count; i++) {
      elements[i] = Float.intBitsToFloat(random.nextInt());
    }
    return elements;
  }

  /** The bits of all elements. */
  static void toBits(float[] elements, int[] bits) {
    for (int i = 0; i < elements.length; i++) {
      bits[i] = Float.floatToRawIntBits(elements[i]);
    }
  }

  /** The first elements, of these bits. */
  static void fromBits(int[] bits, float[] elements, int count) {
    for (int i = 0; i < count; i++) {
      elements[i] = Float.intBitsToFloat(bits[i]);
    }
  }

  /** Overwrites all, so that what is there afterwards must have arrived since. */
  static void spoil(float[] elements) {
    Arrays.fill(elements, SPOILED);
  }

  /** {@link #checksum} of each, in an order that does not tell which was whose. */
  static String[] checksums(float[][] arrays, int count) {
    return Arrays.stream(arrays).map(each -> checksum(each, count)).sorted().toArray(String[]::new);
  }

  /** A hash of the first elements' bits and their order. */
  static String checksum(float[] elements, int count) {
    return checksum(elements, count, true);
  }

  /**
   * A hash of the first elements and their order.
   *
   * @param nans whether one NaN differs from another
   */
  static String checksum(float[] elements, int count, boolean nans) {
    long hash = count;
    for (int i = 0; i < count; i++) {
      // The step of FNV-1a, on 32 bits at a time.
      int bits = nans ? Float.floatToRawIntBits(elements[i]) : Float.floatToIntBits(elements[i]);
      hash = (hash ^ Integer.toUnsignedLong(bits)) * 0x100_0000_01b3L;
    }
    return Long.toHexString(hash);
  }
}
