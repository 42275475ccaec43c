package io.arraywire.message;

import io.arraywire.ArraySlice;
import io.arraywire.ElementType;
import io.arraywire.spi.MessageText;
import java.lang.reflect.Array;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One array of a {@link Message}: name, element type, shape and elements.
 *
 * <p>A part <em>shares</em> the memory that it was made of. Immutable and safe for use by any
 * thread; the elements are as safe as the arrays are.
 */
public final class Part {
  private static final byte[] NO_BYTES = {};

  private final String name;
  private final byte[] nameBytes;
  private final ElementType type;
  private final List<ArraySlice> slices;
  private final int count;
  private final long[] shape;
  private final @Nullable String codec;

  private Part(String name, ElementType type, List<ArraySlice> slices, int count, long[] shape) {
    this(name, checkedName(name), type, slices, count, shape, null);
  }

  private Part(
      String name,
      byte[] nameBytes,
      ElementType type,
      List<ArraySlice> slices,
      int count,
      long[] shape,
      @Nullable String codec) {
    this.name = name;
    this.nameBytes = nameBytes;
    this.type = type;
    this.slices = slices;
    this.count = count;
    this.shape = shape;
    this.codec = codec;
  }

  /** A part of one slice. */
  static Part of(String name, ArraySlice slice, long... shape) {
    Objects.requireNonNull(slice, "slice");
    checkShape(name, slice.length(), shape);
    long[] dimensions = shape.length == 0 ? shape : shape.clone();
    return new Part(name, slice.type(), List.of(slice), slice.length(), dimensions);
  }

  /** A part of an array that nobody else has. */
  static Part decoded(String name, ArraySlice slice, long[] shape) {
    return new Part(name, slice.type(), List.of(slice), slice.length(), shape);
  }

  /** The same part with another codec, if it is one of a table. */
  Part encodedBy(@Nullable String name, boolean inTable) {
    if (!inTable) {
      throw new IllegalArgumentException(
          MessageText.brief(
              "one part without a name is encoded as the options say; name the codec in"
                  + " SendOptions.codec or MessageOptions.encodingNamed, or give the part a name",
              "codec",
              String.valueOf(name)));
    }
    return new Part(this.name, nameBytes, type, slices, count, shape, name);
  }

  /** A part of rows of one type and length. */
  static Part ofRows(String name, Object[] rows) {
    Class<?> row = rows.getClass().getComponentType();
    if (!row.isArray() || !row.getComponentType().isPrimitive()) {
      throw new IllegalArgumentException(
          MessageText.brief(
              "rows must be an array of primitive arrays, such as a float[][]",
              "part",
              name,
              "given",
              MessageText.kind(rows)));
    }
    ElementType type = ElementType.of(Array.newInstance(row.getComponentType(), 0));
    List<ArraySlice> slices = new ArrayList<>(rows.length);
    int columns = 0;
    for (int i = 0; i < rows.length; i++) {
      ArraySlice slice = ArraySlice.ofArray(Objects.requireNonNull(rows[i], "row"));
      columns = i == 0 ? slice.length() : columns;
      if (slice.length() != columns) {
        throw new IllegalArgumentException(
            MessageText.brief(
                "all rows must be of one length; pad the short ones or send them as parts",
                "part",
                name,
                "row",
                i,
                "length",
                slice.length(),
                "expected",
                columns));
      }
      slices.add(slice);
    }
    long count = (long) rows.length * columns;
    if (count > MessageLayout.MOST_ELEMENTS) {
      throw new IllegalArgumentException(
          MessageText.brief(
              "the rows hold more elements than a Java array can; send some of them at a time",
              "part",
              name,
              "elements",
              count,
              "limit",
              MessageLayout.MOST_ELEMENTS));
    }
    return new Part(
        name, type, List.copyOf(slices), (int) count, new long[] {rows.length, columns});
  }

