package io.arraywire.message;

import io.arraywire.ArraySlice;
import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.ProtocolException;
import io.arraywire.spi.MessageText;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
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
 * <p>Immutable and safe for use by any thread. Takes little more memory than its bytes on the wire.
 */
public final class PartTable {
  private final MessageTable table;

  /** Little-endian; nobody moves position or limit. */
  private final ByteBuffer bytes;

  /** Takes over a table that was read, and the bytes that it was read from. */
  PartTable(MessageTable table, ByteBuffer bytes) {
    this.table = table;
    this.bytes = bytes;
  }

  /** Reads a table that this side wrote. */
  static PartTable of(ByteBuffer section) {
    try {
      return new PartTable(MessageTable.ofSection(section, BlockEncodings.NONE), section);
    } catch (ProtocolException e) {
      throw new IllegalStateException(
          "a table of parts cannot be read back after it was written", e);
    }
  }

  /**
   * How many parts there are.
   *
   * @return at least 1
   */
  public int size() {
    return table.parts();
  }

  /**
   * The names, in the order of the parts.
   *
   * @return the names; one may be empty
   */
  public List<String> names() {
    List<String> names = new ArrayList<>(size());
    for (int i = 0; i < size(); i++) {
      names.add(name(i));
    }
    return names;
  }

  /**
   * The element type of a part.
   *
   * @param name its name
   * @return the type
   * @throws IllegalArgumentException if there is no part of that name
   */
  public ElementType type(String name) {
    return table.type(index(name));
  }

  /**
   * The number of elements of a part.
   *
   * @param name its name
   * @return elements
   * @throws IllegalArgumentException if there is no part of that name
   */
  public int count(String name) {
    return table.count(index(name));
  }

  /**
   * The dimensions of a part.
   *
   * @param name its name
   * @return outermost first; empty if it has none
   * @throws IllegalArgumentException if there is no part of that name
   */
  public long[] shape(String name) {
    return shape(index(name));
  }

  /**
   * Copies the elements of a part into an array, without garbage.
   *
   * @param payload the bytes of the message, all of them
   * @param name the part's name
   * @param array of the class that holds its elements, with room for them
   * @param offset where the first one goes
   * @return the number of elements
   * @throws IllegalArgumentException if there is no part of that name, or the array has another
   *     class or too little room. Also if the payload is not that of this table
   * @throws IndexOutOfBoundsException if the offset does not lie inside the array
   */
  public int readInto(ArraySlice payload, String name, Object array, int offset) {
    checkPayload(payload);
    int part = index(name);
    Part.checkTarget(name, table.type(part), table.count(part), array, offset);
    decode(payload, part, array, offset);
    return table.count(part);
  }

  private void checkPayload(ArraySlice payload) {
    if (payload.type() != ElementType.BYTE || payload.length() != payloadBytes()) {
      throw new IllegalArgumentException(
          MessageText.brief(
              "the payload is not that of the table; give all bytes that the table describes",
              "payload",
              payload,
              "payloadBytes",
              payloadBytes(),
              "parts",
              this));
    }
  }

  private void decode(ArraySlice payload, int part, Object array, int offset) {
    HeapElements.copy(
        table.type(part),
        (byte[]) payload.array(),
        payload.offset() + (int) table.payloadAt(part),
        table.encoding(part).order(),
        array,
        offset,
        table.count(part));
  }

  /** All parts, each in an array of its own. */
  List<Part> parts(ArraySlice payload) {
    checkPayload(payload);
    List<Part> parts = new ArrayList<>(size());
    for (int i = 0; i < size(); i++) {
      ElementType type = table.type(i);
      Object array = type.newArray(table.count(i));
      decode(payload, i, array, 0);
      parts.add(Part.decoded(name(i), ArraySlice.ofArray(array).as(type), shape(i)));
    }
    return parts;
  }

  // For transports.

  /**
   * The size of all parts.
   *
   * @return bytes, zeros behind the parts included
   */
  public long payloadBytes() {
    return table.payloadBytes();
  }

  /**
   * How many elements all parts have together.
   *
   * @return elements
   */
  public long elements() {
    return table.elements();
  }

  /**
   * Whether a peer can read all parts.
   *
   * @param types the element types that it takes
   * @param encodings the encodings that it decodes
   * @return whether those of all parts are among them
   */
  public boolean isReadableWith(Set<ElementType> types, Set<Encoding> encodings) {
    for (int i = 0; i < size(); i++) {
      if (!types.contains(table.type(i)) || !encodings.contains(table.encoding(i))) {
        return false;
      }
    }
    return true;
  }

