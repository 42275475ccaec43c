package io.arraywire.compression;

import static io.arraywire.compression.Layout.WORDS;

import io.arraywire.Encoding;
import io.arraywire.ErrorCode;
import io.arraywire.ProtocolException;
import java.nio.ByteBuffer;

/**
 * Reads one block that somebody sent, in any {@linkplain Layout layout}. Every length and index is
 * checked; nothing is written but memory of a fixed size. One thread at a time.
 */
final class BlockReader {
  private final BlockCompressor compressor;
  private final byte[] elements;
  private final byte[] planes;
  private final byte[] block = new byte[Encoding.MAX_BLOCK_BYTES];
  private final byte[] planesOfValues = new byte[Layout.MOST_VALUES * Long.BYTES];
  private final byte[] values = new byte[Layout.MOST_VALUES * Long.BYTES];

  /** Bytes of the block that is read. */
  private int length;

  /** How many elements it must hold. */
  private int count;

  /**
   * Reads nothing yet.
   *
   * @param elements where elements come, little-endian
   * @param planes memory of the same size, for the moment
   */
  BlockReader(BlockCompressor compressor, byte[] elements, byte[] planes) {
    this.compressor = compressor;
    this.elements = elements;
    this.planes = planes;
  }

  /** Reads the rest of the source, which must be so many elements of so many bytes. */
  void read(int width, ByteBuffer source, int elementCount) throws ProtocolException {
    length = source.remaining();
    count = elementCount;
    if (length <= Integer.BYTES || (long) count * width > Encoding.MAX_BLOCK_BYTES) {
      throw refusal("a block is too short for its table of planes", length);
    }
    if (length > Encoding.MAX_BLOCK_BYTES) {
      throw refusal("a block is longer than a block may be", length);
    }
    source.get(block, 0, length);
    int first = word(0);
    if (width == 1) {
      end(sequences(1, 0, Integer.BYTES, elements, count));
    } else if ((first & Layout.OTHER) == 0 || first < 0) {
      needs(width * Integer.BYTES);
      end(sequences(width, 0, width * Integer.BYTES, planes, count));
      Shuffle.join(planes, elements, count, width);
    } else if (first == Layout.OTHER) {
      readWhole(width);
    } else {
      readValues(first & ~Layout.OTHER, width);
    }
  }

  private void readWhole(int width) throws ProtocolException {
    int bytes = count * width;
    int compressed = length - Integer.BYTES;
    if (compressor.decompress(block, Integer.BYTES, compressed, elements, 0, bytes) != bytes) {
      throw refusal(
          "the elements of a block are malformed, or are more or fewer than its head says",
          compressed);
    }
  }

  private void readValues(int many, int width) throws ProtocolException {
    if (many > Layout.MOST_VALUES) {
      throw refusal("a block has more values than it may have", many);
    }
    needs(Layout.wordsOfValues(width, many));
    int at = sequences(width, 1, Layout.wordsOfValues(width, many), planesOfValues, many);
    end(sequences(Layout.indexBytes(many), 1 + width, at, planes, count));
    Shuffle.join(planesOfValues, values, many, width);
    if (!Values.join(values, many, planes, elements, count, width)) {
      throw refusal(
          "an element of a block has an index beyond the list of the block's values; the sender's encoder is faulty",
          many);
    }
  }

  /** Reads sequences of so many bytes each. Returns where they end. */
  private int sequences(int sequences, int firstWord, int begin, byte[] to, int bytesEach)
      throws ProtocolException {
    int at = begin;
    for (int k = 0; k < sequences; k++) {
      int word = word(firstWord + k);
      int bytes = word & ~Layout.RAW;
      boolean raw = word < 0;
      if (bytes > length - at || (raw ? bytes != bytesEach : bytes == 0 || bytes >= bytesEach)) {
        throw refusal(
            "a block is malformed: one of its byte planes has another length than it may have",
            bytes);
      }
      if (raw) {
        System.arraycopy(block, at, to, k * bytesEach, bytesEach);
      } else if (compressor.decompress(block, at, bytes, to, k * bytesEach, bytesEach)
          != bytesEach) {
        throw refusal(
            "a plane of a block is malformed, or not as long as its elements make it", bytes);
      }
      at += bytes;
    }
    return at;
  }

  private int word(int k) {
    return (int) WORDS.get(block, k * Integer.BYTES);
  }

  private void needs(int words) throws ProtocolException {
    if (length <= words) {
      throw refusal("a block is too short for its table of planes", length);
    }
  }

  private void end(int at) throws ProtocolException {
    if (at != length) {
      throw refusal("a block has bytes behind its last plane", length - at);
    }
  }

  private ProtocolException refusal(String text, int bytes) {
    return new ProtocolException(
        ErrorCode.MALFORMED_PAYLOAD, text, "bytes", bytes, "elements", count);
  }
}