  private static byte[] checkedName(String name) {
    if (Objects.requireNonNull(name, "name").isEmpty()) {
      return NO_BYTES;
    }
    int bytes = Utf8.bytes(name);
    if (bytes < 0) {
      throw new IllegalArgumentException(
          MessageText.brief(
              "a name must be whole characters, without half of a surrogate pair", "name", name));
    }
    if (bytes > Message.MAX_NAME_BYTES) {
      throw new IllegalArgumentException(
          MessageText.brief(
              "the name of a part is too long; shorten it",
              "name",
              name,
              "bytes",
              bytes,
              "limit",
              Message.MAX_NAME_BYTES));
    }
    return name.getBytes(StandardCharsets.UTF_8);
  }

  private static void checkShape(String name, int count, long[] shape) {
    Objects.requireNonNull(shape, "shape");
    if (shape.length > Message.MAX_DIMENSIONS) {
      throw new IllegalArgumentException(
          MessageText.brief(
              "the shape of a part has too many dimensions; merge some",
              "part",
              name,
              "dimensions",
              shape.length,
              "limit",
              Message.MAX_DIMENSIONS));
    }
    for (long dimension : shape) {
      if (dimension < 0) {
        throw new IllegalArgumentException(
            MessageText.brief(
                "the shape of a part has a negative dimension",
                "part",
                name,
                "shape",
                Arrays.toString(shape)));
      }
    }
    if (shape.length > 0 && !MessageLayout.holds(shape, count)) {
      throw new IllegalArgumentException(
          MessageText.brief(
              "the dimensions of a part must multiply to its number of elements",
              "part",
              name,
              "shape",
              Arrays.toString(shape),
              "elements",
              count));
    }
  }

  /**
   * The name, by which a reader asks for the part.
   *
   * @return the name, {@link Message#UNNAMED} if it has none
   */
  public String name() {
    return name;
  }

  /**
   * The element type.
   *
   * @return the type
   */
  public ElementType type() {
    return type;
  }

  /**
   * The number of elements.
   *
   * @return elements
   */
  public int count() {
    return count;
  }

  /**
   * The dimensions, outermost first.
   *
   * @return a copy, empty when no shape was given
   */
  public long[] shape() {
    return shape.length == 0 ? shape : shape.clone();
  }

  /**
   * The codec that encodes the part, as {@link Message#codec} has set it.
   *
   * @return its name; null for that of the options, and in a message that was received or decoded
   */
  public @Nullable String codec() {
    return codec;
  }

  /**
   * Where the elements lie, shared and not copied.
   *
   * @return one slice or, for {@linkplain Message#rows rows}, one for each
   */
  public List<ArraySlice> slices() {
    return slices;
  }

  /**
   * Copies all elements into the caller's array, without garbage.
   *
   * @param array an array of the part's type with room for {@link #count()} elements
   * @return how many elements were copied, to the beginning of the array
   * @throws IllegalArgumentException if it has another type or too little room
   */
  public int readInto(Object array) {
    return readInto(array, 0);
  }

  /**
   * Copies all elements into the caller's array, without garbage.
   *
   * @param array an array of the part's type
   * @param offset index of the first element in it
   * @return how many elements were copied
   * @throws IllegalArgumentException if it has another type or too little room
   * @throws IndexOutOfBoundsException if {@code offset} does not lie in the array
   */
  public int readInto(Object array, int offset) {
    Part.checkTarget(name, type, count, array, offset);
    int at = offset;
    for (int i = 0; i < slices.size(); i++) {
      ArraySlice slice = slices.get(i);
      System.arraycopy(slice.array(), slice.offset(), array, at, slice.length());
      at += slice.length();
    }
    return count;
  }

