package io.arraywire.examples.file;

import io.arraywire.ArrayAttributes;
import io.arraywire.ArraywireException;
import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.ErrorCode;
import io.arraywire.ProtocolException;
import io.arraywire.frame.FrameHeader;
import io.arraywire.frame.FrameLayout;
import java.nio.ByteOrder;

/**
 * What the frames of an array say of it, checked in the order of {@code docs/protocol.md}, section
 * Order of checks.
 */
final class ArrivingArray {
  private final int encoding;
  final ElementType type;
  final long sequence;
  final long count;
  final long bytes;
  final boolean checked;

  /** How many bytes have come. */
  long received;

  /**
   * Checks an ARRAY frame.
   *
   * @param header the frame
   * @param expectedSequence the number that it must have
   * @param maxArrayBytes the most that is accepted
   * @param checked whether checksums were negotiated
   */
  ArrivingArray(FrameHeader header, long expectedSequence, long maxArrayBytes, boolean checked)
      throws ArraywireException {
    ElementType known = ElementType.fromCode(header.elementType);
    if (known == null
        || (header.encoding != Encoding.RAW_LITTLE_ENDIAN.code()
            && header.encoding != Encoding.RAW_BIG_ENDIAN.code())) {
      throw new ProtocolException(
          ErrorCode.UNKNOWN_CODE,
          "an encoding or element type that was not offered",
          "encoding",
          header.encoding,
          "elementType",
          header.elementType);
    }
    encoding = header.encoding;
    type = known;
    sequence = header.sequence;
    count = header.count;
    bytes = header.arrayBytes;
    this.checked = checked;
    limit("attributes", header.attributeBytes, FrameLayout.MAX_ATTRIBUTE_BYTES);
    limit("array", bytes, maxArrayBytes);
    limit("payload", header.payloadBytes, FramedSocket.MAX_FRAME_BYTES);
    if (count < 0) {
      throw new ProtocolException(
          ErrorCode.BAD_LENGTH, "an impossible number of elements", "count", count);
    }
    if (count > bytes / type.bytes() || count * type.bytes() != bytes) {
      throw new ProtocolException(
          ErrorCode.COUNT_MISMATCH,
          "element count and array bytes do not agree",
          "count",
          count,
          "elementBytes",
          type.bytes(),
          "arrayBytes",
          bytes);
    }
    checkPayload(header, count > 0);
    checkSequence(header, expectedSequence, 0, 0);
  }

  private static void limit(String what, long declared, long limit) throws ArraywireException {
    if (declared < 0 || declared > limit) {
      throw new ProtocolException(
          ErrorCode.FRAME_TOO_LARGE,
          "the " + what + " is too large",
          "declared",
          declared,
          "limit",
          limit);
    }
  }

  private void checkPayload(FrameHeader header, boolean some) throws ArraywireException {
    if (header.payloadBytes > bytes - received || (some && header.payloadBytes == 0)) {
      throw new ProtocolException(
          ErrorCode.BAD_LENGTH,
          "an impossible payload",
          "payloadBytes",
          header.payloadBytes,
          "left",
          bytes - received);
    }
    if (header.payloadBytes % type.bytes() != 0) {
      throw new ProtocolException(
          ErrorCode.COUNT_MISMATCH,
          "a payload is not a whole number of elements",
          "payloadBytes",
          header.payloadBytes,
          "elementBytes",
          type.bytes());
    }
  }

  private void checkSequence(
      FrameHeader header, long expected, long firstElement, long expectedElement)
      throws ArraywireException {
    if (header.sequence != expected || firstElement != expectedElement) {
      throw new ProtocolException(
          ErrorCode.SEQUENCE_GAP,
          "an array or chunk came out of order",
          "sequence",
          header.sequence,
          "expected",
          expected,
          "firstElement",
          firstElement,
          "expectedElement",
          expectedElement);
    }
    if (header.has(FrameLayout.FLAG_PAYLOAD_CHECKSUM) != checked) {
      throw FramedSocket.unexpected(
          "a payload checksum that was not agreed, or none that was", "agreed", checked);
    }
  }

  /** Checks a CHUNK frame. */
  void checkChunk(FrameHeader header) throws ArraywireException {
    if (header.encoding != encoding
        || header.elementType != type.code()
        || header.count != count
        || header.attributeBytes != 0) {
      throw FramedSocket.unexpected("a chunk of another array", "sequence", header.sequence);
    }
    limit("payload", header.payloadBytes, FramedSocket.MAX_FRAME_BYTES);
    checkPayload(header, true);
    checkSequence(header, sequence, header.arrayBytes, received / type.bytes());
  }

  /** Checks what its sender says of it. */
  void check(ArrayAttributes attributes) throws ArraywireException {
    if (!attributes.shapeHolds(count)) {
      throw new ProtocolException(
          ErrorCode.COUNT_MISMATCH,
          "the shape does not hold the elements",
          "count",
          count,
          "attributes",
          attributes);
    }
  }

  boolean isWhole() {
    return received == bytes;
  }

  /** The byte order of its elements. */
  ByteOrder order() {
    return encoding == Encoding.RAW_BIG_ENDIAN.code()
        ? ByteOrder.BIG_ENDIAN
        : ByteOrder.LITTLE_ENDIAN;
  }
}
