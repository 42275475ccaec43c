package io.arraywire.message;

import io.arraywire.ArraySlice;
import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.ErrorCode;
import io.arraywire.NoRoomException;
import io.arraywire.ProtocolException;
import io.arraywire.codec.StandardCodecs;
import io.arraywire.spi.Codec;
import io.arraywire.spi.MessageText;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@linkplain ArrayMessage array messages} in place, one after the other, part by part into
 * the caller's arrays. What it allocates does not grow with the elements, see {@link ArrayMessage}.
 *
 * <pre>{@code
 * MessageView view = MessageView.within(Limits.ofBytes(1 << 20));
 * view.read(buffer);
 * int count = view.readInto("scores", scores);
 * }</pre>
 *
 * <p>For one thread at a time. It describes the message that {@link #read} checked last. Its bytes
 * stay the caller's, and must not change as long as the view is in use. After a {@code read} that
 * threw it has no parts. It keeps the last buffer reachable until {@link #clear}.
 */
public final class MessageView {
  private final Limits limits;
  private final WholeFrame frame = new WholeFrame();

  private MessageView(Limits limits) {
    this.limits = Objects.requireNonNull(limits, "limits");
  }

  /**
   * A view that has read nothing yet.
   *
   * @param limits what messages may have
   * @return the view, to be used again and again
   */
  public static MessageView within(Limits limits) {
    return new MessageView(limits);
  }

  /**
   * Checks the message at a buffer's position, its checksum included.
   *
   * @param source the message, from its position on, which is advanced to what follows it; after an
   *     exception it is where it was. Heap or direct; its byte order is kept
   * @throws ProtocolException if the bytes are not such a message, are not all there or exceed a
   *     limit. Also if no codec of their encoding is present. Its code says which check failed
   * @throws java.util.ServiceConfigurationError if a provider of codecs cannot be loaded
   */
  public void read(ByteBuffer source) throws ProtocolException {
    source.position(frame.read(source, limits));
  }

  /**
   * The sender's number for the message.
   *
   * @return the tag, 0 when none was given
   */
  public long tag() {
    return frame.tag();
  }

  /**
   * The number of parts.
   *
   * @return parts; 0 before a message was read
   */
  public int parts() {
    return frame.table().parts();
  }

  /**
   * Whether there is a part of a name.
   *
   * @param name the name, {@link Message#UNNAMED} for the part without one
   * @return true if there is
   */
  public boolean has(String name) {
    return frame.table().indexOf(frame.bytes(), Objects.requireNonNull(name, "name")) >= 0;
  }

  /**
   * The element type of a part.
   *
   * @param name the name, {@link Message#UNNAMED} for the part without one
   * @return the type
   * @throws IllegalArgumentException if there is no such part
   */
  public ElementType type(String name) {
    return frame.table().type(index(name));
  }

  /**
   * The number of elements of a part.
   *
   * @param name the name, {@link Message#UNNAMED} for the part without one
   * @return elements
   * @throws IllegalArgumentException if there is no such part
   */
  public int count(String name) {
    return frame.table().count(index(name));
  }

  /**
   * The dimensions of a part, in a fresh array.
   *
   * @param name the name, {@link Message#UNNAMED} for the part without one
   * @return the dimensions, outermost first, empty when no shape was given
   * @throws IllegalArgumentException if there is no such part
   */
  public long[] shape(String name) {
    return frame.table().shape(frame.bytes(), index(name));
  }

  /**
   * The value of an attribute, a fresh {@code String}.
   *
   * @param key its key
   * @return the value, or null if there is none of that key
   */
  public @Nullable String attribute(String key) {
    return frame.table().attribute(frame.bytes(), Objects.requireNonNull(key, "key"));
  }

  /**
   * All attributes, in a fresh map of fresh strings. Takes no memory for elements.
   *
   * @return values by key, in the order of the message; empty before a message was read. It cannot
   *     be changed
   */
  public Map<String, String> attributes() {
    return frame.table().attributes(frame.bytes());
  }

  /**
   * The encoding of a part.
   *
   * @param name the name, {@link Message#UNNAMED} for the part without one
   * @return the encoding
   * @throws IllegalArgumentException if there is no such part
   */
  public Encoding encoding(String name) {
    return frame.table().encoding(index(name));
  }

  /**
   * Decodes the elements of a part into the caller's array.
   *
   * @param name the name, {@link Message#UNNAMED} for the part without one
   * @param array an array of the part's type with room for its elements
   * @return how many elements there are, from the beginning of the array on
   * @throws IllegalArgumentException if there is no such part, or the array has another type or too
   *     little room
   * @throws ProtocolException if a block of an encoding in blocks is malformed; the array then
   *     holds what was decoded before
   */
  public int readInto(String name, Object array) throws ProtocolException {
    return readInto(name, array, 0);
  }

  /**
   * Decodes the elements of a part into the caller's array.
   *
   * @param name the name, {@link Message#UNNAMED} for the part without one
   * @param array an array of the part's type
   * @param offset index of the first element in it
   * @return how many elements there are, from {@code offset} on
   * @throws IllegalArgumentException if there is no such part, or the array has another type or too
   *     little room
   * @throws IndexOutOfBoundsException if {@code offset} does not lie in the array
   * @throws ProtocolException if a block of an encoding in blocks is malformed; the array then
   *     holds what was decoded before
   */
  public int readInto(String name, Object array, int offset) throws ProtocolException {
    int part = index(name);
    MessageTable table = frame.table();
    int count = table.count(part);
    Part.checkTarget(name, table.type(part), count, array, offset);
    decode(part, array, offset);
    return count;
  }

  /**
   * The bytes of a part's elements, in place: for a typed view, or a reader of one's own. They
   * begin at a multiple of 8 from where the message begins.
   *
   * @param name the name, {@link Message#UNNAMED} for the part without one
   * @return a read-only buffer over the bytes, in the byte order of the elements
   * @throws IllegalArgumentException if there is no such part
   * @throws IllegalStateException if the elements of the part are in blocks
   */
  public ByteBuffer elements(String name) {
    int part = index(name);
    Codec blocks = frame.blocks(part);
    if (blocks != null) {
      throw new IllegalStateException(
          MessageText.brief(
              "the elements are in blocks and not in place; decode them with readInto",
              "encoding",
              blocks.encoding()));
    }
    return frame
        .elements(part)
        .slice()
        .asReadOnlyBuffer()
        .order(frame.table().encoding(part).order());
  }

  /**
   * The elements of a part, in an array of their own.
   *
   * @param name the name, {@link Message#UNNAMED} for the part without one
   * @return the whole of a fresh array
   * @throws IllegalArgumentException if there is no such part
   * @throws ProtocolException if a block of an encoding in blocks is malformed
   * @throws NoRoomException if there is no memory for the array
   */
  public ArraySlice slice(String name) throws ProtocolException, NoRoomException {
    return slice(index(name));
  }

  private ArraySlice slice(int part) throws ProtocolException, NoRoomException {
    ElementType type = frame.table().type(part);
    Object array = newArray(type, frame.table().count(part));
    decode(part, array, 0);
    return ArraySlice.ofArray(array).as(type);
  }

  /** Forgets the message, so that its buffer is no longer reachable from here. */
  public void clear() {
    frame.forget();
  }

  /**
   * The message as a value, with arrays of its own.
   *
   * @return the message
   * @throws ProtocolException if a block of an encoding in blocks is malformed
   * @throws NoRoomException if there is no memory for its arrays
   * @throws IllegalStateException if no message was read
   */
  public Message toMessage() throws ProtocolException, NoRoomException {
    MessageTable table = frame.table();
    if (table.parts() == 0) {
      throw new IllegalStateException("no message was read with this view");
    }
    ByteBuffer bytes = frame.bytes();
    List<Part> parts = new ArrayList<>(table.parts());
    for (int i = 0; i < table.parts(); i++) {
      parts.add(Part.decoded(table.name(bytes, i), slice(i), table.shape(bytes, i)));
    }
    return Message.decoded(parts, table.attributes(bytes), frame.tag());
  }

  private static Object newArray(ElementType type, int count) throws NoRoomException {
    try {
      return type.newArray(count);
    } catch (OutOfMemoryError e) {
      NoRoomException failure =
          new NoRoomException(
              ErrorCode.ALLOCATION_FAILED,
              "no memory for an array of a message; raise the heap or lower the limit of bytes",
              "type",
              type.typeName(),
              "elements",
              count);
      failure.because(e);
      throw failure;
    }
  }

  private void decode(int part, Object array, int offset) throws ProtocolException {
    MessageTable table = frame.table();
    int count = table.count(part);
    if (count == 0) {
      return;
    }
    Codec blocks = frame.blocks(part);
    try {
      if (blocks == null) {
        StandardCodecs.raw(table.encoding(part).order())
            .decode(table.type(part), frame.elements(part), array, offset, count);
      } else {
        frame.readBlocks(part, blocks, array, offset);
      }
    } finally {
      frame.littleEndian();
    }
  }

  private int index(String name) {
    int index = frame.table().indexOf(frame.bytes(), Objects.requireNonNull(name, "name"));
    if (index < 0) {
      throw new IllegalArgumentException(
          MessageText.brief(
              "the message has no part of that name", "name", name, "parts", names()));
    }
    return index;
  }

  private List<String> names() {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < frame.table().parts(); i++) {
      names.add(frame.table().name(frame.bytes(), i));
    }
    return names;
  }
}
