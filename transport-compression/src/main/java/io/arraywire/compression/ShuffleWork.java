package io.arraywire.compression;

import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.ErrorCode;
import io.arraywire.ProtocolException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * What makes and reads one block of planes, and the memory for it. A block is a table with a word
 * for each plane, least significant bytes first, and then the planes:
 *
 * <pre>
 * 0 | bytes of plane 0; bit 31: raw | bytes of plane 1 ...
 * </pre>
 *
 * <p>Each plane is compressed by itself: those of the mantissa, which mostly do not shrink, travel
 * as they are and cost the receiver a copy, and the others get statistics of their own. One thread
 * at a time.
 */
final class ShuffleWork {
  private static final VarHandle WORDS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private static final int RAW = 1 << 31;

  private final Elements elements = new Elements();
  private final byte[] planes = new byte[Encoding.MAX_BLOCK_BYTES];
  private final BlockCompressor compressor;

  /** A block, and room for the most that a plane becomes behind it. */
  private final byte[] block;

  ShuffleWork(BlockCompressor compressor) {
    this.compressor = compressor;
    block =
        new byte
            [Long.BYTES * Integer.BYTES
                + Encoding.MAX_BLOCK_BYTES
                + compressor.mostCompressed(Encoding.MAX_BLOCK_BYTES)];
  }

  void close() {
    compressor.close();
  }

  /** Makes a block if it gets smaller than what remains in the target; see {@code Codec}. */
  void encode(ElementType type, Object array, int index, int count, ByteBuffer target) {
    int width = type.bytes();
    byte[] from = elements.bytes;
    elements.take(type, array, index, count);
    if (width > 1) {
      Shuffle.split(elements.bytes, planes, count, width);
      from = planes;
    }
    int at = width * Integer.BYTES;
    for (int k = 0; k < width; k++) {
      int bytes = compressor.compress(from, k * count, count, block, at);
      if (bytes >= count) {
        System.arraycopy(from, k * count, block, at, count);
        WORDS.set(block, k * Integer.BYTES, count | RAW);
        bytes = count;
      } else {
        WORDS.set(block, k * Integer.BYTES, bytes);
      }
      at += bytes;
      if (at > target.remaining()) {
        return;
      }
    }
    target.put(block, 0, at);
  }

  /** Reads a block that somebody sent. */
  void decode(ElementType type, ByteBuffer source, Object array, int index, int count)
      throws ProtocolException {
    int width = type.bytes();
    int length = source.remaining();
    if (length <= width * Integer.BYTES || (long) count * width > Encoding.MAX_BLOCK_BYTES) {
      throw refusal("a block is too short for its table of planes", length, count);
    }
    if (length > Encoding.MAX_BLOCK_BYTES) {
      throw refusal("a block is longer than a block may be", length, count);
    }
    source.get(block, 0, length);
    byte[] to = width > 1 ? planes : elements.bytes;
    int at = width * Integer.BYTES;
    for (int k = 0; k < width; k++) {
      int word = (int) WORDS.get(block, k * Integer.BYTES);
      int bytes = word & ~RAW;
      boolean raw = word < 0;
      if (bytes > length - at || (raw ? bytes != count : bytes == 0 || bytes >= count)) {
        throw refusal("a plane of a block has another length than it may have", bytes, count);
      }
      if (raw) {
        System.arraycopy(block, at, to, k * count, count);
      } else if (compressor.decompress(block, at, bytes, to, k * count, count) != count) {
        throw refusal(
            "a plane of a block is malformed, or holds another number of bytes than its elements",
            bytes,
            count);
      }
      at += bytes;
    }
    if (at != length) {
      throw refusal("a block goes on behind its planes", length - at, count);
    }
    if (width > 1) {
      Shuffle.join(planes, elements.bytes, count, width);
    }
    elements.give(type, array, index, count);
  }

  private static ProtocolException refusal(String text, int bytes, int count) {
    return new ProtocolException(
        ErrorCode.MALFORMED_PAYLOAD, text, "bytes", bytes, "elements", count);
  }
}
