package io.arraywire.message;

import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.ErrorCode;
import io.arraywire.ProtocolException;
import io.arraywire.frame.FrameHeader;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The attributes of one message, checked and looked at in place: where the parts lie, and what is
 * said of them. Reusable; the little memory that it takes it keeps. Not for use by several threads.
 */
final class MessageTable {
  private static final int FEW = 8;

  private int parts;
  private int[] codes = new int[FEW]; // element, encoding, dimensions, name bytes: 8 bits each
  private int[] counts = new int[FEW];
  private int[] shapesAt = new int[FEW];
  private long[] payloadsAt = new long[FEW];
  private final PartNames names = new PartNames();
  private final PartEncodings encodings = new PartEncodings();
  private int strings;
  private int stringsAt;
  private boolean hasTable;
  private int sectionAt;
  private int sectionBytes;
  private long elements;
  private long payloadBytes;

  MessageTable() {}

  /** Forgets everything. */
  void clear() {
    parts = 0;
    strings = 0;
    hasTable = false;
    encodings.clear();
    elements = 0;
    payloadBytes = 0;
  }

  /** Reads a table of parts and nothing else. */
  static MessageTable ofSection(ByteBuffer section, BlockEncodings inBlocks)
      throws ProtocolException {
    MessageTable table = new MessageTable();
    int from = MessageLayout.SECTION_HEAD_BYTES;
    int entries = MessageLayout.u16(section, 2);
    var unused =
        table.readParts(
            section, from, section.limit(), entries, Limits.ofBytes(Long.MAX_VALUE), inBlocks);
    return table;
  }

  /**
   * Reads the attributes of a message whose header was checked.
   *
   * @param bytes little-endian
   * @param at where the attributes begin, as many as the header says
   * @param inBlocks says which encodings in blocks its parts may have
   */
  void read(ByteBuffer bytes, int at, FrameHeader header, Limits limits, BlockEncodings inBlocks)
      throws ProtocolException {
    begin(header);
    if (header.elementType != 0) {
      encodings.set(0, inBlocks.checked(header.encoding, type(0)));
    }
    int next = at;
    int end = at + header.attributeBytes;
    int before = 0;
    while (next < end) {
      int kind = MessageLayout.u16(bytes, next);
      int entries = MessageLayout.u16(bytes, next + 2);
      long length = bytes.getInt(next + 4) & 0xffffffffL;
      if (kind < MessageLayout.SHAPE || kind > MessageLayout.PARTS) {
        throw new ProtocolException(
            ErrorCode.UNKNOWN_CODE,
            "a section of attributes of an unknown kind",
            "kind",
            kind,
            "known",
            MessageLayout.SHAPE + " to " + MessageLayout.PARTS);
      }
      AttributeChecks.checkSection(kind, before, entries, length, end - next);
      int from = next + MessageLayout.SECTION_HEAD_BYTES;
      next += (int) length;
      readSection(kind, bytes, from, next, entries, limits, inBlocks);
      before = kind;
    }
    checkTable(header);
  }

  /** Begins with what the header says of the only part, if it does. */
  void begin(FrameHeader header) {
    clear();
    if (header.elementType != 0) {
      parts = 1;
      codes[0] = header.elementType | header.encoding << 8;
      counts[0] = (int) header.count;
      elements = header.count; // which may be more than an array can have
      payloadsAt[0] = 0;
    }
  }

  /** Reads the entries of a section whose head was checked. */
  void readSection(
      int kind,
      ByteBuffer bytes,
      int from,
      int end,
      int entries,
      Limits limits,
      BlockEncodings inBlocks)
      throws ProtocolException {
    int used =
        switch (kind) {
          case MessageLayout.SHAPE -> readShape(bytes, from, end, entries);
          case MessageLayout.STRINGS -> readStrings(bytes, from, end, entries);
          default -> readParts(bytes, from, end, entries, limits, inBlocks);
        };
    AttributeChecks.checkRest(bytes, kind, used, end);
  }

