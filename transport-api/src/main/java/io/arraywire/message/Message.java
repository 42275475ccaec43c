package io.arraywire.message;

import io.arraywire.ArrayAttributes;
import io.arraywire.ArraySlice;
import io.arraywire.spi.MessageText;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One or more arrays that belong together, each with a name, an element type and a shape of its
 * own. Examples are ids and scores, the three arrays of a sparse matrix, a dictionary of weights.
 *
 * <pre>{@code
 * Message reply = Message.of("ids", ids).with("scores", scores).tag(7);
 * float[] scores = reply.floats("scores");
 * }</pre>
 *
 * <p><b>Ownership.</b> A message <em>shares</em> the arrays that it is made of. Nothing is copied
 * until it is encoded or sent, so do not change them before. A decoded message has arrays of its
 * own.
 *
 * <p>Immutable: {@code with}, {@code tag} and {@code attribute} return another message. Safe for
 * use by any thread, as far as the elements are.
 */
public final class Message extends TypedMakers {
  /**
   * The most parts of a message. The weights of most models fit; a larger model takes several
   * messages.
   */
  public static final int MAX_PARTS = 1024;

  /** The most bytes of a part's name in UTF-8. */
  public static final int MAX_NAME_BYTES = 255;

  /** The most dimensions of a shape. */
  public static final int MAX_DIMENSIONS = ArrayAttributes.MAX_DIMENSIONS;

  /** The most attributes of a message. */
  public static final int MAX_ATTRIBUTES = 16;

  /** The most bytes of an attribute's key in UTF-8. */
  public static final int MAX_KEY_BYTES = 64;

  /**
   * The most bytes of an attribute's value in UTF-8: a W3C {@code tracestate} may have 512, a
   * {@code traceparent} has 55.
   */
  public static final int MAX_VALUE_BYTES = 512;

  /** The most bytes that all keys and values take together: a trace context and three more. */
  public static final int MAX_ATTRIBUTE_BYTES = 2048;

  /** The name of the part that has none. */
  public static final String UNNAMED = "";

  private final List<Part> parts;
  private final Map<String, String> attributes;
  private final byte[] strings;
  private final long tag;
  private final int headBytes;
  private final long payloadBytes;
  private final long elements;

  /** With a table: what connections send with it, or what they send with another tag. */
  private @Nullable ArrayAttributes sent;

  private Message(List<Part> parts, Map<String, String> attributes, byte[] strings, long tag) {
    this.parts = parts;
    this.attributes = attributes;
    this.strings = strings;
    this.tag = tag;
    long head = strings.length == 0 ? 0 : MessageLayout.SECTION_HEAD_BYTES + strings.length;
    long payload = 0;
    long count = 0;
    if (hasTable()) {
      head += MessageLayout.SECTION_HEAD_BYTES;
      for (Part part : parts) {
        head += part.entryBytes();
        payload += MessageLayout.padded(part.payloadBytes());
        count += part.count();
      }
    } else {
      Part part = parts.get(0);
      head +=
          part.dimensions() == 0
              ? 0
              : MessageLayout.SECTION_HEAD_BYTES + (long) Long.BYTES * part.dimensions();
      payload = part.payloadBytes();
      count = part.count();
    }
    if (head > MessageLayout.MAX_ATTRIBUTE_BYTES) {
      throw new IllegalArgumentException(
          MessageText.brief(
              "names, shapes and attributes of a message take too many bytes; shorten the names or"
                  + " use several messages",
              "parts",
              parts.size(),
              "bytes",
              head,
              "limit",
              MessageLayout.MAX_ATTRIBUTE_BYTES));
    }
    headBytes = (int) head;
    payloadBytes = payload;
    elements = count;
  }

  /** A message of parts that were checked, whose names differ. */
  static Message decoded(List<Part> parts, Map<String, String> attributes, long tag) {
    return new Message(List.copyOf(parts), attributes, AttributeStrings.section(attributes), tag);
  }

  private static Message of(Part part) {
    return new Message(List.of(part), Map.of(), AttributeStrings.NONE, 0);
  }

  private Message with(Part part) {
    for (Part other : parts) {
      if (other.name().equals(part.name())) {
        throw new IllegalArgumentException(
            MessageText.brief(
                "a message has each name once; give the part another one",
                "name",
                part.name(),
                "parts",
                parts));
      }
    }
    if (parts.size() == MAX_PARTS) {
      throw new IllegalArgumentException(
          MessageText.brief(
              "a message has no room for a further part; use several messages",
              "name",
              part.name(),
              "limit",
              MAX_PARTS));
    }
    List<Part> all = new ArrayList<>(parts);
    all.add(part);
    return new Message(Collections.unmodifiableList(all), attributes, strings, tag);
  }

