package io.arraywire;

import io.arraywire.message.AttributeStrings;
import io.arraywire.message.Message;
import io.arraywire.message.PartTable;
import io.arraywire.spi.MessageText;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a sender adds to the elements of an array: a tag, a shape, metadata. What is absent takes no
 * bytes on the wire.
 *
 * <p>Immutable and safe for use by any thread: shapes are copied in and out.
 */
public final class ArrayAttributes {
  /** The most dimensions a shape may have. */
  public static final int MAX_DIMENSIONS = 32;

  private static final long[] NO_SHAPE = {};

  /** No tag, no shape, no metadata. */
  public static final ArrayAttributes NONE = new ArrayAttributes(0, NO_SHAPE, Map.of(), 0, null);

  private final long tag;
  private final long[] shape;
  private final Map<String, String> metadata;
  private final int metadataBytes;
  private final @Nullable PartTable parts;

  /** What else was made to send the message that these are of; null before that. Any thread. */
  @Nullable Object sent;

  private ArrayAttributes(
      long tag,
      long[] shape,
      Map<String, String> metadata,
      int metadataBytes,
      @Nullable PartTable parts) {
    this.tag = tag;
    this.shape = shape;
    this.metadata = metadata;
    this.metadataBytes = metadataBytes;
    this.parts = parts;
  }

  /**
   * A tag and nothing else.
   *
   * @param tag the caller's number for the array, any value; 0 when there is none
   * @return the attributes
   */
  public static ArrayAttributes tagged(long tag) {
    return tag == 0 ? NONE : new ArrayAttributes(tag, NO_SHAPE, Map.of(), 0, null);
  }

  /**
   * Attributes with a tag, a shape and metadata.
   *
   * @param tag the caller's number for the array, any value; 0 when there is none
   * @param shape the dimensions, outermost first; empty when there is none
   * @param metadata a few strings, such as a unit or a trace context; empty when there are none
   * @return the attributes
   * @throws IllegalArgumentException if a dimension is negative, there are more than {@link
   *     #MAX_DIMENSIONS}, or the metadata exceed one of the limits of {@link
   *     io.arraywire.message.Message}. They are {@value Message#MAX_ATTRIBUTES} strings, {@value
   *     Message#MAX_KEY_BYTES} bytes in a key, {@value Message#MAX_VALUE_BYTES} in a value, {@value
   *     Message#MAX_ATTRIBUTE_BYTES} together
   */
  public static ArrayAttributes of(long tag, long[] shape, Map<String, String> metadata) {
    return of(tag, shape, metadata, null);
  }

  /**
   * The same with the table of a message of parts.
   *
   * @param tag the caller's number for the message
   * @param shape empty if there is a table, which has a shape for each part
   * @param metadata a few strings
   * @param parts the table; null if there is none
   * @return the attributes
   * @throws IllegalArgumentException as {@link #of(long, long[], Map)}, or if there is a shape
   *     beside the table
   */
  public static ArrayAttributes of(
      long tag, long[] shape, Map<String, String> metadata, @Nullable PartTable parts) {
    Objects.requireNonNull(shape, "shape");
    Objects.requireNonNull(metadata, "metadata");
    if (shape.length > MAX_DIMENSIONS) {
      throw new IllegalArgumentException(
          "too many dimensions (dimensions=" + shape.length + ", limit=" + MAX_DIMENSIONS + ")");
    }
    for (long dimension : shape) {
      if (dimension < 0) {
        throw new IllegalArgumentException(
            MessageText.brief("negative dimension", "shape", Arrays.toString(shape)));
      }
    }
    if (parts != null && shape.length > 0) {
      throw new IllegalArgumentException(
          MessageText.brief(
              "the parts of a message have shapes of their own; leave that of the whole out",
              "shape",
              Arrays.toString(shape),
              "parts",
              parts));
    }
    if (tag == 0 && shape.length == 0 && metadata.isEmpty() && parts == null) {
      return NONE;
    }
    Map<String, String> strings = AttributeStrings.checked(metadata);
    return new ArrayAttributes(
        tag,
        shape.length == 0 ? NO_SHAPE : shape.clone(),
        strings,
        AttributeStrings.bytes(strings),
        parts);
  }

  /**
   * The same with one more string, or with another value for a key that is there already.
   *
   * @param key what it is, such as {@code traceparent}
   * @param value the string
   * @return new attributes
   * @throws IllegalArgumentException as {@link #of(long, long[], Map)}
   */
  public ArrayAttributes with(String key, String value) {
    Map<String, String> strings = new LinkedHashMap<>(metadata);
    strings.put(Objects.requireNonNull(key, "key"), Objects.requireNonNull(value, "value"));
    return of(tag, shape, strings, parts);
  }

  /** The same with another tag. */
  ArrayAttributes withTag(long other) {
    return of(other, shape, metadata, parts);
  }

  /** The same with another shape. */
  ArrayAttributes withShape(long... other) {
    return of(tag, other, metadata, parts);
  }

  /**
   * The caller's number for the array.
   *
   * @return the tag, 0 when none was given
   */
  public long tag() {
    return tag;
  }

  /**
   * The dimensions, outermost first.
   *
   * @return a copy, empty when no shape was given
   */
  public long[] shape() {
    return shape.clone();
  }

  /**
   * How many dimensions there are.
   *
   * @return the length of {@link #shape()}
   */
  public int dimensions() {
    return shape.length;
  }

  /**
   * A few strings for the receiver.
   *
   * @return an unmodifiable map, in the order in which the strings were given; empty when there are
   *     none
   */
  public Map<String, String> metadata() {
    return metadata;
  }

  /**
   * The size of the strings on the wire.
   *
   * @return bytes, 0 if there are none
   */
  public int metadataBytes() {
    return metadataBytes;
  }

  /**
   * The table of a message of parts. Its bytes are then the encoded parts, and {@link
   * ReceivedArray#message()} reads them.
   *
   * @return the table; null unless the array is a message of several parts, or of one part with a
   *     name
   */
  public @Nullable PartTable parts() {
    return parts;
  }

  /**
   * Whether the shape's dimensions multiply to a number of elements.
   *
   * @param count the number of elements
   * @return true also when there is no shape
   */
  public boolean shapeHolds(long count) {
    if (shape.length == 0) {
      return true;
    }
    for (long dimension : shape) {
      if (dimension == 0) {
        // Whatever the others multiply to, even if that overflows.
        return count == 0;
      }
    }
    long product = 1;
    for (long dimension : shape) {
      if (product > Long.MAX_VALUE / dimension) {
        return false;
      }
      product *= dimension;
    }
    return product == count;
  }

  /**
   * Whether anything but the tag is present, which takes bytes after the frame header.
   *
   * @return true if there is a shape, metadata or a table of parts
   */
  public boolean hasBody() {
    return shape.length > 0 || metadataBytes > 0 || parts != null;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ArrayAttributes that
        && tag == that.tag
        && Arrays.equals(shape, that.shape)
        && metadata.equals(that.metadata)
        && Objects.equals(parts, that.parts);
  }

  @Override
  public int hashCode() {
    return Objects.hash(tag, Arrays.hashCode(shape), metadata, parts);
  }

  @Override
  public String toString() {
    return "tag="
        + tag
        + ", shape="
        + Arrays.toString(shape)
        + ", metadataBytes="
        + metadataBytes
        + (parts == null ? "" : ", parts=" + parts);
  }
}
