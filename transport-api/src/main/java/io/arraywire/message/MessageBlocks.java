package io.arraywire.message;

import io.arraywire.ArraySlice;
import io.arraywire.ElementType;
import io.arraywire.ErrorCode;
import io.arraywire.ProtocolException;
import io.arraywire.codec.StandardCodecs;
import io.arraywire.frame.BlockHead;
import io.arraywire.spi.CheckedBlocks;
import io.arraywire.spi.Codec;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * The elements of a part in blocks, one behind the other, each with a {@linkplain BlockHead head};
 * {@code docs/protocol.md#blocks}. In a message with a table of parts they are aligned: zeros
 * behind each block end at a multiple of 8.
 *
 * <p>Functions; any thread.
 */
final class MessageBlocks {
  private MessageBlocks() {}

  /** How many elements a block has, the last one aside. */
  private static int mostElements(ElementType type) {
    return BlockHead.mostElements(type.bytes());
  }

  /** The most bytes that a writer makes of elements: all blocks raw. */
  static long mostBytes(ElementType type, long count) {
    int most = mostElements(type);
    return count * type.bytes() + (count + most - 1) / most * BlockHead.BYTES;
  }

  /**
   * Writes all elements of a part; there is room for {@link #mostBytes}.
   *
   * @param aligned whether the part is one of a table; it then begins at a multiple of 8
   */
  static void write(Part part, Codec codec, ByteBuffer target, boolean aligned) {
    int begin = target.position();
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
      while (aligned && (target.position() - begin) % Long.BYTES != 0) {
        target.put((byte) 0);
      }
    }
  }

  private static void putBlock(
      Codec codec, ElementType type, Object array, int index, int count, ByteBuffer target) {
    int headAt = target.position();
    int from = headAt + BlockHead.BYTES;
    target.position(from);
    boolean smaller =
        CheckedBlocks.encode(codec, type, array, index, count, target, MessageBlocks::goesRaw);
    if (!smaller) {
      raw(codec).encode(type, array, index, count, target);
    }
    BlockHead.put(target, headAt, target.position() - from, count, !smaller);
  }

  /** A message is a value: what its codec throws costs it bytes and nothing else. */
  private static void goesRaw(String codec, ElementType type, int elements, Throwable thrown) {}

  private static Codec raw(Codec codec) {
    return StandardCodecs.raw(codec.encoding().order());
  }

  /**
   * Checks the heads of all blocks, before memory is taken for the elements that they announce.
   *
   * @param bytes little-endian
   * @param aligned whether the part is one of a table
   * @return where they end, with the zeros behind them
   */
  static int check(
      ByteBuffer bytes, int from, int to, ElementType type, long count, boolean aligned)
      throws ProtocolException {
    long left = count;
    int at = from;
    while (left > 0 && at < to) {
      BlockHead.checkRoom(to - at);
      int word = BlockHead.word(bytes, at);
      long elements = BlockHead.elements(bytes, at);
      at += BlockHead.BYTES;
      long most = Math.min(left, mostElements(type));
      BlockHead.check(word, elements, most, type.bytes(), to - at);
      at += BlockHead.bytes(word);
      left -= elements;
      if (aligned) {
        at = checkZeros(bytes, at, from + MessageLayout.padded(at - from), to);
      }
    }
    if (left != 0) {
      throw new ProtocolException(
          ErrorCode.COUNT_MISMATCH,
          "the blocks of a part hold fewer elements than the message says",
          "count",
          count,
          "missing",
          left);
    }
    return at;
  }

  private static int checkZeros(ByteBuffer bytes, int from, int end, int to)
      throws ProtocolException {
    if (end > to) {
      throw new ProtocolException(
          ErrorCode.BAD_LENGTH,
          "a message ends inside the zeros behind a block",
          "missing",
          end - to);
    }
    AttributeChecks.checkZeros(bytes, from, end, "behind a block");
    return end;
  }

  /**
   * Decodes blocks whose heads were checked.
   *
   * @param bytes little-endian; position, limit and order are of no meaning afterwards
   */
  static void read(
      ByteBuffer bytes,
      int from,
      int to,
      ElementType type,
      Codec codec,
      Object array,
      int offset,
      boolean aligned)
      throws ProtocolException {
    int index = offset;
    int at = from;
    bytes.limit(to);
    while (at < to) {
      int word = BlockHead.word(bytes, at);
      int elements = (int) BlockHead.elements(bytes, at);
      at += BlockHead.BYTES;
      int next = at + BlockHead.bytes(word);
      bytes.limit(next).position(at);
      Codec decoder = BlockHead.isRaw(word) ? raw(codec) : codec;
      CheckedBlocks.decode(decoder, type, bytes, array, index, elements);
      index += elements;
      at = aligned ? from + MessageLayout.padded(next - from) : next;
      bytes.limit(to);
    }
  }
}