  /**
   * A message of one part without a name.
   *
   * @param slice the elements, not copied
   * @param shape the dimensions, outermost first; none if it needs no shape
   * @return the message
   * @throws IllegalArgumentException if the shape does not hold the elements
   */
  public static Message of(ArraySlice slice, long... shape) {
    return of(Part.of(UNNAMED, slice, shape));
  }

  /**
   * A message of one part.
   *
   * @param name its name, at most {@link #MAX_NAME_BYTES} bytes
   * @param slice the elements, not copied
   * @param shape the dimensions, outermost first; none if it needs no shape
   * @return the message
   * @throws IllegalArgumentException if the name is too long, or the shape does not hold the
   *     elements
   */
  public static Message of(String name, ArraySlice slice, long... shape) {
    return of(Part.of(name, slice, shape));
  }

  /**
   * The message with a further part.
   *
   * @param name its name, at most {@link #MAX_NAME_BYTES} bytes, which no other part has
   * @param slice the elements, not copied
   * @param shape the dimensions, outermost first; none if it needs no shape
   * @return another message
   * @throws IllegalArgumentException if the name is taken or too long, there are {@link #MAX_PARTS}
   *     already, or the shape does not hold the elements
   */
  @Override
  public Message with(String name, ArraySlice slice, long... shape) {
    return with(Part.of(name, slice, shape));
  }

  /**
   * A message of one part: the rows of a table, one after the other. Its shape is rows, columns.
   *
   * @param name the name of the part, {@link #UNNAMED} for none
   * @param rows a {@code float[][]}, {@code int[][]} or the like whose rows have one length; not
   *     copied
   * @return the message
   * @throws IllegalArgumentException if it is another array, or a row has another length
   */
  public static Message rows(String name, Object[] rows) {
    return of(Part.ofRows(name, rows));
  }

  /**
   * The message with a further part: the rows of a table, one after the other. Its shape is rows,
   * columns.
   *
   * @param name the name of the part, which no other part has
   * @param rows as for {@link #rows}
   * @return another message
   * @throws IllegalArgumentException as for {@link #rows}, and if the name is taken or there are
   *     {@link #MAX_PARTS} already
   */
  public Message withRows(String name, Object[] rows) {
    return with(Part.ofRows(name, rows));
  }

  /**
   * The same message with a tag.
   *
   * @param tag the sender's number for it, any value; 0 for none
   * @return another message
   */
  public Message tag(long tag) {
    Message tagged = new Message(parts, attributes, strings, tag);
    tagged.sent = sent;
    return tagged;
  }

  /**
   * The same message with a further attribute, or another value of one that it has: a trace
   * context, a unit, a version.
   *
   * @param key the key, 1 to {@link #MAX_KEY_BYTES} bytes
   * @param value the value, at most {@link #MAX_VALUE_BYTES} bytes
   * @return another message
   * @throws IllegalArgumentException if either is too long, or there are more than {@link
   *     #MAX_ATTRIBUTES}, or they take more than {@link #MAX_ATTRIBUTE_BYTES} together
   */
  public Message attribute(String key, String value) {
    Map<String, String> all = new LinkedHashMap<>(attributes);
    all.put(Objects.requireNonNull(key, "key"), Objects.requireNonNull(value, "value"));
    if (all.size() > MAX_ATTRIBUTES) {
      throw new IllegalArgumentException(
          MessageText.brief(
              "a message has no room for a further attribute; put several values into one, or into"
                  + " a part",
              "key",
              key,
              "limit",
              MAX_ATTRIBUTES));
    }
    AttributeStrings.checkLength("key", key, 1, MAX_KEY_BYTES);
    AttributeStrings.checkLength("value", value, 0, MAX_VALUE_BYTES);
    return new Message(parts, Collections.unmodifiableMap(all), AttributeStrings.section(all), tag);
  }

  /**
   * The same message with a codec for one of its parts. A part without one has that of the options,
   * if its encoding has the part's element type, and is {@code raw-le} otherwise.
   *
   * <p>A part takes {@code raw-le}, {@code raw-be}, or a codec of an encoding in blocks, such as
   * {@code shuffle-zstd} of {@code arraywire-compression}. {@link ArrayMessage} takes those that
   * are present. A connection takes those of {@link io.arraywire.Agreement#codecs()}, which the
   * peer decodes, and refuses others before a byte leaves. A subscriber that does not decode one
   * gets the part raw, and so does a session that continues over a connection without it. The byte
   * order of a published part stays. So a part that names {@code raw-be} needs subscribers that
   * decode {@code raw-be}; others do not get the message.
   *
   * @param part the name of the part
   * @param codec the {@linkplain io.arraywire.spi.Codec#name() name} of the codec; null for that of
   *     the options. Whether it is there shows when the message is encoded or sent
   * @return another message
   * @throws IllegalArgumentException if there is no such part, or the message is one part without a
   *     name: the options choose how that is encoded
   */
  public Message codec(String part, @Nullable String codec) {
    Part given = part(part).encodedBy(codec, hasTable());
    List<Part> all = new ArrayList<>(parts);
    all.set(indexOf(part), given);
    return new Message(Collections.unmodifiableList(all), attributes, strings, tag);
  }

