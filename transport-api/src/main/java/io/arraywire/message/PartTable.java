package io.arraywire.message;

import io.arraywire.ArraySlice;
import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.MalformedPayloadException;
import io.arraywire.codec.StandardCodecs;
import io.arraywire.spi.MessageText;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The table of a message that has several parts, or one with a name: name, type, encoding, shape
 * and place of each part.
 *
 * <p>Such a message travels as an array of bytes, its encoded parts one behind the other, and the
 * table goes along in the {@linkplain io.arraywire.ArrayAttributes#parts() attributes}.
 *
 * <p>Immutable and safe for use by any thread.
 */
public final class PartTable {
  /** One part; it begins at {@code offset} in the payload. */
  private static final class Entry {
    final String name;
    final ElementType type;
    final Encoding encoding;
    final int count;
    final long[] shape;
    final long offset;

    Entry(String name, ElementType type, Encoding encoding, int count, long[] shape, long offset) {
      this.name = name;
      this.type = type;
      this.encoding = encoding;
      this.count = count;
      this.shape = shape;
      this.offset = offset;
    }

    long bytes() {
      return (long) count * type.bytes();
    }

    boolean isSame(Entry other) {
      return name.equals(other.name)
          && type == other.type
          && encoding.equals(other.encoding)
          && count == other.count
          && Arrays.equals(shape, other.shape);
    }

    @Override
    public String toString() {
      return (name.isEmpty() ? "" : MessageText.printable(name) + "=")
          + type.typeName()
          + (shape.length == 0 ? "[" + count + "]" : Arrays.toString(shape));
    }
  }

  private final List<Entry> entries;
  private final long payloadBytes;
  private final long elements;
  private final int sectionBytes;

  private PartTable(List<Entry> entries) {
    this.entries = List.copyOf(entries);
    long all = 0;
    int section = MessageLayout.SECTION_HEAD_BYTES;
    for (Entry entry : entries) {
      all += entry.count;
      section +=
          MessageLayout.PART_HEAD_BYTES
              + Long.BYTES * entry.shape.length
              + MessageLayout.padded(Utf8.bytes(entry.name));
    }
    Entry last = entries.get(entries.size() - 1);
    payloadBytes = last.offset + MessageLayout.padded(last.bytes());
    elements = all;
    sectionBytes = section;
  }

  /** The table of a message that has one. */
  static PartTable of(List<Part> parts, Encoding encoding) {
    List<Entry> entries = new ArrayList<>(parts.size());
    long offset = 0;
    for (Part part : parts) {
      entries.add(
          new Entry(part.name(), part.type(), encoding, part.count(), part.shape(), offset));
      offset += MessageLayout.padded(part.payloadBytes());
    }
    return new PartTable(entries);
  }

  /** What was read and checked. */
  static PartTable of(MessageTable read, ByteBuffer bytes) {
    List<Entry> entries = new ArrayList<>(read.parts());
    for (int i = 0; i < read.parts(); i++) {
      entries.add(
          new Entry(
              read.name(bytes, i),
              read.type(i),
              read.encoding(i),
              read.count(i),
              read.shape(bytes, i),
              read.payloadAt(i)));
    }
    return new PartTable(entries);
  }

  /**
   * How many parts there are.
   *
   * @return at least 1
   */
  public int size() {
    return entries.size();
  }

  /**
   * The names, in the order of the parts.
   *
   * @return the names; one may be empty
   */
  public List<String> names() {
    return entries.stream().map(entry -> entry.name).toList();
  }

  /**
   * The element type of a part.
   *
   * @param name its name
   * @return the type
   * @throws IllegalArgumentException if there is no part of that name
   */
  public ElementType type(String name) {
    return entry(name).type;
  }

  /**
   * The number of elements of a part.
   *
   * @param name its name
   * @return elements
   * @throws IllegalArgumentException if there is no part of that name
   */
  public int count(String name) {
    return entry(name).count;
  }

  /**
   * The dimensions of a part.
   *
   * @param name its name
   * @return outermost first; empty if it has none
   * @throws IllegalArgumentException if there is no part of that name
   */
  public long[] shape(String name) {
    return entry(name).shape.clone();
  }

  /**
   * Copies the elements of a part into an array, without garbage.
   *
   * @param payload the bytes of the message, all of them
   * @param name the part's name
   * @param array of the class that holds its elements, with room for them
   * @param offset where the first one goes
   * @return the number of elements
   * @throws IllegalArgumentException if there is no part of that name, the array has another class
   *     or too little room, or the payload is not that of this table
   * @throws IndexOutOfBoundsException if the offset does not lie inside the array
   */
  public int readInto(ArraySlice payload, String name, Object array, int offset) {
    checkPayload(payload);
    Entry entry = entry(name);
    Part.checkTarget(entry.name, entry.type, entry.count, array, offset);
    decode(payload, entry, array, offset);
    return entry.count;
  }

  private void checkPayload(ArraySlice payload) {
    if (payload.type() != ElementType.BYTE || payload.length() != payloadBytes) {
      throw new IllegalArgumentException(
          MessageText.brief(
              "the bytes are not those that the table describes",
              "payload",
              payload,
              "payloadBytes",
              payloadBytes,
              "parts",
              this));
    }
  }

  private static void decode(ArraySlice payload, Entry entry, Object array, int offset) {
    if (entry.count == 0) {
      return;
    }
    ByteBuffer bytes =
        ByteBuffer.wrap(
            (byte[]) payload.array(), payload.offset() + (int) entry.offset, (int) entry.bytes());
    try {
      StandardCodecs.raw(entry.encoding.order())
          .decode(entry.type, bytes, array, offset, entry.count);
    } catch (MalformedPayloadException e) {
      throw new IllegalStateException("any bytes are raw elements", e);
    }
  }

  /** All parts, each in an array of its own. */
  List<Part> parts(ArraySlice payload) {
    checkPayload(payload);
    List<Part> parts = new ArrayList<>(entries.size());
    for (Entry entry : entries) {
      Object array = entry.type.newArray(entry.count);
      decode(payload, entry, array, 0);
      parts.add(Part.decoded(entry.name, ArraySlice.ofArray(array).as(entry.type), entry.shape));
    }
    return parts;
  }

  // For those who write transports.

  /**
   * What the parts take.
   *
   * @return bytes, zeros behind the parts included
   */
  public long payloadBytes() {
    return payloadBytes;
  }

  /**
   * How many elements all parts have together.
   *
   * @return elements
   */
  public long elements() {
    return elements;
  }

  /**
   * Whether a peer can read all parts.
   *
   * @param types the element types that it takes
   * @param encodings the encodings that it decodes
   * @return whether those of all parts are among them
   */
  public boolean isReadableWith(Set<ElementType> types, Set<Encoding> encodings) {
    for (Entry entry : entries) {
      if (!types.contains(entry.type) || !encodings.contains(entry.encoding)) {
        return false;
      }
    }
    return true;
  }

  int sectionBytes() {
    return sectionBytes;
  }

  /** Writes the section. */
  void put(ByteBuffer target) {
    target
        .order(ByteOrder.LITTLE_ENDIAN)
        .putShort((short) MessageLayout.PARTS)
        .putShort((short) entries.size())
        .putInt(sectionBytes);
    for (Entry entry : entries) {
      byte[] name = entry.name.getBytes(StandardCharsets.UTF_8);
      target
          .put((byte) entry.type.code())
          .put((byte) entry.encoding.code())
          .put((byte) entry.shape.length)
          .put((byte) name.length)
          .putInt(0)
          .putLong(entry.count);
      for (long dimension : entry.shape) {
        target.putLong(dimension);
      }
      target.put(name);
      for (int i = name.length; i < MessageLayout.padded(name.length); i++) {
        target.put((byte) 0);
      }
    }
  }

  private Entry entry(String name) {
    Objects.requireNonNull(name, "name");
    for (int i = 0; i < entries.size(); i++) {
      if (entries.get(i).name.equals(name)) {
        return entries.get(i);
      }
    }
    throw new IllegalArgumentException(
        MessageText.brief("the message has no part of that name", "name", name, "parts", this));
  }

  @Override
  public boolean equals(@Nullable Object other) {
    if (!(other instanceof PartTable that) || entries.size() != that.entries.size()) {
      return false;
    }
    for (int i = 0; i < entries.size(); i++) {
      if (!entries.get(i).isSame(that.entries.get(i))) {
        return false;
      }
    }
    return true;
  }

  @Override
  public int hashCode() {
    return names().hashCode();
  }

  @Override
  public String toString() {
    return entries.toString();
  }
}
