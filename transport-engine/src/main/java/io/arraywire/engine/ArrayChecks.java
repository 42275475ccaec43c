package io.arraywire.engine;

import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.ErrorCode;
import io.arraywire.ProtocolException;
import io.arraywire.TransportOptions;
import io.arraywire.frame.BlockHead;
import io.arraywire.frame.FrameHeader;
import io.arraywire.frame.FrameLayout;
import io.arraywire.spi.Codec;
import java.nio.ByteBuffer;

/**
 * Checks the headers of arrays and chunks, in the order that {@code docs/protocol.md} prescribes.
 */
final class ArrayChecks {
  static final int MOST_ELEMENTS = ArrayDirect.MOST_ELEMENTS;

  private ArrayChecks() {}

  /** Checks the header of an array that begins on a channel; returns what decodes it. */
  static Codec checkArray(
      FrameHeader header, InboundChannel at, EngineContext context, long maxArrayBytes)
      throws ProtocolException {
    if (at.arriving != null) {
      throw new ProtocolException(
          ErrorCode.PROTOCOL_VIOLATION,
          "an array began inside another one of its channel",
          "sequence",
          Long.toUnsignedString(header.sequence),
          "arriving",
          at.array().sequence());
    }
    if (hasTable(header)) {
      return checkMessage(header, at, context, maxArrayBytes);
    }
    ElementType type = ElementType.fromCode(header.elementType);
    Codec decoder = context.decoder(header.encoding);
    if (decoder == null) {
      throw new ProtocolException(
          ErrorCode.UNKNOWN_CODE,
          "the peer used an encoding that was not agreed",
          "encoding",
          header.encoding,
          "agreed",
          context.offer().encodingNames());
    }
    Encoding encoding = decoder.encoding();
    if (type == null || !encoding.supports(type)) {
      throw new ProtocolException(
          ErrorCode.UNKNOWN_CODE,
          "the peer used an element type that was not agreed",
          "elementType",
          type == null ? header.elementType : type.typeName(),
          "encoding",
          encoding.name());
    }
    boolean toSinks = at.next.namesTargets() && encoding.hasPlainElements();
    checkSizes(header, encoding, type, context.options(), maxArrayBytes, toSinks);
    checkSequence(header, at);
    return decoder;
  }

  private static void checkSequence(FrameHeader header, InboundChannel at)
      throws ProtocolException {
    if (header.sequence != at.nextSequence) {
      throw new ProtocolException(
          ErrorCode.SEQUENCE_GAP,
          "an array out of order",
          "sequence",
          Long.toUnsignedString(header.sequence),
          "expected",
          at.nextSequence);
    }
  }

  /** Whether a frame begins a message whose table of parts says what its bytes are. */
  static boolean hasTable(FrameHeader header) {
    return header.encoding == 0 && header.elementType == 0 && header.attributeBytes > 0;
  }

  /** A message of parts, whose bytes are put together before anybody looks at them. */
  private static Codec checkMessage(
      FrameHeader header, InboundChannel at, EngineContext context, long maxArrayBytes)
      throws ProtocolException {
    Codec bytes = context.decoderOfBytes();
    if (bytes == null) {
      throw new ProtocolException(
          ErrorCode.UNKNOWN_CODE,
          "a message of parts, whose encodings were not agreed",
          "encoding",
          header.encoding,
          "agreed",
          context.offer().encodingNames());
    }
    checkLimits(header, context.options(), maxArrayBytes);
    if (header.count > header.arrayBytes || header.arrayBytes % Long.BYTES != 0) {
      throw countMismatch(header, 1);
    }
    if (header.arrayBytes > MOST_ELEMENTS) {
      throw new ProtocolException(
          ErrorCode.FRAME_TOO_LARGE,
          "a message of more bytes than a Java array can hold",
          "declared",
          header.arrayBytes,
          "limit",
          MOST_ELEMENTS);
    }
    // Parts that are in no blocks have no more than array bytes; the table says which they are.
    checkFirstOfParts(header, InboundParts.mostBytes(header.arrayBytes, header.count));
    checkSequence(header, at);
    return bytes;
  }

  /** The element type of an array whose header was checked. */
  static ElementType type(FrameHeader header) {
    if (hasTable(header)) {
      return ElementType.BYTE;
    }
    ElementType type = ElementType.fromCode(header.elementType);
    if (type == null) {
      throw new IllegalStateException("checked before");
    }
    return type;
  }

  /** How many elements are put together. */
  static long count(FrameHeader header) {
    return hasTable(header) ? header.arrayBytes : header.count;
  }

