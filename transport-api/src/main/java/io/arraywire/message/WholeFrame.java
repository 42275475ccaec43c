package io.arraywire.message;

import io.arraywire.ElementType;
import io.arraywire.ErrorCode;
import io.arraywire.ProtocolException;
import io.arraywire.frame.BlockHead;
import io.arraywire.frame.FrameHeader;
import io.arraywire.frame.FrameLayout;
import io.arraywire.frame.FrameType;
import io.arraywire.spi.Codec;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * One frame with its whole payload, checked in the order that {@code docs/array-message.md}
 * prescribes, in place. Reusable; not for use by several threads.
 */
final class WholeFrame {
  private static final ByteBuffer NONE = ByteBuffer.allocate(0);

  private static final BlockEncodings PRESENT = BlockCodecs::checked;

  private final FrameHeader header = new FrameHeader(MessageLayout.VERSION);
  private final CRC32C checksum = new CRC32C();
  private final MessageTable table = new MessageTable();
  private @Nullable ByteBuffer source;
  private ByteBuffer bytes = NONE;
  private int payloadAt;
  private boolean empty;
  private final PartPlaces places = new PartPlaces();

  WholeFrame() {}

  /** Forgets what was read, the buffer aside. */
  void clear() {
    if (!empty) {
      header.clear(FrameType.ARRAY);
      table.clear();
      places.clear();
      empty = true;
    }
  }

  /** Forgets the buffer, too. */
  void forget() {
    clear();
    source = null;
    bytes = NONE;
  }

  /**
   * Checks the frame at a buffer's position, which it does not change.
   *
   * @return where the frame ends in the buffer
   */
  @SuppressWarnings("ReferenceEquality") // Another buffer of equal bytes is another buffer.
  int read(ByteBuffer from, Limits limits) throws ProtocolException {
    clear();
    empty = false;
    if (from.hasArray() ? !isOver(from) : source != from) {
      bytes = from.duplicate().order(ByteOrder.LITTLE_ENDIAN);
      // Told apart by its array if it has one. Not kept then: the JVM can leave out the caller's
      // duplicate.
      source = from.hasArray() ? null : from;
    }
    int at = from.position();
    bytes.limit(from.limit()).position(at);
    try {
      return check(at, limits);
    } catch (ProtocolException | RuntimeException e) {
      clear();
      throw e;
    }
  }

  /** Whether the buffer here and another one are over the same part of one array. */
  @SuppressWarnings("ReferenceEquality") // Another array of equal bytes is another array.
  private boolean isOver(ByteBuffer other) {
    return bytes.hasArray()
        && bytes.array() == other.array()
        && bytes.arrayOffset() == other.arrayOffset()
        && bytes.capacity() == other.capacity();
  }

  private int check(int at, Limits limits) throws ProtocolException {
    int there = bytes.remaining();
    if (there >= Integer.BYTES) {
      FrameHeader.checkMagic(bytes, at);
    }
    if (there < FrameLayout.HEADER_BYTES) {
      throw truncated(there, FrameLayout.HEADER_BYTES);
    }
    header.read(bytes);
    checkKind();
    boolean hasTable = header.encoding == 0 && header.elementType == 0;
    checkSizes(hasTable, limits);
    long whole = FrameLayout.HEADER_BYTES + header.attributeBytes + header.payloadBytes;
    if (there < whole) {
      throw truncated(there, whole);
    }
    int attributesAt = at + FrameLayout.HEADER_BYTES;
    payloadAt = attributesAt + header.attributeBytes;
    int end = at + (int) whole;
    table.read(bytes, attributesAt, header, limits, PRESENT);
    if (!table.hasBlocks()) {
      checkWholePayload();
    }
    checkChecksum(attributesAt, end);
    if (table.hasBlocks()) {
      bytes.limit(end);
      places.check(bytes, table, payloadAt, end);
    } else {
      table.checkPadding(bytes, payloadAt);
    }
    return end;
  }

  /** What a frame of a connection has, and a message outside of one has not. */
  private void checkKind() throws ProtocolException {
    if (header.type != FrameType.ARRAY) {
      throw new ProtocolException(
          ErrorCode.UNKNOWN_CODE,
          "a frame that is not an array message",
          "type",
          header.type.code());
    }
    if ((header.flags & ~FrameLayout.FLAG_PAYLOAD_CHECKSUM) != 0) {
      throw new ProtocolException(
          ErrorCode.UNKNOWN_CODE,
          "an array message with a flag that only connections have",
          "flags",
          header.flags);
    }
    boolean checked = header.has(FrameLayout.FLAG_PAYLOAD_CHECKSUM);
    if (header.channel != 0
        || header.sequence != 0
        || header.acknowledged != 0
        || (!checked && header.payloadChecksum != 0)) {
      throw new ProtocolException(
          ErrorCode.PROTOCOL_VIOLATION,
          "a frame of a connection, not an array message",
          "channel",
          Integer.toUnsignedString(header.channel),
          "sequence",
          Long.toUnsignedString(header.sequence),
          "acknowledged",
          Integer.toUnsignedString(header.acknowledged));
    }
  }

