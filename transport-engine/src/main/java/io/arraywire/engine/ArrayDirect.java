package io.arraywire.engine;

import io.arraywire.ElementType;
import io.arraywire.spi.Codec;

/** Says which arrays go between their own memory and the channel, past codec and staging. */
final class ArrayDirect {
  /** The longest array that every JVM can make. */
  static final int MOST_ELEMENTS = Integer.MAX_VALUE - 8;

  /** Below that no link is asked. */
  private static final int LEAST_BYTES = 4 << 10;

  private ArrayDirect() {}

  /** Whether elements travel as they lie in memory. A boolean's byte must be 0 or 1. */
  static boolean suits(Codec codec, ElementType type) {
    return codec.traits().verbatim()
        && !codec.encoding().isInBlocks()
        && type != ElementType.BOOLEAN;
  }

  /** Whether an array is large enough, and the link can do it. */
  static boolean pays(long arrayBytes, Link link) {
    if (arrayBytes < LEAST_BYTES) {
      return false;
    }
    int least = link.leastArrayBytes();
    return least != Integer.MAX_VALUE && arrayBytes >= least;
  }

  /** The same for what lies in direct memory or in a file. */
  static boolean paysFromRegion(long arrayBytes, Link link) {
    if (arrayBytes < LEAST_BYTES) {
      return false;
    }
    int least = link.leastRegionBytes();
    return least != Integer.MAX_VALUE && arrayBytes >= least;
  }
}