  /** Checks that a part can be copied into an array. */
  static void checkTarget(String name, ElementType type, int count, Object array, int offset) {
    ElementType target = ElementType.of(Objects.requireNonNull(array, "array"));
    // Several element types may lie in arrays of one class.
    if (target != type.carrier()) {
      throw anotherType(name, type, target.typeName());
    }
    int length = Array.getLength(array);
    Objects.checkFromToIndex(offset, length, length);
    if (count > length - offset) {
      throw new IllegalArgumentException(
          MessageText.brief(
              "the array is too short for the part; ask for its count first",
              "part",
              name,
              "elements",
              count,
              "room",
              length - offset));
    }
  }

  private static IllegalArgumentException anotherType(String name, ElementType type, String asked) {
    return new IllegalArgumentException(
        MessageText.brief(
            "the part has another element type; ask for that one",
            "part",
            name,
            "type",
            type.typeName(),
            "asked",
            asked));
  }

  byte[] nameBytes() {
    return nameBytes;
  }

  int dimensions() {
    return shape.length;
  }

  long dimension(int index) {
    return shape[index];
  }

  /** Bytes of its entry in a table of parts. */
  int entryBytes() {
    return MessageLayout.PART_HEAD_BYTES
        + Long.BYTES * shape.length
        + MessageLayout.padded(nameBytes.length);
  }

  /** Bytes of its elements. */
  long payloadBytes() {
    return (long) count * type.bytes();
  }

  private <T> T elements(Class<T> wanted) {
    if (!type.carrier().typeName().equals(wanted.getComponentType().getName())) {
      throw anotherType(name, type, wanted.getComponentType().getName());
    }
    if (slices.size() == 1 && slices.get(0).length() == Array.getLength(slices.get(0).array())) {
      return wanted.cast(slices.get(0).array());
    }
    Object all = type.newArray(count);
    readInto(all, 0);
    return wanted.cast(all);
  }

  @Override
  public String toString() {
    return (name.isEmpty() ? "" : MessageText.printable(name) + "=")
        + type.typeName()
        + (shape.length == 0 ? "[" + count + "]" : Arrays.toString(shape));
  }

  // The eight primitive types side by side; MessageTest proves that they agree.

  /**
   * Exactly the elements: the array itself if the part covers all of it, else a copy.
   *
   * @return the elements
   * @throws IllegalArgumentException if they have another type
   */
  public float[] floats() {
    return elements(float[].class);
  }

  /**
   * Exactly the elements: the array itself if the part covers all of it, else a copy.
   *
   * @return the elements
   * @throws IllegalArgumentException if they have another type
   */
  public int[] ints() {
    return elements(int[].class);
  }

  /**
   * Exactly the elements: the array itself if the part covers all of it, else a copy.
   *
   * @return the elements
   * @throws IllegalArgumentException if they have another type
   */
  public double[] doubles() {
    return elements(double[].class);
  }

  /**
   * Exactly the elements: the array itself if the part covers all of it, else a copy.
   *
   * @return the elements
   * @throws IllegalArgumentException if they have another type
   */
  public long[] longs() {
    return elements(long[].class);
  }

  /**
   * Exactly the elements: the array itself if the part covers all of it, else a copy.
   *
   * @return the elements
   * @throws IllegalArgumentException if they have another type
   */
  public short[] shorts() {
    return elements(short[].class);
  }

  /**
   * Exactly the elements: the array itself if the part covers all of it, else a copy.
   *
   * @return the elements
   * @throws IllegalArgumentException if they have another type
   */
  public char[] chars() {
    return elements(char[].class);
  }

  /**
   * Exactly the elements: the array itself if the part covers all of it, else a copy.
   *
   * @return the elements
   * @throws IllegalArgumentException if they have another type
   */
  public byte[] bytes() {
    return elements(byte[].class);
  }

  /**
   * Exactly the elements: the array itself if the part covers all of it, else a copy.
   *
   * @return the elements
   * @throws IllegalArgumentException if they have another type
   */
  public boolean[] booleans() {
    return elements(boolean[].class);
  }
}
