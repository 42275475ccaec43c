package io.arraywire.message;

import io.arraywire.ElementType;
import io.arraywire.ErrorCode;
import io.arraywire.ProtocolException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Checks what the attributes of a message say, in place. Functions; any thread. */
final class AttributeChecks {
  private AttributeChecks() {}

  /** The element type of a code, if it is known. */
  static ElementType checkType(int element) throws ProtocolException {
    ElementType type = ElementType.fromCode(element);
    if (type == null) {
      throw new ProtocolException(
          ErrorCode.UNKNOWN_CODE, "an unknown element type", "elementType", element);
    }
    return type;
  }

  static void checkNotNegative(long count) throws ProtocolException {
    if (count < 0) {
      throw new ProtocolException(
          ErrorCode.BAD_LENGTH,
          "an impossible element count",
          "count",
          Long.toUnsignedString(count));
    }
  }

  static void checkCount(long count) throws ProtocolException {
    checkNotNegative(count);
    if (count > MessageLayout.MOST_ELEMENTS) {
      throw new ProtocolException(
          ErrorCode.FRAME_TOO_LARGE,
          "more elements than a Java array can hold",
          "declared",
          count,
          "limit",
          MessageLayout.MOST_ELEMENTS);
    }
  }

  /** Checks the head of a section of a known kind. */
  static void checkSection(int kind, int before, int entries, long length, int left)
      throws ProtocolException {
    if (kind <= before) {
      throw new ProtocolException(
          ErrorCode.MALFORMED_PAYLOAD,
          "sections of attributes are out of order or come twice",
          "kind",
          kind,
          "before",
          before);
    }
    if (length < MessageLayout.SECTION_HEAD_BYTES + 1
        || length % Long.BYTES != 0
        || length > left) {
      throw new ProtocolException(
          ErrorCode.BAD_LENGTH,
          "a section of attributes has an impossible length",
          "kind",
          kind,
          "bytes",
          length,
          "left",
          left);
    }
    if (entries == 0) {
      throw new ProtocolException(
          ErrorCode.MALFORMED_PAYLOAD, "a section of attributes is empty", "kind", kind);
    }
  }

  static void checkDimensions(int dimensions) throws ProtocolException {
    checkMost("dimensions", dimensions, Message.MAX_DIMENSIONS);
  }

  static void checkMost(String what, int declared, int limit) throws ProtocolException {
    if (declared > limit) {
      throw new ProtocolException(
          ErrorCode.FRAME_TOO_LARGE,
          "a message has too many " + what,
          "declared",
          declared,
          "limit",
          limit);
    }
  }

  /** Checks dimensions in place, as {@link MessageLayout#holds} does, and that none is negative. */
  static void checkShape(ByteBuffer bytes, int at, int dimensions, long count)
      throws ProtocolException {
    long product = 1;
    for (int i = 0; i < dimensions; i++) {
      long dimension = bytes.getLong(at + Long.BYTES * i);
      if (dimension < 0) {
        throw new ProtocolException(
            ErrorCode.MALFORMED_PAYLOAD,
            "an impossible dimension",
            "dimension",
            Long.toUnsignedString(dimension));
      }
      product = MessageLayout.times(product, dimension);
    }
    if (dimensions > 0 && count >= 0 && product != count) {
      throw new ProtocolException(
          ErrorCode.COUNT_MISMATCH,
          "a shape does not hold the elements",
          "shape",
          Arrays.toString(MessageLayout.shape(bytes, at, dimensions)),
          "count",
          count);
    }
  }

  static void checkRest(ByteBuffer bytes, int kind, int used, int end) throws ProtocolException {
    if (end - used >= Long.BYTES) {
      throw new ProtocolException(
          ErrorCode.BAD_LENGTH,
          "a section of attributes is longer than its entries",
          "kind",
          kind,
          "unused",
          end - used);
    }
    checkZeros(bytes, used, end, "at the end of a section of attributes");
  }

  static void checkZeros(ByteBuffer bytes, int from, int to, String where)
      throws ProtocolException {
    for (int i = from; i < to; i++) {
      if (bytes.get(i) != 0) {
        throw new ProtocolException(
            ErrorCode.MALFORMED_PAYLOAD,
            "a message has bytes other than 0 " + where,
            "value",
            bytes.get(i) & 0xff);
      }
    }
  }

  static ProtocolException tooShort(int kind, int room) {
    return new ProtocolException(
        ErrorCode.BAD_LENGTH,
        "a section of attributes is shorter than its entries",
        "kind",
        kind,
        "bytes",
        room);
  }
}