  private int readShape(ByteBuffer bytes, int from, int end, int dimensions)
      throws ProtocolException {
    if (parts == 0) {
      throw new ProtocolException(
          ErrorCode.MALFORMED_PAYLOAD,
          "a message with a table of parts has a shape beside it",
          "dimensions",
          dimensions);
    }
    AttributeChecks.checkDimensions(dimensions);
    if (end - from < (long) Long.BYTES * dimensions) {
      throw AttributeChecks.tooShort(MessageLayout.SHAPE, end - from);
    }
    codes[0] |= dimensions << 16;
    shapesAt[0] = from;
    AttributeChecks.checkShape(bytes, from, dimensions, elements);
    return from + Long.BYTES * dimensions;
  }

  private int readStrings(ByteBuffer bytes, int from, int end, int entries)
      throws ProtocolException {
    AttributeChecks.checkMost("attributes", entries, Message.MAX_ATTRIBUTES);
    int at = from;
    int text = 0;
    for (int i = 0; i < entries; i++) {
      if (end - at < MessageLayout.STRING_HEAD_BYTES) {
        throw AttributeChecks.tooShort(MessageLayout.STRINGS, end - from);
      }
      int keyBytes = MessageLayout.u16(bytes, at);
      int valueBytes = MessageLayout.u16(bytes, at + 2);
      at += MessageLayout.STRING_HEAD_BYTES;
      if (keyBytes == 0) {
        throw new ProtocolException(
            ErrorCode.MALFORMED_PAYLOAD, "an attribute has an empty key", "attribute", i);
      }
      AttributeChecks.checkMost("bytes of a key", keyBytes, Message.MAX_KEY_BYTES);
      AttributeChecks.checkMost("bytes of a value", valueBytes, Message.MAX_VALUE_BYTES);
      text += keyBytes + valueBytes;
      AttributeChecks.checkMost("bytes of all attributes", text, Message.MAX_ATTRIBUTE_BYTES);
      if (end - at < keyBytes + valueBytes) {
        throw AttributeChecks.tooShort(MessageLayout.STRINGS, end - from);
      }
      if (!Utf8.isWellFormed(bytes, at, keyBytes)
          || !Utf8.isWellFormed(bytes, at + keyBytes, valueBytes)) {
        throw new ProtocolException(
            ErrorCode.MALFORMED_PAYLOAD, "an attribute is not UTF-8", "attribute", i);
      }
      checkKeyIsNew(bytes, from, i, at, keyBytes);
      at += keyBytes + valueBytes;
    }
    strings = entries;
    stringsAt = from;
    return at;
  }

  private static void checkKeyIsNew(ByteBuffer bytes, int from, int index, int keyAt, int keyBytes)
      throws ProtocolException {
    int at = from;
    for (int i = 0; i < index; i++) {
      int otherBytes = MessageLayout.u16(bytes, at);
      int valueBytes = MessageLayout.u16(bytes, at + 2);
      at += MessageLayout.STRING_HEAD_BYTES;
      if (Utf8.compare(bytes, keyAt, keyBytes, at, otherBytes) == 0) {
        throw new ProtocolException(
            ErrorCode.MALFORMED_PAYLOAD,
            "two attributes have the same key",
            "key",
            Utf8.text(bytes, keyAt, keyBytes));
      }
      at += otherBytes + valueBytes;
    }
  }