  /**
   * The sender's number for the message.
   *
   * @return the tag, 0 when none was given
   */
  public long tag() {
    return tag;
  }

  /**
   * The attributes.
   *
   * @return an unmodifiable map, in the order in which they were given
   */
  public Map<String, String> attributes() {
    return attributes;
  }

  /**
   * The parts.
   *
   * @return an unmodifiable list of 1 to {@link #MAX_PARTS}, in the order in which they were given
   */
  public List<Part> parts() {
    return parts;
  }

  /**
   * Whether there is a part of a name.
   *
   * @param name the name
   * @return true if there is
   */
  public boolean has(String name) {
    return indexOf(name) >= 0;
  }

  /**
   * The part of a name.
   *
   * @param name the name, {@link #UNNAMED} for the part without one
   * @return the part
   * @throws IllegalArgumentException if there is none; the text names those there are
   */
  @Override
  public Part part(String name) {
    int index = indexOf(name);
    if (index < 0) {
      throw new IllegalArgumentException(
          MessageText.brief(
              name.isEmpty()
                  ? "the message has no part without a name; ask for one by its name"
                  : "the message has no part of that name",
              "name",
              name,
              "parts",
              parts));
    }
    return parts.get(index);
  }

  private int indexOf(String name) {
    Objects.requireNonNull(name, "name");
    for (int i = 0; i < parts.size(); i++) {
      if (parts.get(i).name().equals(name)) {
        return i;
      }
    }
    return -1;
  }

  /**
   * Copies the elements of a part into the caller's array, without garbage.
   *
   * @param name the name of the part, {@link #UNNAMED} for the part without one
   * @param array an array of the part's type with room for its elements
   * @return how many elements were copied, to the beginning of the array
   * @throws IllegalArgumentException if there is no such part, or the array has another type or too
   *     little room
   */
  public int readInto(String name, Object array) {
    return part(name).readInto(array, 0);
  }

  // Over connections.

  /**
   * A message of what was received.
   *
   * @param slice the elements, or with a table of parts the bytes of the message
   * @param attributes what came with them
   * @return the message; without a table it shares the elements
   */
  public static Message of(ArraySlice slice, ArrayAttributes attributes) {
    PartTable table = attributes.parts();
    return decoded(
        table == null
            ? List.of(Part.decoded(UNNAMED, slice, attributes.shape()))
            : table.parts(slice),
        attributes.metadata(),
        attributes.tag());
  }

  /**
   * A message whose parts have come over a connection, each into an array of its own. For
   * implementers of transports.
   *
   * @param elements of each part, not copied; of the type and the length that the table says
   * @param attributes what came with them, the table of parts included
   * @return the message
   */
  public static Message ofParts(List<ArraySlice> elements, ArrayAttributes attributes) {
    PartTable table = Objects.requireNonNull(attributes.parts(), "parts");
    List<Part> parts = new ArrayList<>(table.size());
    for (int i = 0; i < table.size(); i++) {
      parts.add(Part.decoded(table.name(i), elements.get(i), table.shape(i)));
    }
    return decoded(parts, attributes.metadata(), attributes.tag());
  }

  /**
   * All that a connection sends with the elements: tag, strings, and the shape of the only part or
   * the table of parts.
   *
   * @return attributes
   */
  public ArrayAttributes toAttributes() {
    if (!hasTable()) {
      return ArrayAttributes.of(tag, parts.get(0).shape(), attributes);
    }
    ArrayAttributes made = MessageWriter.attributes(this, sent);
    sent = made;
    return made;
  }

  /** Whether a table of parts is written, which one part without a name does without. */
  boolean hasTable() {
    return parts.size() > 1 || !parts.get(0).name().isEmpty();
  }

  /** Bytes between header and payload. */
  int headBytes() {
    return headBytes;
  }

  /** Bytes behind them. */
  long payloadBytes() {
    return payloadBytes;
  }

  /** Elements of all parts. */
  long elements() {
    return elements;
  }

  /** The entries of the section of strings. */
  byte[] strings() {
    return strings;
  }

  @Override
  public String toString() {
    return parts
        + (tag == 0 ? "" : ", tag=" + tag)
        + (attributes.isEmpty() ? "" : ", attributes=" + attributes.size());
  }
}
