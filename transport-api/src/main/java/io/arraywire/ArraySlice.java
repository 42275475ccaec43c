package io.arraywire;

import io.arraywire.source.ArraySink;
import io.arraywire.source.ArraySource;
import io.arraywire.source.ElementReader;
import io.arraywire.source.ElementWriter;
import io.arraywire.spi.BulkElements;
import io.arraywire.spi.MessageText;
import java.lang.reflect.Array;
import java.nio.Buffer;
import java.nio.ByteOrder;
import java.util.Objects;

/**
 * A run of elements of a primitive array: array, offset and length, without a copy.
 *
 * <p>A slice <em>shares</em> its array: a change to the array is a change to the slice. The method
 * that takes a slice says what you may do with the array while a transfer uses it.
 *
 * <p>Immutable and safe for use by any thread; the elements are as safe as the array is.
 */
public final class ArraySlice implements ArraySource, ArraySink {
  private final ElementType type;
  private final Object array;
  private final int offset;
  private final int length;

  private ArraySlice(ElementType type, Object array, int offset, int length, int arrayLength) {
    Objects.checkFromIndexSize(offset, length, arrayLength);
    this.type = type;
    this.array = array;
    this.offset = offset;
    this.length = length;
  }

  /**
   * The slice of an array whose type is known only at run time.
   *
   * @param array a primitive array
   * @param offset index of the first element
   * @param length number of elements
   * @return the slice
   * @throws IllegalArgumentException if {@code array} is not a primitive array
   * @throws IndexOutOfBoundsException if the slice does not lie inside the array
   */
  public static ArraySlice ofArray(Object array, int offset, int length) {
    Objects.requireNonNull(array, "array");
    return new ArraySlice(ElementType.of(array), array, offset, length, Array.getLength(array));
  }

  /**
   * All elements of an array whose type is known only at run time.
   *
   * @param array a primitive array
   * @return the slice
   * @throws IllegalArgumentException if {@code array} is not a primitive array
   */
  public static ArraySlice ofArray(Object array) {
    Objects.requireNonNull(array, "array");
    // The type first: Array.getLength has no helpful words for what is not an array.
    ElementType type = ElementType.of(array);
    int length = Array.getLength(array);
    return new ArraySlice(type, array, 0, length, length);
  }

  /**
   * The type of the elements.
   *
   * @return the element type
   */
  @Override
  public ElementType type() {
    return type;
  }

  /**
   * The array itself, shared and not copied.
   *
   * @return the array, of the class that the {@linkplain ElementType#carrier() carrier} of {@link
   *     #type()} says
   */
  public Object array() {
    return array;
  }

  /**
   * Where the slice begins.
   *
   * @return index of the first element in {@link #array()}
   */
  public int offset() {
    return offset;
  }

  /**
   * How long the slice is.
   *
   * @return number of elements
   */
  public int length() {
    return length;
  }

  /**
   * The same as {@link #length()}.
   *
   * @return number of elements
   */
  @Override
  public long count() {
    return length;
  }

  /** Reads from the array itself. Connections of this library use the array directly instead. */
  @Override
  public ElementReader open() {
    return (index, count, target) ->
        BulkElements.put(
            type,
            array,
            offset + Objects.checkFromIndexSize((int) index, count, length),
            count,
            target,
            target.order());
  }

  /** Writes to the array itself. Connections of this library use the array directly instead. */
  @Override
  public ElementWriter open(long elements, ByteOrder order) throws TargetMismatchException {
    if (elements > length) {
      throw new TargetMismatchException(
          "the array has more elements than the target has room for; give a larger target",
          "count",
          elements,
          "room",
          length);
    }
    return (index, some, source) ->
        BulkElements.get(
            type,
            source,
            array,
            offset + Objects.checkFromIndexSize((int) index, some, length),
            some,
            order);
  }

  /**
   * The memory that the elements take.
   *
   * @return bytes, which may exceed {@link Integer#MAX_VALUE}
   */
  @Override
  public long bytes() {
    return (long) length * type.bytes();
  }

  /**
   * The same elements declared as another type that is kept in arrays of the same class, such as
   * {@link ElementType#FP16} in a {@code short[]}. Nothing is copied or converted.
   *
   * @param other the type that the elements are meant as
   * @return a slice of that type; this one if it has it
   * @throws IllegalArgumentException if elements of that type lie in arrays of another class
   */
  public ArraySlice as(ElementType other) {
    Objects.requireNonNull(other, "other");
    if (other == type) {
      return this;
    }
    if (other.carrier() != type.carrier()) {
      throw new IllegalArgumentException(
          MessageText.brief(
              "elements of this type do not lie in an array of this class; give an array of the"
                  + " type's carrier",
              "asked",
              other.typeName(),
              "carrier",
              other.carrier().typeName() + "[]",
              "given",
              type.carrier().typeName() + "[]"));
    }
    return new ArraySlice(other, array, offset, length, offset + length);
  }

  /**
   * Where elements are received that do not lie in an array: its {@link #array()} is the buffer,
   * from index 0 on, which the engine knows.
   */
  static ArraySlice ofBuffer(Buffer target) {
    ElementType type = ElementType.ofBuffer(target);
    if (target.isReadOnly()) {
      throw new IllegalArgumentException("the buffer to receive into is read-only");
    }
    int room = target.remaining();
    return target.hasArray()
        ? ofArray(target.array(), target.arrayOffset() + target.position(), room)
        : new ArraySlice(type, target.slice(), 0, room, room);
  }

