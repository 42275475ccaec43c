package io.arraywire.engine;

import io.arraywire.Encoding;
import io.arraywire.codec.StandardCodecs;
import io.arraywire.spi.Codec;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Blocks of elements, as {@code docs/protocol.md} has them: a head of 8 bytes, and what the head
 * announces. Pure functions.
 *
 * <pre>
 *  0 | bytes that follow; bit 31: raw        | elements                              |
 *  8 | the bytes
 * </pre>
 */
final class Blocks {
  static final int HEAD_BYTES = 8;

  private static final int RAW = 1 << 31;

  private static final Codec LITTLE = StandardCodecs.raw(ByteOrder.LITTLE_ENDIAN);
  private static final Codec BIG = StandardCodecs.raw(ByteOrder.BIG_ENDIAN);

  private Blocks() {}

  /** What the elements are encoded with where they are in no block, or in one that is raw. */
  static Codec plain(Codec codec) {
    Encoding encoding = codec.encoding();
    if (!encoding.isInBlocks()) {
      return codec;
    }
    return encoding.order() == ByteOrder.LITTLE_ENDIAN ? LITTLE : BIG;
  }

  /** The most bytes that elements take: each in a block of its own. */
  static long mostBytes(long elements, int width) {
    return elements * (HEAD_BYTES + width);
  }

  static void putHead(ByteBuffer target, int at, int bytes, int elements, boolean raw) {
    target
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(at, raw ? bytes | RAW : bytes)
        .putInt(at + Integer.BYTES, elements);
  }

  /** The first word of a head. */
  static int word(ByteBuffer head) {
    return head.order(ByteOrder.LITTLE_ENDIAN).getInt(0);
  }

  static long elements(ByteBuffer head) {
    return head.order(ByteOrder.LITTLE_ENDIAN).getInt(Integer.BYTES) & 0xffffffffL;
  }

  static int bytes(int word) {
    return word & ~RAW;
  }

  static boolean isRaw(int word) {
    return (word & RAW) != 0;
  }
}