  /** Lengths within limits, then count times size against length, in long arithmetic. */
  private void checkSizes(boolean hasTable, Limits limits) throws ProtocolException {
    boolean inBlocks = false;
    int width = 1;
    if (!hasTable) {
      ElementType type = AttributeChecks.checkType(header.elementType);
      inBlocks = PRESENT.checked(header.encoding, type).isInBlocks();
      width = type.bytes();
    }
    if (header.attributeBytes > MessageLayout.MAX_ATTRIBUTE_BYTES) {
      throw tooManyAttributes();
    }
    // Lengths are unsigned: what looks negative is larger than any limit.
    if (header.arrayBytes < 0 || header.arrayBytes > limits.bytes()) {
      throw tooLarge(limits);
    }
    AttributeChecks.checkNotNegative(header.count);
    // With a table an element takes at least one byte; what exactly, the table says.
    boolean overflows = Math.multiplyHigh(header.count, width) != 0 || header.count * width < 0;
    if (overflows || header.count * width > header.arrayBytes) {
      throw countMismatch(width);
    }
    if (!hasTable) {
      AttributeChecks.checkCount(header.count);
      if (header.count * width != header.arrayBytes) {
        throw countMismatch(width);
      }
    }
    if (hasTable) {
      checkPartBytes();
    } else if (inBlocks) {
      checkBlockBytes(width);
    } else {
      checkWholePayload();
    }
    if (header.attributeBytes % Long.BYTES != 0) {
      throw notPadded();
    }
  }

  private void checkWholePayload() throws ProtocolException {
    if (header.payloadBytes != header.arrayBytes) {
      throw new ProtocolException(
          ErrorCode.BAD_LENGTH,
          "an array message does not hold its whole payload",
          "payloadBytes",
          header.payloadBytes,
          "arrayBytes",
          header.arrayBytes);
    }
  }

  /** As long as the table was not read: a block of one element has 16 bytes more at most. */
  private void checkPartBytes() throws ProtocolException {
    long more = header.payloadBytes - header.arrayBytes;
    if (more > 0 && (more - 1) / BlockHead.MOST_BYTES_AROUND_PART >= header.count) {
      throw new ProtocolException(
          ErrorCode.BAD_LENGTH,
          "an array message holds more bytes than its parts can have",
          "payloadBytes",
          header.payloadBytes,
          "arrayBytes",
          header.arrayBytes,
          "count",
          header.count);
    }
  }

  /** No block of a writer of ours is so short, but one element in each is allowed. */
  private void checkBlockBytes(int width) throws ProtocolException {
    long least = header.count == 0 ? 0 : BlockHead.BYTES + 1;
    long most = BlockHead.mostBytes(header.count, width);
    if (header.payloadBytes < least || header.payloadBytes > most) {
      throw new ProtocolException(
          ErrorCode.BAD_LENGTH,
          "the blocks of a message have other lengths than its elements can have",
          "payloadBytes",
          header.payloadBytes,
          "least",
          least,
          "most",
          most);
    }
  }

  // Apart, so that the compiler of the JVM inlines checkSizes, which every message goes through.

  private ProtocolException tooManyAttributes() {
    return new ProtocolException(
        ErrorCode.FRAME_TOO_LARGE,
        "too many attribute bytes",
        "declared",
        header.attributeBytes,
        "limit",
        MessageLayout.MAX_ATTRIBUTE_BYTES);
  }

  private ProtocolException tooLarge(Limits limits) {
    return new ProtocolException(
        ErrorCode.FRAME_TOO_LARGE,
        "the message is larger than the reader accepts; give it a higher limit of bytes",
        "declared",
        Long.toUnsignedString(header.arrayBytes),
        "limit",
        limits.bytes());
  }

  private ProtocolException notPadded() {
    return new ProtocolException(
        ErrorCode.BAD_LENGTH,
        "attributes do not end at a multiple of 8",
        "attributeBytes",
        header.attributeBytes);
  }

  private ProtocolException countMismatch(int width) {
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

  private void checkChecksum(int from, int to) throws ProtocolException {
    if (!header.has(FrameLayout.FLAG_PAYLOAD_CHECKSUM)) {
      return;
    }
    checksum.reset();
    bytes.limit(to).position(from);
    checksum.update(bytes);
    int computed = (int) checksum.getValue();
    if (computed != header.payloadChecksum) {
      throw new ProtocolException(
          ErrorCode.PAYLOAD_CHECKSUM,
          "attributes or payload of a message were damaged; nothing of it was used",
          "declared",
          "0x" + Integer.toHexString(header.payloadChecksum),
          "computed",
          "0x" + Integer.toHexString(computed));
    }
  }

  private static ProtocolException truncated(long there, long whole) {
    return new ProtocolException(
        ErrorCode.TRUNCATED,
        "the bytes end inside a message",
        "received",
        there,
        "expected",
        whole);
  }

  long tag() {
    return header.tag;
  }

  MessageTable table() {
    return table;
  }

  /** The buffer, little-endian; position and limit mean nothing. */
  ByteBuffer bytes() {
    return bytes;
  }

  /** The codec of a part in blocks, null if it is raw. */
  @Nullable Codec blocks(int part) {
    return places.blocks(part);
  }

  /** Decodes the elements of a part in blocks. */
  void readBlocks(int part, Codec codec, Object array, int offset) throws ProtocolException {
    int from = places.begin(part);
    MessageBlocks.read(
        bytes, from, places.end(part), table.type(part), codec, array, offset, table.hasTable());
  }

  /** Sets the byte order back, which a codec may have changed. */
  void littleEndian() {
    bytes.order(ByteOrder.LITTLE_ENDIAN);
  }

  /** The buffer, over the elements of a raw part. */
  ByteBuffer elements(int part) {
    int from = table.hasBlocks() ? places.begin(part) : payloadAt + (int) table.payloadAt(part);
    bytes.limit(from + (int) table.payloadBytes(part)).position(from);
    return bytes;
  }
}
