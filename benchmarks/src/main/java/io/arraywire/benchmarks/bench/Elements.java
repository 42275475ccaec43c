package io.arraywire.benchmarks.bench;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.zip.CRC32;

/** Makes, spoils and compares arrays. */
final class Elements {
  private static final int CHUNK_BYTES = 64 << 10;
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

  /** The CRC-32 of the first elements' bits, little-endian, which libraries of Python compute. */
  static String crc32(float[] elements, int count) {
    ByteBuffer chunk = ByteBuffer.allocate(CHUNK_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    CRC32 crc = new CRC32();
    int most = CHUNK_BYTES / Float.BYTES;
    for (int from = 0; from < count; from += most) {
      int some = Math.min(most, count - from);
      chunk.clear().limit(some * Float.BYTES);
      chunk.asFloatBuffer().put(elements, from, some);
      crc.update(chunk);
    }
    return Long.toHexString(crc.getValue());
  }
}
