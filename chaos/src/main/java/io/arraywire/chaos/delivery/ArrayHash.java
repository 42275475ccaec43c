package io.arraywire.chaos.delivery;

import io.arraywire.ArraySlice;
import io.arraywire.ElementType;

/**
 * A hash of an array's type, count and bits, so that the two ends can compare what they saw without
 * keeping it. 64 bits, each element mixed in with a multiplication and a shift. The factor is 2^64
 * divided by the golden ratio (Knuth, The Art of Computer Programming, volume 3, section 6.4). Not
 * cryptographic. NaNs and zeros count by their bits. Stateless; any thread.
 */
public final class ArrayHash {
  private static final long GOLDEN = 0x9e3779b97f4a7c15L;

  private ArrayHash() {}

  /**
   * The hash of the elements of a slice.
   *
   * @param slice the elements, which nobody may change meanwhile
   * @return the hash, the same in every JVM
   */
  public static long of(ArraySlice slice) {
    ElementType type = slice.type();
    Object array = slice.array();
    int from = slice.offset();
    int to = from + slice.length();
    long hash = mix(mix(0, type.code()), slice.length());
    for (int i = from; i < to; i++) {
      hash = mix(hash, ElementBits.get(type, array, i));
    }
    return hash;
  }

  private static long mix(long hash, long bits) {
    long mixed = (hash ^ bits) * GOLDEN;
    return mixed ^ (mixed >>> 32);
  }
}
