package io.arraywire;

import io.arraywire.message.Message;
import io.arraywire.message.PartTable;
import java.lang.reflect.Array;
import java.util.Objects;

/**
 * An array that has arrived whole and was checked. Immutable; the elements are as safe for use by
 * several threads as their array is.
 *
 * <p>{@link #floats()} and its siblings give exactly the elements. These lie in {@link #slice()},
 * which belongs to the receiver. That is a fresh array of exactly the right length, or the caller's
 * own. Of the slice that a caller gave, the first {@link #count()} elements were filled.
 *
 * <p>The elements of an array whose handler named a {@link io.arraywire.source.ArraySink} that is
 * no slice are where the sink put them: {@code slice()} is empty then.
 *
 * @param header type, count, sequence and attributes
 * @param slice the elements, {@link #count()} of them
 * @param receipt what the transfer cost at this end
 */
public record ReceivedArray(ArrayHeader header, ArraySlice slice, Receipt receipt) {

  /** Checks its parts. */
  public ReceivedArray {
    Objects.requireNonNull(header, "header");
    Objects.requireNonNull(slice, "slice");
    Objects.requireNonNull(receipt, "receipt");
  }

  /**
   * The elements. For a message whose parts arrived in arrays of their own, each call puts their
   * bytes together; {@link #message()} and {@link #readInto} use the parts as they are.
   *
   * @return where they lie
   */
  @Override
  public ArraySlice slice() {
    return slice.array() instanceof Message parts
        ? ArraySlice.of(MessageSlices.bytes(parts, slice.length()))
        : slice;
  }

  /**
   * The element type.
   *
   * @return the type
   */
  public ElementType type() {
    return header.type();
  }

  /**
   * The number of elements.
   *
   * @return elements
   */
  public int count() {
    return header.count();
  }

  /**
   * The sender's number for the array.
   *
   * @return the tag, 0 when none was given
   */
  public long tag() {
    return header.attributes().tag();
  }

  /**
   * This array as a message. A message that was sent has its parts again, each in an array of its
   * own. Any other array becomes the one part of a message, without a name, and shares the
   * elements.
   *
   * @return the message
   */
  public Message message() {
    return slice.array() instanceof Message whole ? whole : Message.of(slice, header.attributes());
  }

  /**
   * Copies the elements of a part into an array of the caller's, without garbage.
   *
   * @param part its name
   * @param array of the class that holds its elements, with room for them
   * @return the number of elements
   * @throws IllegalArgumentException if there is no part of that name, or the array has another
   *     class or too little room
   */
  public int readInto(String part, Object array) {
    PartTable parts = header.attributes().parts();
    return parts == null || slice.array() instanceof Message
        ? message().readInto(part, array)
        : parts.readInto(slice, part, array, 0);
  }

  private <T> T elements(Class<T> wanted) {
    ArraySlice elements = slice();
    Object array = elements.array();
    if (!wanted.isInstance(array)) {
      throw new IllegalStateException(
          "the array has another element type; call "
              + type().carrier().typeName()
              + "s() (asked="
              + wanted.getComponentType()
              + ", type="
              + type().typeName()
              + ")");
    }
    if (Array.getLength(array) == elements.length()) {
      return wanted.cast(array);
    }
    Object exact = type().newArray(elements.length());
    System.arraycopy(array, elements.offset(), exact, 0, elements.length());
    return wanted.cast(exact);
  }

  /**
   * The elements, exactly {@link #count()} of them.
   *
   * @return the array of {@link #slice()} if it holds nothing else, otherwise a copy
   * @throws IllegalStateException if the elements have another type
   */
  public float[] floats() {
    return elements(float[].class);
  }

  /**
   * The elements, exactly {@link #count()} of them.
   *
   * @return the array of {@link #slice()} if it holds nothing else, otherwise a copy
   * @throws IllegalStateException if the elements have another type
   */
  public int[] ints() {
    return elements(int[].class);
  }

  /**
   * The elements, exactly {@link #count()} of them.
   *
   * @return the array of {@link #slice()} if it holds nothing else, otherwise a copy
   * @throws IllegalStateException if the elements have another type
   */
  public double[] doubles() {
    return elements(double[].class);
  }

  /**
   * The elements, exactly {@link #count()} of them.
   *
   * @return the array of {@link #slice()} if it holds nothing else, otherwise a copy
   * @throws IllegalStateException if the elements have another type
   */
  public long[] longs() {
    return elements(long[].class);
  }

  /**
   * The elements, exactly {@link #count()} of them.
   *
   * @return the array of {@link #slice()} if it holds nothing else, otherwise a copy
   * @throws IllegalStateException if the elements have another type
   */
  public short[] shorts() {
    return elements(short[].class);
  }

  /**
   * The elements, exactly {@link #count()} of them.
   *
   * @return the array of {@link #slice()} if it holds nothing else, otherwise a copy
   * @throws IllegalStateException if the elements have another type
   */
  public char[] chars() {
    return elements(char[].class);
  }

  /**
   * The elements, exactly {@link #count()} of them.
   *
   * @return the array of {@link #slice()} if it holds nothing else, otherwise a copy
   * @throws IllegalStateException if the elements have another type
   */
  public byte[] bytes() {
    return elements(byte[].class);
  }

  /**
   * The elements, exactly {@link #count()} of them.
   *
   * @return the array of {@link #slice()} if it holds nothing else, otherwise a copy
   * @throws IllegalStateException if the elements have another type
   */
  public boolean[] booleans() {
    return elements(boolean[].class);
  }
}