  private int readParts(
      ByteBuffer bytes, int from, int end, int entries, Limits limits, BlockEncodings inBlocks)
      throws ProtocolException {
    if (parts != 0) {
      throw new ProtocolException(
          ErrorCode.MALFORMED_PAYLOAD,
          "a message with a table of parts has an element type in its header",
          "parts",
          entries);
    }
    AttributeChecks.checkMost("parts", entries, limits.parts());
    if (entries > (end - from) / MessageLayout.PART_HEAD_BYTES) {
      throw AttributeChecks.tooShort(MessageLayout.PARTS, end - from);
    }
    takeRoom(entries);
    names.begin(entries);
    hasTable = true;
    sectionAt = from - MessageLayout.SECTION_HEAD_BYTES;
    sectionBytes = end - sectionAt;
    int at = from;
    long payload = 0;
    for (int i = 0; i < entries; i++) {
      if (end - at < MessageLayout.PART_HEAD_BYTES) {
        throw AttributeChecks.tooShort(MessageLayout.PARTS, end - from);
      }
      int element = bytes.get(at) & 0xff;
      int encoding = bytes.get(at + MessageLayout.PART_ENCODING_AT) & 0xff;
      int dimensions = bytes.get(at + MessageLayout.PART_DIMENSIONS_AT) & 0xff;
      int nameBytes = bytes.get(at + MessageLayout.PART_NAME_BYTES_AT) & 0xff;
      ElementType type = AttributeChecks.checkType(element);
      encodings.set(i, inBlocks.checked(encoding, type));
      if (bytes.getInt(at + MessageLayout.PART_RESERVED_AT) != 0) {
        throw new ProtocolException(
            ErrorCode.MALFORMED_PAYLOAD,
            "reserved bytes of a part are not 0; a newer version may have written it",
            "part",
            i);
      }
      AttributeChecks.checkDimensions(dimensions);
      int shapeAt = at + MessageLayout.PART_HEAD_BYTES;
      int nameAt = shapeAt + Long.BYTES * dimensions;
      if (end - nameAt < MessageLayout.padded(nameBytes)) {
        throw AttributeChecks.tooShort(MessageLayout.PARTS, end - from);
      }
      long count = bytes.getLong(at + MessageLayout.PART_COUNT_AT);
      AttributeChecks.checkCount(count);
      AttributeChecks.checkShape(bytes, shapeAt, dimensions, count);
      codes[i] = element | encoding << 8 | dimensions << 16 | nameBytes << 24;
      counts[i] = (int) count;
      shapesAt[i] = shapeAt;
      payloadsAt[i] = payload;
      elements += count;
      payload += MessageLayout.padded(count * type.bytes());
      at = names.add(bytes, i, nameAt, nameBytes);
      parts = i + 1;
    }
    payloadBytes = payload;
    return at;
  }

  private void takeRoom(int entries) {
    if (entries > counts.length) {
      int room = Math.min(Message.MAX_PARTS, Integer.highestOneBit(entries) << 1);
      codes = new int[room];
      counts = new int[room];
      shapesAt = new int[room];
      payloadsAt = new long[room];
    }
  }

  /** Checks that header and table say the same. */
  void checkTable(FrameHeader header) throws ProtocolException {
    if (header.elementType != 0) {
      return;
    }
    if (!hasTable) {
      throw new ProtocolException(
          ErrorCode.MALFORMED_PAYLOAD,
          "a message has neither an element type nor a table of parts");
    }
    if (parts == 1 && nameBytes(0) == 0) {
      throw new ProtocolException(
          ErrorCode.MALFORMED_PAYLOAD,
          "a table of parts describes one part without a name, which" + " needs no table");
    }
    if (elements != header.count || payloadBytes != header.arrayBytes) {
      throw new ProtocolException(
          ErrorCode.COUNT_MISMATCH,
          "the parts of a message do not add up to what its header says",
          "count",
          header.count,
          "elementsOfParts",
          elements,
          "arrayBytes",
          header.arrayBytes,
          "bytesOfParts",
          payloadBytes);
    }
  }

  /** Checks the zeros between the parts, once the payload is known to be what was sent. */
  void checkPadding(ByteBuffer bytes, int payloadAt) throws ProtocolException {
    for (int i = 0; hasTable && i < parts; i++) {
      int end = payloadAt + (int) (payloadsAt[i] + payloadBytes(i));
      AttributeChecks.checkZeros(
          bytes, end, end + (int) (-payloadBytes(i) & 7), "behind the elements of a part");
    }
  }

