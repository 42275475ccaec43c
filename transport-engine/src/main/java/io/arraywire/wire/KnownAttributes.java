package io.arraywire.wire;

import io.arraywire.ArrayAttributes;
import io.arraywire.frame.FrameHeader;
import io.arraywire.message.FrameAttributes;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * What was read of the attributes of a message with a table of parts, for further messages of the
 * same bytes. A stream of messages mostly repeats its table, and to read one makes some objects.
 *
 * <p>What is read follows from the bytes, and from count and size in the header. These are
 * compared. The encodings in blocks that a side decodes matter, too, and do not change. Bytes that
 * were refused are never known.
 *
 * <p>Immutable. {@link #heapBytes} says what it holds at most.
 */
public final class KnownAttributes {
  /** The objects of a message of few parts, with 16 short strings. */
  private static final int LEAST_HEAP_BYTES = 3 << 10;

  /** A part takes 24 bytes at least, and up to 72 in the arrays of a table that was read. */
  private static final int HEAP_PER_BYTE = 4;

  /** Shape, strings and table; nobody moves position or limit. */
  private final ByteBuffer bytes;

  private final long count;
  private final long arrayBytes;

  /** Says nothing else. */
  private final ArrayEnvelope envelope;

  private KnownAttributes(ByteBuffer bytes, FrameHeader header, ArrayEnvelope envelope) {
    this.bytes = bytes;
    count = header.count;
    arrayBytes = header.arrayBytes;
    this.envelope = envelope;
  }

  /**
   * What was just read.
   *
   * @param header of the frame
   * @param body was read with it, and belongs to this from now on
   * @param read what {@link AttributesBody#readEnvelope} has made of it
   * @return the same, to be compared with others
   */
  public static KnownAttributes of(FrameHeader header, byte[] body, ArrayEnvelope read) {
    ByteBuffer bytes = ByteBuffer.wrap(body).order(ByteOrder.LITTLE_ENDIAN);
    int end = 0;
    // What a connection adds differs from message to message, and stands behind the rest.
    while (end < body.length && bytes.getShort(end) < FrameAttributes.FIRST_OF_CONNECTION) {
      end += bytes.getInt(end + Integer.BYTES);
    }
    return new KnownAttributes(bytes.limit(end), header, ArrayEnvelope.of(read.attributes()));
  }

  /**
   * The heap that is held for a body of so many bytes, at most.
   *
   * @param bodyBytes the bytes
   * @return bytes
   */
  public static int heapBytes(int bodyBytes) {
    return LEAST_HEAP_BYTES + HEAP_PER_BYTE * bodyBytes;
  }

  /**
   * What another body says, if it begins with the same bytes and has one number behind them, or
   * nothing. Makes nothing if it says the same, tag included.
   *
   * @param header of its frame
   * @param body little-endian, from position 0 to the limit, which stay
   * @return the envelope; null if the body has to be read
   */
  public @Nullable ArrayEnvelope envelope(FrameHeader header, ByteBuffer body) {
    int end = bytes.limit();
    int more = body.limit() - end;
    if (header.count != count
        || header.arrayBytes != arrayBytes
        || (more != 0 && more != AttributesBody.NUMBER_BYTES)) {
      return null;
    }
    int differs = bytes.mismatch(body);
    if (differs >= 0 && differs < end) {
      return null;
    }
    ArrayAttributes known = envelope.attributes();
    boolean same = known.tag() == header.tag;
    if (same && more == 0) {
      return envelope;
    }
    ArrayAttributes attributes =
        same
            ? known
            : ArrayAttributes.of(header.tag, known.shape(), known.metadata(), known.parts());
    return more == 0
        ? ArrayEnvelope.of(attributes)
        : AttributesBody.numberBehind(attributes, body, end);
  }
}