  private static void checkLimits(FrameHeader header, TransportOptions options, long maxArrayBytes)
      throws ProtocolException {
    if (header.attributeBytes > FrameLayout.MAX_ATTRIBUTE_BYTES) {
      throw new ProtocolException(
          ErrorCode.FRAME_TOO_LARGE,
          "too many attribute bytes",
          "declared",
          header.attributeBytes,
          "limit",
          FrameLayout.MAX_ATTRIBUTE_BYTES);
    }
    // Lengths on the wire are unsigned: what looks negative is larger than any limit.
    if (header.arrayBytes < 0 || header.arrayBytes > maxArrayBytes) {
      throw new ProtocolException(
          ErrorCode.FRAME_TOO_LARGE,
          maxArrayBytes < options.maxArrayBytes()
              ? "the array is larger than this side accepts (raise maxArrayBytes in the peer's"
                  + " Identity)"
              : "the array is larger than this side accepts (raise maxArrayBytes here)",
          "declared",
          Long.toUnsignedString(header.arrayBytes),
          "limit",
          maxArrayBytes);
    }
    checkFrameBytes(header, options);
    if (header.count < 0) {
      throw new ProtocolException(
          ErrorCode.BAD_LENGTH,
          "an impossible element count",
          "count",
          Long.toUnsignedString(header.count));
    }
  }

  /** Length within limits, then count times size against length, in long arithmetic. */
  private static void checkSizes(
      FrameHeader header,
      Encoding encoding,
      ElementType type,
      TransportOptions options,
      long maxArrayBytes,
      boolean toSinks)
      throws ProtocolException {
    checkLimits(header, options, maxArrayBytes);
    int width = encoding.elementBytes(type);
    boolean overflows = Math.multiplyHigh(header.count, width) != 0 || header.count * width < 0;
    if (overflows || header.count * width > header.arrayBytes) {
      throw countMismatch(header, width);
    }
    if (header.count > MOST_ELEMENTS) {
      if (!toSinks) {
        throw tooMany(header.count);
      }
      // Of plain elements nothing stands before them.
      if (header.count * width != header.arrayBytes) {
        throw countMismatch(header, width);
      }
      checkFirstChunk(header, width, header.arrayBytes);
      checkWholeElements(header.payloadBytes, width);
      return;
    }
    int count = (int) header.count;
    if (encoding.encodedBytes(type, count) != header.arrayBytes) {
      throw countMismatch(header, width);
    }
    if (encoding.isInBlocks()) {
      int least = count > 0 ? BlockHead.BYTES + 1 : 0;
      checkFirstChunk(header, least, BlockHead.mostBytes(count, width));
      return;
    }
    int prefix = encoding.prefixBytes(type, count);
    checkFirstChunk(header, prefix + (count > 0 ? width : 0), header.arrayBytes);
    checkWholeElements(header.payloadBytes - prefix, width);
  }

  /** An array whose elements no Java array can hold, and that is to go into one. */
  static ProtocolException tooMany(long count) {
    return new ProtocolException(
        ErrorCode.FRAME_TOO_LARGE,
        "more elements than a Java array can hold",
        "declared",
        count,
        "limit",
        MOST_ELEMENTS);
  }

  /** Checks that a first frame of parts is not empty if they are not, and not too long. */
  static void checkFirstOfParts(FrameHeader header, long most) throws ProtocolException {
    checkFirstChunk(header, header.arrayBytes > 0 ? 1 : 0, most);
  }

  private static void checkFirstChunk(FrameHeader header, int least, long most)
      throws ProtocolException {
    if (header.payloadBytes < least || header.payloadBytes > most) {
      throw new ProtocolException(
          ErrorCode.BAD_LENGTH,
          "the first chunk of an array is too short or too long",
          "payloadBytes",
          header.payloadBytes,
          "least",
          least,
          "most",
          most);
    }
  }

  private static void checkFrameBytes(FrameHeader header, TransportOptions options)
      throws ProtocolException {
    int maxFrameBytes = options.maxFrameBytes();
    if (header.payloadBytes > maxFrameBytes) {
      throw new ProtocolException(
          ErrorCode.FRAME_TOO_LARGE,
          "the frame is larger than this side accepts (raise maxFrameBytes here)",
          "declared",
          header.payloadBytes,
          "limit",
          maxFrameBytes);
    }
  }

  private static ProtocolException countMismatch(FrameHeader header, int width) {
    return new ProtocolException(
        ErrorCode.COUNT_MISMATCH,
        "element count, element size and byte length do not agree",
        "count",
        header.count,
        "elementBytes",
        width,
        "arrayBytes",
        header.arrayBytes);
  }

  private static void checkWholeElements(long bytes, int width) throws ProtocolException {
    if (bytes % width != 0) {
      throw new ProtocolException(
          ErrorCode.COUNT_MISMATCH,
          "a chunk does not end with an element",
          "bytes",
          bytes,
          "elementBytes",
          width);
    }
  }