  // What was read.

  int parts() {
    return parts;
  }

  boolean hasTable() {
    return hasTable;
  }

  /** Where the table begins, its head included. */
  int sectionAt() {
    return sectionAt;
  }

  int sectionBytes() {
    return sectionBytes;
  }

  /** Elements of all parts of the table. */
  long elements() {
    return elements;
  }

  /** What all parts of the table take, zeros included. */
  long payloadBytes() {
    return payloadBytes;
  }

  ElementType type(int part) {
    ElementType type = ElementType.fromCode(codes[part] & 0xff);
    if (type == null) {
      throw new IllegalStateException("checked before");
    }
    return type;
  }

  Encoding encoding(int part) {
    return encodings.of(part, codes[part] >> 8 & 0xff);
  }

  /** Whether a part is in blocks. */
  boolean hasBlocks() {
    return encodings.hasBlocks();
  }

  /** Where the encoding of a part stands in the bytes that the table was read from. */
  int encodingAt(int part) {
    return shapesAt[part] - MessageLayout.PART_HEAD_BYTES + MessageLayout.PART_ENCODING_AT;
  }

  int count(int part) {
    return counts[part];
  }

  int dimensions(int part) {
    return codes[part] >> 16 & 0xff;
  }

  private int nameAt(int part) {
    return shapesAt[part] + Long.BYTES * dimensions(part);
  }

  private int nameBytes(int part) {
    return codes[part] >>> 24;
  }

  long[] shape(ByteBuffer bytes, int part) {
    return MessageLayout.shape(bytes, shapesAt[part], dimensions(part));
  }

  String name(ByteBuffer bytes, int part) {
    return hasTable ? Utf8.text(bytes, nameAt(part), nameBytes(part)) : Message.UNNAMED;
  }

  /** The part of a name, or -1. */
  int indexOf(ByteBuffer bytes, String name) {
    if (!hasTable) {
      return parts == 1 && name.isEmpty() ? 0 : -1;
    }
    int length = Utf8.bytes(name);
    for (int i = 0; i < parts; i++) {
      if (nameBytes(i) == length && Utf8.same(bytes, nameAt(i), length, name)) {
        return i;
      }
    }
    return -1;
  }

  /** Where the elements of a part begin in the payload. */
  long payloadAt(int part) {
    return payloadsAt[part];
  }

  long payloadBytes(int part) {
    return (long) counts[part] * type(part).bytes();
  }

  /** All strings, in order. */
  Map<String, String> attributes(ByteBuffer bytes) {
    if (strings == 0) {
      return Map.of();
    }
    Map<String, String> all = new LinkedHashMap<>();
    int at = stringsAt;
    for (int i = 0; i < strings; i++) {
      int keyBytes = MessageLayout.u16(bytes, at);
      int valueBytes = MessageLayout.u16(bytes, at + 2);
      at += MessageLayout.STRING_HEAD_BYTES;
      all.put(Utf8.text(bytes, at, keyBytes), Utf8.text(bytes, at + keyBytes, valueBytes));
      at += keyBytes + valueBytes;
    }
    return Collections.unmodifiableMap(all);
  }

  /** The value of a key, or null. */
  @Nullable String attribute(ByteBuffer bytes, String key) {
    int length = Utf8.bytes(key);
    int at = stringsAt;
    for (int i = 0; i < strings; i++) {
      int keyBytes = MessageLayout.u16(bytes, at);
      int valueBytes = MessageLayout.u16(bytes, at + 2);
      at += MessageLayout.STRING_HEAD_BYTES;
      if (keyBytes == length && Utf8.same(bytes, at, length, key)) {
        return Utf8.text(bytes, at + keyBytes, valueBytes);
      }
      at += keyBytes + valueBytes;
    }
    return null;
  }
}
