package io.arraywire;

import java.util.Objects;

/**
 * An array that has arrived whole and was checked.
 *
 * <p>The elements lie in {@link #slice()}, which belongs to the receiver: a fresh array of exactly
 * the right length, or the caller's own, of which the first {@link #count()} elements of the slice
 * that it gave were filled.
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

  private <T> T array(Class<T> wanted) {
    if (!wanted.isInstance(slice.array())) {
      throw new IllegalStateException(
          "the array has another element type (asked="
              + wanted.getComponentType()
              + ", type="
              + type().javaName()
              + ")");
    }
    return wanted.cast(slice.array());
  }

  /**
   * The array that holds the elements, from {@code slice().offset()} on.
   *
   * @return the array itself, not a copy
   * @throws IllegalStateException if the elements have another type
   */
  public float[] floats() {
    return array(float[].class);
  }

  /**
   * The array that holds the elements, from {@code slice().offset()} on.
   *
   * @return the array itself, not a copy
   * @throws IllegalStateException if the elements have another type
   */
  public int[] ints() {
    return array(int[].class);
  }

  /**
   * The array that holds the elements, from {@code slice().offset()} on.
   *
   * @return the array itself, not a copy
   * @throws IllegalStateException if the elements have another type
   */
  public double[] doubles() {
    return array(double[].class);
  }

  /**
   * The array that holds the elements, from {@code slice().offset()} on.
   *
   * @return the array itself, not a copy
   * @throws IllegalStateException if the elements have another type
   */
  public long[] longs() {
    return array(long[].class);
  }

  /**
   * The array that holds the elements, from {@code slice().offset()} on.
   *
   * @return the array itself, not a copy
   * @throws IllegalStateException if the elements have another type
   */
  public short[] shorts() {
    return array(short[].class);
  }

  /**
   * The array that holds the elements, from {@code slice().offset()} on.
   *
   * @return the array itself, not a copy
   * @throws IllegalStateException if the elements have another type
   */
  public char[] chars() {
    return array(char[].class);
  }

  /**
   * The array that holds the elements, from {@code slice().offset()} on.
   *
   * @return the array itself, not a copy
   * @throws IllegalStateException if the elements have another type
   */
  public byte[] bytes() {
    return array(byte[].class);
  }

  /**
   * The array that holds the elements, from {@code slice().offset()} on.
   *
   * @return the array itself, not a copy
   * @throws IllegalStateException if the elements have another type
   */
  public boolean[] booleans() {
    return array(boolean[].class);
  }
}