  /**
   * The element type of a part.
   *
   * @param part its number, from 0 on
   * @return the type
   */
  public ElementType typeOf(int part) {
    return table.type(part);
  }

  /**
   * The encoding of a part. In a table that was received with the bytes of a message, it is the raw
   * encoding of these bytes.
   *
   * @param part its number, from 0 on
   * @return the encoding
   */
  public Encoding encodingOf(int part) {
    return table.encoding(part);
  }

  /**
   * Whether a part is in an encoding {@linkplain Encoding#isInBlocks in blocks}.
   *
   * @return whether there is one
   */
  public boolean hasBlocks() {
    return table.hasBlocks();
  }

  /**
   * The table with other encodings. It tells the connection that sends the bytes of a message how
   * each part is to travel. The bytes themselves are plain all the same, each part in the byte
   * order of its encoding.
   *
   * @param encodings of each part, raw or in blocks
   * @return this table if it has them already, else another one
   * @throws IllegalArgumentException if there are not as many as parts, or a part cannot have its
   *     encoding
   */
  public PartTable withEncodings(List<Encoding> encodings) {
    if (encodings.size() != size()) {
      throw new IllegalArgumentException(
          MessageText.brief(
              "give as many encodings as the table has parts",
              "encodings",
              encodings.size(),
              "parts",
              size()));
    }
    boolean same = true;
    for (int i = 0; i < size(); i++) {
      Encoding encoding = encodings.get(i);
      boolean fits =
          encoding.isInBlocks()
              ? encoding.supports(table.type(i))
              : BlockCodecs.isRaw(encoding.code());
      if (!fits) {
        throw new IllegalArgumentException(
            MessageText.brief(
                "a part cannot have that encoding; give it raw-le, raw-be or one in blocks that has"
                    + " its element type",
                "encoding",
                encoding,
                "part",
                name(i),
                "type",
                table.type(i).typeName()));
      }
      same &= encoding.equals(table.encoding(i));
    }
    return same ? this : encoded(encodings);
  }

  private PartTable encoded(List<Encoding> encodings) {
    ByteBuffer section =
        ByteBuffer.allocate(table.sectionBytes()).order(ByteOrder.LITTLE_ENDIAN).put(section());
    Encoding[] byCode = new Encoding[256];
    for (int i = 0; i < size(); i++) {
      Encoding encoding = encodings.get(i);
      byCode[encoding.code()] = encoding;
      section.put(table.encodingAt(i) - table.sectionAt(), (byte) encoding.code());
    }
    try {
      MessageTable read = MessageTable.ofSection(section, BlockEncodings.of(code -> byCode[code]));
      return new PartTable(read, section);
    } catch (ProtocolException e) {
      throw new IllegalStateException(
          "a table of parts cannot be read back after its encodings" + " were changed", e);
    }
  }

  /**
   * The number of elements of a part.
   *
   * @param part its number, from 0 on
   * @return elements
   */
  public int countOf(int part) {
    return table.count(part);
  }

  /**
   * Where a part begins among the bytes of the message.
   *
   * @param part its number, from 0 on
   * @return bytes
   */
  public long payloadAt(int part) {
    return table.payloadAt(part);
  }

  int sectionBytes() {
    return table.sectionBytes();
  }

  /** Writes the section. */
  void put(ByteBuffer target) {
    target.put(section());
  }

  private ByteBuffer section() {
    return bytes.slice(table.sectionAt(), table.sectionBytes());
  }

  String name(int part) {
    return table.name(bytes, part);
  }

  long[] shape(int part) {
    return table.shape(bytes, part);
  }

  private int index(String name) {
    int part = table.indexOf(bytes, Objects.requireNonNull(name, "name"));
    if (part < 0) {
      throw new IllegalArgumentException(
          MessageText.brief("the message has no part of that name", "name", name, "parts", this));
    }
    return part;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof PartTable that && section().equals(that.section());
  }

  @Override
  public int hashCode() {
    return section().hashCode();
  }

  /** One part after the other, such as {@code [ids=int[3], scores=float[3]]}. */
  @Override
  public String toString() {
    List<String> parts = new ArrayList<>(size());
    for (int i = 0; i < size(); i++) {
      long[] shape = shape(i);
      parts.add(
          (name(i).isEmpty() ? "" : MessageText.printable(name(i)) + "=")
              + table.type(i).typeName()
              + (shape.length == 0 ? "[" + table.count(i) + "]" : Arrays.toString(shape)));
    }
    return parts.toString();
  }
}
