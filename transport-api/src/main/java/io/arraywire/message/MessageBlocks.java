package io.arraywire.message;

import io.arraywire.ArraySlice;
import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.ErrorCode;
import io.arraywire.ProtocolException;
import io.arraywire.codec.StandardCodecs;
import io.arraywire.spi.Codec;
import io.arraywire.spi.MessageText;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/**
 * The payload of a message whose encoding is in blocks, one behind the other, each with a head. All
 * numbers are little-endian and unsigned; {@code docs/protocol.md#blocks}.
 *
 * <pre>
 *      0         1         2         3         4         5         6         7
 *  0 | bytes that follow; bit 31: raw        | elements                              |
 *  8 | the elements, encoded, or as they are where bit 31 of the first word is set
 * </pre>
 *
 * <p>Functions; any thread.
 */
final class MessageBlocks {
  static final int HEAD_BYTES = 8;
  private static final int ELEMENTS_AT = 4;
  private static final int RAW = 1 << 31;

  private MessageBlocks() {}

  /** How many elements a block has, the last one aside. */
  private static int mostElements(ElementType type) {
    return Encoding.MAX_BLOCK_BYTES / type.bytes();
  }

  /** The most bytes that a writer makes of elements: all blocks raw. */
  static long mostBytes(ElementType type, long count) {
    int most = mostElements(type);
    return count * type.bytes() + (count + most - 1) / most * HEAD_BYTES;
  }

  /** Writes all elements of a part; there is room for {@link #mostBytes}. */
  static void write(Part part, Codec codec, ByteBuffer target) {
    ElementType type = part.type();
    List<ArraySlice> slices = part.slices();
    int slice = 0;
    int at = 0; // in the slice
    Object gathered = null;
    for (int left = part.count(); left > 0; ) {
      int some = Math.min(left, mostElements(type));
      ArraySlice from = slices.get(slice);
      if (from.length() - at >= some) {
        putBlock(codec, type, from.array(), from.offset() + at, some, target);
        at += some;
      } else {
        gathered = gathered == null ? type.newArray(some) : gathered;
        for (int filled = 0; filled < some; ) {
          from = slices.get(slice);
          int more = Math.min(some - filled, from.length() - at);
          System.arraycopy(from.array(), from.offset() + at, gathered, filled, more);
          filled += more;
          at += more;
          if (at == from.length() && filled < some) {
            slice++;
            at = 0;
          }
        }
        putBlock(codec, type, gathered, 0, some, target);
      }
      left -= some;
    }
  }

  private static void putBlock(
      Codec codec, ElementType type, Object array, int index, int count, ByteBuffer target) {
    int headAt = target.position();
    int from = headAt + HEAD_BYTES;
    int plain = count * type.bytes();
    target.position(from);
    int bytes = encodeSmaller(codec, type, array, index, count, target);
    target.position(from + bytes);
    if (bytes == 0) {
      raw(codec).encode(type, array, index, count, target);
      bytes = plain | RAW;
    }
    target.order(ByteOrder.LITTLE_ENDIAN).putInt(headAt, bytes).putInt(headAt + ELEMENTS_AT, count);
  }

  /**
   * Has a codec encode a block in less bytes than its elements take. Returns how many, or 0 if it
   * cannot or fails: a block may always be raw.
   *
   * @param target keeps its limit, also after an exception; its position is of no meaning
   *     afterwards
   * @throws IllegalStateException if the codec does not leave position and limit where they may be
   */
  private static int encodeSmaller(
      Codec codec, ElementType type, Object array, int index, int count, ByteBuffer target) {
    int from = target.position();
    int limit = target.limit();
    int most = from + count * type.bytes() - 1;
    if (most == from) {
      return 0;
    }
    int to;
    int limitAfter;
    target.limit(most);
    try {
      codec.encode(type, array, index, count, target);
      to = target.position();
      limitAfter = target.limit();
    } catch (RuntimeException | OutOfMemoryError e) {
      return 0;
    } finally {
      target.limit(limit);
    }
    if (to < from || limitAfter != most) {
      throw new IllegalStateException(
          MessageText.brief(
              "a codec moved the position back or changed the limit of a buffer",
              "codec",
              codec.name(),
              "from",
              from,
              "position",
              to,
              "limit",
              limitAfter,
              "limitBefore",
              most));
    }
    return to - from;
  }