  /** Checks the header of a chunk of the array that is arriving on a channel. */
  static void checkChunk(FrameHeader header, InboundChannel at, EngineContext context)
      throws ProtocolException {
    if (at.arriving == null) {
      throw new ProtocolException(
          ErrorCode.PROTOCOL_VIOLATION,
          "a chunk without an array",
          "sequence",
          Long.toUnsignedString(header.sequence));
    }
    InboundArray array = at.array();
    // Frames of a message name neither encoding nor element type; see hasTable.
    int elementType = at.encodingCode == 0 ? 0 : array.type().code();
    if (header.encoding != at.encodingCode
        || header.elementType != elementType
        || header.count != array.headerCount
        || header.attributeBytes != 0) {
      throw new ProtocolException(
          ErrorCode.PROTOCOL_VIOLATION,
          "a chunk that does not belong to the array that is arriving",
          "sequence",
          Long.toUnsignedString(header.sequence));
    }
    if (header.arrayBytes < 0) {
      throw new ProtocolException(
          ErrorCode.BAD_LENGTH,
          "an impossible index of an element",
          "firstElement",
          Long.toUnsignedString(header.arrayBytes));
    }
    checkFrameBytes(header, context.options());
    int width = at.codec().encoding().elementBytes(array.type());
    long left = at.arrayBytes - at.arrayReceived;
    boolean inBlocks = at.blocks != null;
    long most = inBlocks ? BlockHead.mostBytes(left / width, width) : left;
    if (at.parts != null) {
      most = InboundParts.mostBytes(left, header.count);
    }
    if (header.payloadBytes == 0 || header.payloadBytes > most) {
      throw new ProtocolException(
          ErrorCode.BAD_LENGTH,
          "a chunk is empty or longer than what is left of its array",
          "payloadBytes",
          header.payloadBytes,
          "left",
          most);
    }
    if (!inBlocks) {
      checkWholeElements(header.payloadBytes, width);
    }
    if (header.sequence != array.sequence() || header.arrayBytes != at.elementsReceived()) {
      throw new ProtocolException(
          ErrorCode.SEQUENCE_GAP,
          "a chunk out of order",
          "sequence",
          Long.toUnsignedString(header.sequence),
          "expected",
          array.sequence(),
          "firstElement",
          header.arrayBytes,
          "expectedElement",
          at.elementsReceived());
    }
  }

  /** Checks that a payload has a checksum if, and only if, that was agreed on. */
  static void checkFlag(FrameHeader header, boolean checksums) throws ProtocolException {
    if (header.has(FrameLayout.FLAG_PAYLOAD_CHECKSUM) != checksums) {
      throw new ProtocolException(
          ErrorCode.PROTOCOL_VIOLATION,
          checksums
              ? "a payload without the checksum that was agreed"
              : "a payload with a checksum that was not agreed");
    }
  }

  /** Checks what was computed of a payload. */
  static void checkChecksum(FrameHeader header, int computed) throws ProtocolException {
    if (computed != header.payloadChecksum) {
      throw new ProtocolException(
          ErrorCode.PAYLOAD_CHECKSUM,
          "a payload was damaged in transit; it was not delivered",
          "sequence",
          Long.toUnsignedString(header.sequence),
          "declared",
          "0x" + Integer.toHexString(header.payloadChecksum),
          "computed",
          "0x" + Integer.toHexString(computed));
    }
  }

  /** Checks the count of an array in plain mode; returns the bytes of its elements. */
  static long checkPlain(ElementType type, int count, TransportOptions options)
      throws ProtocolException {
    if (count < 0) {
      throw new ProtocolException(ErrorCode.BAD_LENGTH, "a negative element count", "count", count);
    }
    long bytes = (long) count * type.bytes();
    long limit = options.maxArrayBytes();
    if (bytes > limit || count > MOST_ELEMENTS) {
      throw new ProtocolException(
          ErrorCode.FRAME_TOO_LARGE,
          "the array is larger than this side accepts (raise maxArrayBytes here)",
          "declared",
          bytes,
          "count",
          count,
          "limit",
          limit);
    }
    return bytes;
  }

  /** The stream ended inside an array. */
  static ProtocolException endedInside(InboundChannel at) {
    return new ProtocolException(
        ErrorCode.TRUNCATED,
        "the stream ended inside an array, which was not delivered",
        "received",
        at.arrayReceived,
        "expected",
        at.arrayBytes,
        "sequence",
        at.array().sequence());
  }

  /** The stream ended inside something else of which so much had come. */
  static ProtocolException endedInside(String text, ByteBuffer come) {
    return new ProtocolException(
        ErrorCode.TRUNCATED, text, "received", come.position(), "expected", come.limit());
  }
}
