package io.arraywire;

import io.arraywire.spi.MessageText;
import java.lang.reflect.Array;
import java.util.Objects;

/**
 * Takes the rows of arrays one after the other. Takes those that a {@link RowWriter} has sent
 * together, and arrays that came alone, which are one row each.
 *
 * <p>An array of two dimensions or more has as many rows as its first says. One of a single
 * dimension or without a shape is one row; one without elements has none. Arrays are received into
 * memory of the reader's, and so acknowledged, before their rows are read; rows that nobody reads
 * are lost with the reader.
 *
 * <p>For one thread at a time. Other receive calls on the same {@link ArrayInput} get whole arrays,
 * which the reader then does not see.
 */
public final class RowReader {
  private final ArrayInput input;
  private final Object memory;
  private final ArraySlice room;
  private final ArrayInfo note = new ArrayInfo();
  private int rows;
  private int rowLength;

  /** Elements before the next row. */
  private int position;

  private RowReader(ArrayInput input, ElementType type, int capacity) {
    this.input = Objects.requireNonNull(input, "input");
    Objects.requireNonNull(type, "type");
    if (capacity < 1) {
      throw new IllegalArgumentException("capacity must be at least 1 (capacity=" + capacity + ")");
    }
    memory = type.newArray(capacity);
    room = ArraySlice.ofArray(memory).as(type);
  }

  /**
   * Makes a reader.
   *
   * @param input gives the arrays, a connection or a channel without a handler; it stays open
   * @param type of their elements
   * @param capacity elements of the largest array that may come, all its rows together; the reader
   *     keeps memory for it
   * @return the reader
   * @throws IllegalArgumentException if the capacity is less than 1
   */
  public static RowReader of(ArrayInput input, ElementType type, int capacity) {
    return new RowReader(input, type, capacity);
  }

  /**
   * Rows that are here and can be read without waiting.
   *
   * @return rows, of one array
   */
  public int ready() {
    return rows;
  }

  /**
   * Reads the next row, and waits for it if there is none.
   *
   * @param array where it goes, of the reader's type
   * @param offset where in it the row is to begin
   * @return how many elements the row has
   * @throws IllegalArgumentException if the array is of another type
   * @throws IndexOutOfBoundsException if the offset does not lie in the array
   * @throws TargetMismatchException if the row is longer than the array is from the offset on. Or
   *     if the next array is not of the reader's type or larger than its memory. Neither is lost
   * @throws ArraywireException as {@link ArrayInput#receiveInto(ArraySlice)}
   * @throws InterruptedException if the caller is interrupted while it waits
   */
  public int read(Object array, int offset) throws ArraywireException, InterruptedException {
    Objects.requireNonNull(array, "array");
    if (array.getClass() != memory.getClass()) {
      throw new IllegalArgumentException(
          MessageText.brief(
              "the rows have another type than the array; give an array of their" + " type",
              "type",
              MessageText.kind(array),
              "reader",
              MessageText.kind(memory)));
    }
    int length = Array.getLength(array);
    if (offset < 0 || offset > length) {
      throw new IndexOutOfBoundsException(
          "the row cannot begin outside of the array (offset="
              + offset
              + ", length="
              + length
              + ")");
    }
    return read(array, offset, length - offset);
  }

  /**
   * Reads the next row to the beginning of an array, and waits for it if there is none.
   *
   * @param array where it goes, of the reader's type; the row may be shorter
   * @return how many elements the row has
   * @throws IllegalArgumentException as {@link #read(Object, int)}
   * @throws ArraywireException as {@link #read(Object, int)}
   * @throws InterruptedException as {@link #read(Object, int)}
   */
  public int read(Object array) throws ArraywireException, InterruptedException {
    return read(array, 0);
  }

  /**
   * Reads the next row, and waits for it if there is none.
   *
   * @param target where it goes; the row may be shorter
   * @return how many elements the row has
   * @throws IllegalArgumentException as {@link #read(Object, int)}
   * @throws ArraywireException as {@link #read(Object, int)}
   * @throws InterruptedException as {@link #read(Object, int)}
   */
  public int read(ArraySlice target) throws ArraywireException, InterruptedException {
    if (target.type() != room.type()) {
      throw new IllegalArgumentException(
          "the rows have another type than the slice; give a slice of their type (type="
              + target.type().typeName()
              + ", reader="
              + room.type().typeName()
              + ")");
    }
    return read(target.array(), target.offset(), target.length());
  }

  private int read(Object array, int offset, int most)
      throws ArraywireException, InterruptedException {
    while (rows == 0) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      receive();
    }
    if (rowLength > most) {
      throw new TargetMismatchException(
          "the row has more elements than there is room for; read it again into a larger array",
          "rowLength",
          rowLength,
          "room",
          most);
    }
    System.arraycopy(memory, position, array, offset, rowLength);
    position += rowLength;
    rows--;
    return rowLength;
  }

  private void receive() throws ArraywireException, InterruptedException {
    input.receiveInto(room, note);
    position = 0;
    if (note.count() == 0) {
      // Whatever its shape says, which may be any number of nothing.
      return;
    }
    long[] shape = note.attributes().shape();
    // All dimensions multiply to the number of elements, so none is more than that.
    rows = shape.length < 2 ? 1 : (int) shape[0];
    rowLength = note.count() / rows;
  }
}
