package io.arraywire.frame;

import io.arraywire.Encoding;
import io.arraywire.ErrorCode;
import io.arraywire.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The head of a block of elements, in the payload of an array whose encoding {@linkplain
 * Encoding#isInBlocks is in blocks}. All numbers are little-endian and unsigned.
 *
 * <pre>
 *      0         1         2         3         4         5         6         7
 *  0 | bytes that follow; bit 31: raw        | elements                              |
 *  8 | the elements, encoded, or as they are where bit 31 of the first word is set
 * </pre>
 *
 * <p>See {@code docs/protocol.md}, section Blocks. Pure functions; any thread.
 */
public final class BlockHead {
  /** Bytes of a head. */
  public static final int BYTES = 8;

  /**
   * The most bytes that a block of a part takes beside its elements: the head, and the zeros behind
   * it.
   */
  public static final int MOST_BYTES_AROUND_PART = BYTES + Long.BYTES;

  private static final int ELEMENTS_AT = 4;
  private static final int RAW = 1 << 31;

  private BlockHead() {}

  /**
   * The most elements of one block.
   *
   * @param width bytes of an element that is not encoded
   * @return how many a block may have
   */
  public static int mostElements(int width) {
    return Encoding.MAX_BLOCK_BYTES / width;
  }

  /**
   * The most bytes that elements take in blocks, heads included: each is in a block of its own.
   *
   * @param elements how many
   * @param width bytes of an element that is not encoded
   * @return how many bytes
   */
  public static long mostBytes(long elements, int width) {
    return elements * (BYTES + width);
  }

  /**
   * Writes a head. The position of the target stays; its order is little-endian afterwards.
   *
   * @param target where the head goes
   * @param at index of the head in the target
   * @param bytes how many follow the head
   * @param elements how many these bytes stand for
   * @param raw whether they are the elements as they are
   */
  public static void put(ByteBuffer target, int at, int bytes, int elements, boolean raw) {
    target
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(at, raw ? bytes | RAW : bytes)
        .putInt(at + ELEMENTS_AT, elements);
  }

  /**
   * Reads the first word of a head. The order of the source is little-endian afterwards.
   *
   * @param source what the head is in
   * @param at index of the head in the source
   * @return the word, for {@link #bytes} and {@link #isRaw}
   */
  public static int word(ByteBuffer source, int at) {
    return source.order(ByteOrder.LITTLE_ENDIAN).getInt(at);
  }

  /**
   * Reads the number of elements. The order of the source is little-endian afterwards.
   *
   * @param source what the head is in
   * @param at index of the head in the source
   * @return how many elements the block has, as it says itself
   */
  public static long elements(ByteBuffer source, int at) {
    return source.order(ByteOrder.LITTLE_ENDIAN).getInt(at + ELEMENTS_AT) & 0xffffffffL;
  }

  /**
   * How many bytes follow a head.
   *
   * @param word its first word
   * @return how many, as it says itself
   */
  public static int bytes(int word) {
    return word & ~RAW;
  }

  /**
   * Whether the elements follow as they are.
   *
   * @param word first word of the head
   * @return whether they are raw
   */
  public static boolean isRaw(int word) {
    return (word & RAW) != 0;
  }

  /**
   * Checks that a head and a byte have room in what is left of a payload.
   *
   * @param left bytes of the payload
   * @throws ProtocolException with {@link ErrorCode#BAD_LENGTH} if not
   */
  public static void checkRoom(long left) throws ProtocolException {
    if (left <= BYTES) {
      throw new ProtocolException(
          ErrorCode.BAD_LENGTH,
          "a frame ends inside the head of a block",
          "bytes",
          left,
          "least",
          BYTES + 1);
    }
  }

  /**
   * Checks what a head says, before memory is taken for the elements that it announces.
   *
   * @param word the first word
   * @param elements what it says of elements
   * @param most the most elements that may follow: what is left of the array, and of a block
   * @param width bytes of an element that is not encoded
   * @param room bytes of the payload behind the head
   * @throws ProtocolException with {@link ErrorCode#BAD_LENGTH} or {@link ErrorCode#COUNT_MISMATCH}
   */
  public static void check(int word, long elements, long most, int width, long room)
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
    int bytes = bytes(word);
    if (bytes == 0 || bytes > room) {
      throw new ProtocolException(
          ErrorCode.BAD_LENGTH,
          "a block is empty, or longer than what is left of its frame",
          "bytes",
          bytes,
          "left",
          room);
    }
    long plain = elements * width;
    if (isRaw(word) ? bytes != plain : bytes >= plain) {
      throw new ProtocolException(
          ErrorCode.COUNT_MISMATCH,
          isRaw(word)
              ? "a raw block has another length than its elements"
              : "the peer encoded a block that did not become smaller, and has to send it raw",
          "bytes",
          bytes,
          "elements",
          elements,
          "elementBytes",
          width);
    }
  }
}