  private static Codec raw(Codec codec) {
    return StandardCodecs.raw(codec.encoding().order());
  }

  /**
   * Checks the heads of all blocks, before memory is taken for the elements that they announce.
   *
   * @param bytes little-endian
   */
  static void check(ByteBuffer bytes, int from, int to, ElementType type, long count)
      throws ProtocolException {
    long left = count;
    int at = from;
    while (at < to) {
      if (to - at <= HEAD_BYTES) {
        throw new ProtocolException(
            ErrorCode.BAD_LENGTH,
            "a message ends inside the head of a block",
            "bytes",
            to - at,
            "least",
            HEAD_BYTES + 1);
      }
      int word = bytes.getInt(at);
      long elements = bytes.getInt(at + ELEMENTS_AT) & 0xffffffffL;
      at += HEAD_BYTES;
      checkHead(word, elements, Math.min(left, mostElements(type)), type, to - at);
      at += word & ~RAW;
      left -= elements;
    }
    if (left != 0) {
      throw new ProtocolException(
          ErrorCode.COUNT_MISMATCH,
          "the blocks of a message hold fewer elements than its header says",
          "count",
          count,
          "missing",
          left);
    }
  }

  private static void checkHead(int word, long elements, long most, ElementType type, int room)
      throws ProtocolException {
    if (elements == 0 || elements > most) {
      throw new ProtocolException(
          ErrorCode.BAD_LENGTH,
          "a block has a number of elements that is not allowed",
          "elements",
          elements,
          "most",
          most);
    }
    int bytes = word & ~RAW;
    if (bytes == 0 || bytes > room) {
      throw new ProtocolException(
          ErrorCode.BAD_LENGTH,
          "a block is empty, or longer than what is left of its message",
          "bytes",
          bytes,
          "left",
          room);
    }
    long plain = elements * type.bytes();
    if (word < 0 ? bytes != plain : bytes >= plain) {
      throw new ProtocolException(
          ErrorCode.COUNT_MISMATCH,
          word < 0
              ? "a raw block has another length than its elements"
              : "an encoded block is as long as its elements, and has to be raw",
          "bytes",
          bytes,
          "elements",
          elements,
          "elementBytes",
          type.bytes());
    }
  }

  /**
   * Decodes blocks whose heads were checked.
   *
   * @param bytes little-endian; position, limit and order are of no meaning afterwards
   */
  static void read(
      ByteBuffer bytes, int from, int to, ElementType type, Codec codec, Object array, int offset)
      throws ProtocolException {
    int index = offset;
    int at = from;
    bytes.limit(to);
    while (at < to) {
      bytes.order(ByteOrder.LITTLE_ENDIAN);
      int word = bytes.getInt(at);
      int elements = bytes.getInt(at + ELEMENTS_AT);
      at += HEAD_BYTES;
      int next = at + (word & ~RAW);
      bytes.limit(next).position(at);
      decodeBlock(word < 0 ? raw(codec) : codec, type, bytes, array, index, elements);
      index += elements;
      at = next;
      bytes.limit(to);
    }
  }

  /** Has a codec decode a block, all that remains of the bytes, and does not trust it. */
  private static void decodeBlock(
      Codec codec, ElementType type, ByteBuffer bytes, Object array, int index, int elements)
      throws ProtocolException {
    int end = bytes.limit();
    try {
      codec.decode(type, bytes, array, index, elements);
    } catch (RuntimeException e) {
      ProtocolException failure =
          malformed("the codec of a block failed to decode it", codec, elements, bytes, end);
      failure.because(e);
      throw failure;
    }
    if (bytes.limit() != end) {
      throw malformed(
          "the codec of a block changed the limit of its buffer", codec, elements, bytes, end);
    }
    if (bytes.hasRemaining()) {
      throw malformed("a block goes on behind its elements", codec, elements, bytes, end);
    }
  }

  private static ProtocolException malformed(
      String text, Codec codec, int elements, ByteBuffer bytes, int end) {
    return new ProtocolException(
        ErrorCode.MALFORMED_PAYLOAD,
        text,
        "encoding",
        codec.encoding().name(),
        "elements",
        elements,
        "bytesLeft",
        end - bytes.position());
  }
}