  /**
   * A stand-in for the bytes of a message of parts before they are put together: its {@link
   * #array()} is the message. For implementers of transports.
   *
   * @param message the message
   * @param bytes how many bytes its parts take
   * @return a slice of bytes
   */
  public static ArraySlice ofParts(Object message, int bytes) {
    return new ArraySlice(ElementType.BYTE, message, 0, bytes, bytes);
  }

  @Override
  public String toString() {
    return type.typeName() + "[offset=" + offset + ", length=" + length + "]";
  }

  // The eight primitive types side by side; ArraySliceTest proves that they agree.

  /**
   * All elements of an array.
   *
   * @param array the array
   * @return the slice
   */
  public static ArraySlice of(float[] array) {
    return of(array, 0, Objects.requireNonNull(array, "array").length);
  }

  /**
   * Some elements of an array.
   *
   * @param array the array
   * @param offset index of the first element
   * @param length number of elements
   * @return the slice
   * @throws IndexOutOfBoundsException if the slice does not lie inside the array
   */
  public static ArraySlice of(float[] array, int offset, int length) {
    return new ArraySlice(
        ElementType.FLOAT, array, offset, length, Objects.requireNonNull(array, "array").length);
  }

  /**
   * All elements of an array.
   *
   * @param array the array
   * @return the slice
   */
  public static ArraySlice of(int[] array) {
    return of(array, 0, Objects.requireNonNull(array, "array").length);
  }

  /**
   * Some elements of an array.
   *
   * @param array the array
   * @param offset index of the first element
   * @param length number of elements
   * @return the slice
   * @throws IndexOutOfBoundsException if the slice does not lie inside the array
   */
  public static ArraySlice of(int[] array, int offset, int length) {
    return new ArraySlice(
        ElementType.INT, array, offset, length, Objects.requireNonNull(array, "array").length);
  }

  /**
   * All elements of an array.
   *
   * @param array the array
   * @return the slice
   */
  public static ArraySlice of(double[] array) {
    return of(array, 0, Objects.requireNonNull(array, "array").length);
  }

  /**
   * Some elements of an array.
   *
   * @param array the array
   * @param offset index of the first element
   * @param length number of elements
   * @return the slice
   * @throws IndexOutOfBoundsException if the slice does not lie inside the array
   */
  public static ArraySlice of(double[] array, int offset, int length) {
    return new ArraySlice(
        ElementType.DOUBLE, array, offset, length, Objects.requireNonNull(array, "array").length);
  }

  /**
   * All elements of an array.
   *
   * @param array the array
   * @return the slice
   */
  public static ArraySlice of(long[] array) {
    return of(array, 0, Objects.requireNonNull(array, "array").length);
  }

  /**
   * Some elements of an array.
   *
   * @param array the array
   * @param offset index of the first element
   * @param length number of elements
   * @return the slice
   * @throws IndexOutOfBoundsException if the slice does not lie inside the array
   */
  public static ArraySlice of(long[] array, int offset, int length) {
    return new ArraySlice(
        ElementType.LONG, array, offset, length, Objects.requireNonNull(array, "array").length);
  }

  /**
   * All elements of an array.
   *
   * @param array the array
   * @return the slice
   */
  public static ArraySlice of(short[] array) {
    return of(array, 0, Objects.requireNonNull(array, "array").length);
  }

  /**
   * Some elements of an array.
   *
   * @param array the array
   * @param offset index of the first element
   * @param length number of elements
   * @return the slice
   * @throws IndexOutOfBoundsException if the slice does not lie inside the array
   */
  public static ArraySlice of(short[] array, int offset, int length) {
    return new ArraySlice(
        ElementType.SHORT, array, offset, length, Objects.requireNonNull(array, "array").length);
  }

  /**
   * All elements of an array.
   *
   * @param array the array
   * @return the slice
   */
  public static ArraySlice of(char[] array) {
    return of(array, 0, Objects.requireNonNull(array, "array").length);
  }

  /**
   * Some elements of an array.
   *
   * @param array the array
   * @param offset index of the first element
   * @param length number of elements
   * @return the slice
   * @throws IndexOutOfBoundsException if the slice does not lie inside the array
   */
  public static ArraySlice of(char[] array, int offset, int length) {
    return new ArraySlice(
        ElementType.CHAR, array, offset, length, Objects.requireNonNull(array, "array").length);
  }

  /**
   * All elements of an array.
   *
   * @param array the array
   * @return the slice
   */
  public static ArraySlice of(byte[] array) {
    return of(array, 0, Objects.requireNonNull(array, "array").length);
  }

  /**
   * Some elements of an array.
   *
   * @param array the array
   * @param offset index of the first element
   * @param length number of elements
   * @return the slice
   * @throws IndexOutOfBoundsException if the slice does not lie inside the array
   */
  public static ArraySlice of(byte[] array, int offset, int length) {
    return new ArraySlice(
        ElementType.BYTE, array, offset, length, Objects.requireNonNull(array, "array").length);
  }

  /**
   * All elements of an array.
   *
   * @param array the array
   * @return the slice
   */
  public static ArraySlice of(boolean[] array) {
    return of(array, 0, Objects.requireNonNull(array, "array").length);
  }

  /**
   * Some elements of an array.
   *
   * @param array the array
   * @param offset index of the first element
   * @param length number of elements
   * @return the slice
   * @throws IndexOutOfBoundsException if the slice does not lie inside the array
   */
  public static ArraySlice of(boolean[] array, int offset, int length) {
    return new ArraySlice(
        ElementType.BOOLEAN, array, offset, length, Objects.requireNonNull(array, "array").length);
  }
}
