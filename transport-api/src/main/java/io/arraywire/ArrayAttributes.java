package io.arraywire;

import io.arraywire.spi.MessageText;
import java.util.Arrays;
import java.util.Objects;

/**
 * What a sender says of an array beside its elements. Costs nothing on the wire where absent.
 *
 * <p>Immutable and safe for use by any thread: arrays are copied in and out.
 */
public final class ArrayAttributes {
  /** The most metadata bytes an array may carry. */
  public static final int MAX_METADATA_BYTES = 768;

  /** The most dimensions a shape may have. */
  public static final int MAX_DIMENSIONS = 32;

  /** No tag, no shape, no metadata. */
  public static final ArrayAttributes NONE = new ArrayAttributes(0, new long[0], new byte[0]);

  private final long tag;
  private final long[] shape;
  private final byte[] metadata;

  private ArrayAttributes(long tag, long[] shape, byte[] metadata) {
    this.tag = tag;
    this.shape = shape;
    this.metadata = metadata;
  }

  /**
   * Attributes with a tag, a shape and metadata.
   *
   * @param tag the caller's number for the array, any value; 0 when there is none
   * @param shape the dimensions, outermost first; empty when there is none
   * @param metadata opaque bytes; empty when there are none
   * @return the attributes
   * @throws IllegalArgumentException if a dimension is negative, there are more than {@link
   *     #MAX_DIMENSIONS}, or more than {@link #MAX_METADATA_BYTES} of metadata
   */
  public static ArrayAttributes of(long tag, long[] shape, byte[] metadata) {
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
    if (metadata.length > MAX_METADATA_BYTES) {
      throw new IllegalArgumentException(
          "too much metadata; send what is larger as an array of its own (bytes="
              + metadata.length
              + ", limit="
              + MAX_METADATA_BYTES
              + ")");
    }
    if (tag == 0 && shape.length == 0 && metadata.length == 0) {
      return NONE;
    }
    return new ArrayAttributes(
        tag,
        shape.length == 0 ? NONE.shape : shape.clone(),
        metadata.length == 0 ? NONE.metadata : metadata.clone());
  }

  /** The same with another tag. */
  ArrayAttributes withTag(long other) {
    return of(other, shape, metadata);
  }

  /** The same with another shape. */
  ArrayAttributes withShape(long... other) {
    return of(tag, other, metadata);
  }

  /** The same with other metadata. */
  ArrayAttributes withMetadata(byte[] other) {
    return of(tag, shape, other);
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
   * Opaque bytes for the receiver.
   *
   * @return a copy, empty when none were given
   */
  public byte[] metadata() {
    return metadata.clone();
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
   * @return true if there is a shape or metadata
   */
  public boolean hasBody() {
    return shape.length > 0 || metadata.length > 0;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ArrayAttributes that
        && tag == that.tag
        && Arrays.equals(shape, that.shape)
        && Arrays.equals(metadata, that.metadata);
  }

  @Override
  public int hashCode() {
    return Objects.hash(tag, Arrays.hashCode(shape), Arrays.hashCode(metadata));
  }

  @Override
  public String toString() {
    return "tag="
        + tag
        + ", shape="
        + Arrays.toString(shape)
        + ", metadataBytes="
        + metadata.length;
  }
}
