package io.arraywire.message;

import io.arraywire.ArrayAttributes;
import io.arraywire.Encoding;
import io.arraywire.ErrorCode;
import io.arraywire.ProtocolException;
import io.arraywire.frame.FrameHeader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The sections between the header of an ARRAY frame and its payload. Every message has shape,
 * strings and table of parts in the same way; only a connection has the others. For authors of
 * transports; functions, for any thread.
 */
public final class FrameAttributes {
  /** The most bytes of all sections together. */
  public static final int MAX_BYTES = MessageLayout.MAX_ATTRIBUTE_BYTES;

  /** The first kind of section that only connections have. */
  public static final int FIRST_OF_CONNECTION = 16;

  private FrameAttributes() {}

  /** Reads sections of a connection. */
  @FunctionalInterface
  public interface Sections {
    /**
     * Reads a section.
     *
     * @param kind from {@link #FIRST_OF_CONNECTION} on, higher than any before
     * @param entries not 0
     * @param bytes little-endian; position and limit mean nothing
     * @param from where the entries begin
     * @param end where the section ends
     * @return where the entries end; zeros must follow up to the end, less than 8
     * @throws ProtocolException if it is not what it must be
     */
    int read(int kind, int entries, ByteBuffer bytes, int from, int end) throws ProtocolException;
  }

  /**
   * Reads all sections, where parts of a message may be in blocks.
   *
   * @param header of the frame; a negative count is not known, and no shape is compared with it
   * @param body the sections and nothing else
   * @param inBlocks an encoding in blocks that this side decodes, by its code; null for all others
   * @param others gets sections of the connection
   * @return tag, shape, strings and table
   * @throws ProtocolException if they are not what they must be
   */
  public static ArrayAttributes read(
      FrameHeader header, byte[] body, IntFunction<@Nullable Encoding> inBlocks, Sections others)
      throws ProtocolException {
    BlockEncodings known = BlockEncodings.of(inBlocks);
    ByteBuffer bytes = ByteBuffer.wrap(body).order(ByteOrder.LITTLE_ENDIAN);
    if (body.length % Long.BYTES != 0) {
      throw new ProtocolException(
          ErrorCode.BAD_LENGTH,
          "attributes do not end at a multiple of 8",
          "attributeBytes",
          body.length);
    }
    MessageTable table = null;
    int before = 0;
    for (int next = 0; next < body.length; ) {
      int kind = MessageLayout.u16(bytes, next);
      int entries = MessageLayout.u16(bytes, next + 2);
      long length = bytes.getInt(next + 4) & 0xffffffffL;
      if (kind == 0 || (kind > MessageLayout.PARTS && kind < FIRST_OF_CONNECTION)) {
        throw new ProtocolException(
            ErrorCode.UNKNOWN_CODE, "a section of attributes of an unknown kind", "kind", kind);
      }
      AttributeChecks.checkSection(kind, before, entries, length, body.length - next);
      int from = next + MessageLayout.SECTION_HEAD_BYTES;
      next += (int) length;
      if (kind <= MessageLayout.PARTS) {
        if (table == null) {
          table = new MessageTable();
          table.begin(header);
        }
        Limits limits = Limits.ofBytes(Math.max(0, header.arrayBytes));
        table.readSection(kind, bytes, from, next, entries, limits, known);
      } else {
        AttributeChecks.checkRest(bytes, kind, others.read(kind, entries, bytes, from, next), next);
      }
      before = kind;
    }
    if (table == null) {
      if (header.elementType == 0) {
        throw new ProtocolException(
            ErrorCode.MALFORMED_PAYLOAD,
            "a message has neither an element type nor a table of parts");
      }
      return ArrayAttributes.tagged(header.tag);
    }
    table.checkTable(header);
    return ArrayAttributes.of(
        header.tag,
        table.dimensions(0) == 0 || table.hasTable() ? new long[0] : table.shape(bytes, 0),
        table.attributes(bytes),
        table.hasTable() ? new PartTable(table, bytes) : null);
  }

  /**
   * The size of shape, strings and table.
   *
   * @param attributes the attributes
   * @return bytes, a multiple of 8
   */
  public static int bytes(ArrayAttributes attributes) {
    PartTable parts = attributes.parts();
    int shape = attributes.dimensions();
    int strings = attributes.metadataBytes();
    return (shape == 0 ? 0 : MessageLayout.SECTION_HEAD_BYTES + Long.BYTES * shape)
        + (strings == 0 ? 0 : MessageLayout.SECTION_HEAD_BYTES + strings)
        + (parts == null ? 0 : parts.sectionBytes());
  }

  /**
   * Writes shape, strings and table.
   *
   * @param attributes the attributes
   * @param target gets {@link #bytes} bytes; its order becomes little-endian
   */
  public static void put(ArrayAttributes attributes, ByteBuffer target) {
    target.order(ByteOrder.LITTLE_ENDIAN);
    long[] shape = attributes.shape();
    if (shape.length > 0) {
      putHead(
          target,
          MessageLayout.SHAPE,
          shape.length,
          MessageLayout.SECTION_HEAD_BYTES + Long.BYTES * shape.length);
      for (long dimension : shape) {
        target.putLong(dimension);
      }
    }
    if (attributes.metadataBytes() > 0) {
      byte[] strings = AttributeStrings.section(attributes.metadata());
      putHead(
          target,
          MessageLayout.STRINGS,
          attributes.metadata().size(),
          MessageLayout.SECTION_HEAD_BYTES + strings.length);
      target.put(strings);
    }
    PartTable parts = attributes.parts();
    if (parts != null) {
      parts.put(target);
    }
  }

  /**
   * Writes the head of a section.
   *
   * @param target little-endian
   * @param kind its kind
   * @param entries how many entries follow
   * @param bytes its bytes, those of the head included
   */
  public static void putHead(ByteBuffer target, int kind, int entries, int bytes) {
    target.putShort((short) kind).putShort((short) entries).putInt(bytes);
  }

  /**
   * Writes zeros.
   *
   * @param target where
   * @param count how many
   */
  public static void putZeros(ByteBuffer target, int count) {
    for (int i = 0; i < count; i++) {
      target.put((byte) 0);
    }
  }

  /**
   * Whether bytes are well-formed UTF-8.
   *
   * @param bytes the bytes
   * @param at where they begin
   * @param length how many there are
   * @return false if a decoder would have to replace some of them
   */
  public static boolean isText(ByteBuffer bytes, int at, int length) {
    return Utf8.isWellFormed(bytes, at, length);
  }
}
