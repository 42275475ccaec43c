package io.arraywire.spi;

import io.arraywire.ElementType;
import io.arraywire.ErrorCode;
import io.arraywire.ProtocolException;
import java.nio.ByteBuffer;

/**
 * Calls a codec for a block and checks what it did. Neither the codec nor the bytes are trusted.
 *
 * <p>Functions without state; any thread.
 */
public final class CheckedBlocks {
  /** Receives a codec's failure to encode a block. */
  @FunctionalInterface
  public interface Failure {
    /**
     * A codec threw while it encoded a block, which travels raw.
     *
     * @param codec its name
     * @param type of the elements
     * @param elements how many the block has
     * @param thrown what it threw
     */
    void failed(String codec, ElementType type, int elements, Throwable thrown);
  }

  private CheckedBlocks() {}

  /**
   * Has a codec encode a block in fewer bytes than its elements take. A block may always be raw: if
   * the codec does not make it smaller, or throws, nothing is written. The limit of the target is
   * the same afterwards.
   *
   * @param codec encodes it
   * @param type of the elements
   * @param array has the elements
   * @param index of the first element in the array
   * @param elements how many
   * @param target has room for the elements where they are raw
   * @param failure is told what the codec throws
   * @return whether it is smaller, and is written
   * @throws IllegalStateException if the codec does not leave position and limit where they may be
   */
  public static boolean encode(
      Codec codec,
      ElementType type,
      Object array,
      int index,
      int elements,
      ByteBuffer target,
      Failure failure) {
    int from = target.position();
    int limit = target.limit();
    int most = from + elements * type.bytes() - 1;
    if (most == from) {
      return false;
    }
    target.limit(most);
    boolean returned = false;
    try {
      codec.encode(type, array, index, elements, target);
      returned = true;
    } catch (RuntimeException | OutOfMemoryError e) {
      failure.failed(codec.name(), type, elements, e);
      return false;
    } finally {
      if (!returned) {
        target.limit(limit).position(from);
      }
    }
    int to = target.position();
    int limitAfter = target.limit();
    target.limit(limit);
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
    return to > from;
  }

  /**
   * Has a codec decode a block.
   *
   * @param codec decodes it
   * @param type of the elements
   * @param bytes those of the block: all that remain
   * @param array takes the elements
   * @param index of the first element in the array
   * @param elements how many
   * @throws ProtocolException with {@link ErrorCode#MALFORMED_PAYLOAD} if they are not a block of
   *     that many elements and nothing else, or if the codec throws
   */
  public static void decode(
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
