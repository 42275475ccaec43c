package io.arraywire.message;

/** The elements of parts by their types: the same two methods for each of the eight. */
abstract class TypedParts {
  /**
   * A part.
   *
   * @throws IllegalArgumentException if there is none of this name
   */
  public abstract Part part(String name);

  /**
   * The elements of the part without a name: the array itself if the part covers all of it, else a
   * copy.
   *
   * @return exactly the elements
   * @throws IllegalArgumentException if there is no such part, or it has another type
   */
  public float[] floats() {
    return part(Message.UNNAMED).floats();
  }

  /**
   * The elements of a part: the array itself if the part covers all of it, else a copy.
   *
   * @param name the name of the part
   * @return exactly the elements
   * @throws IllegalArgumentException if there is no such part, or it has another type
   */
  public float[] floats(String name) {
    return part(name).floats();
  }

  /**
   * The elements of the part without a name: the array itself if the part covers all of it, else a
   * copy.
   *
   * @return exactly the elements
   * @throws IllegalArgumentException if there is no such part, or it has another type
   */
  public int[] ints() {
    return part(Message.UNNAMED).ints();
  }

  /**
   * The elements of a part: the array itself if the part covers all of it, else a copy.
   *
   * @param name the name of the part
   * @return exactly the elements
   * @throws IllegalArgumentException if there is no such part, or it has another type
   */
  public int[] ints(String name) {
    return part(name).ints();
  }

  /**
   * The elements of the part without a name: the array itself if the part covers all of it, else a
   * copy.
   *
   * @return exactly the elements
   * @throws IllegalArgumentException if there is no such part, or it has another type
   */
  public double[] doubles() {
    return part(Message.UNNAMED).doubles();
  }

  /**
   * The elements of a part: the array itself if the part covers all of it, else a copy.
   *
   * @param name the name of the part
   * @return exactly the elements
   * @throws IllegalArgumentException if there is no such part, or it has another type
   */
  public double[] doubles(String name) {
    return part(name).doubles();
  }

  /**
   * The elements of the part without a name: the array itself if the part covers all of it, else a
   * copy.
   *
   * @return exactly the elements
   * @throws IllegalArgumentException if there is no such part, or it has another type
   */
  public long[] longs() {
    return part(Message.UNNAMED).longs();
  }

  /**
   * The elements of a part: the array itself if the part covers all of it, else a copy.
   *
   * @param name the name of the part
   * @return exactly the elements
   * @throws IllegalArgumentException if there is no such part, or it has another type
   */
  public long[] longs(String name) {
    return part(name).longs();
  }

  /**
   * The elements of the part without a name: the array itself if the part covers all of it, else a
   * copy.
   *
   * @return exactly the elements
   * @throws IllegalArgumentException if there is no such part, or it has another type
   */
  public short[] shorts() {
    return part(Message.UNNAMED).shorts();
  }

  /**
   * The elements of a part: the array itself if the part covers all of it, else a copy.
   *
   * @param name the name of the part
   * @return exactly the elements
   * @throws IllegalArgumentException if there is no such part, or it has another type
   */
  public short[] shorts(String name) {
    return part(name).shorts();
  }

  /**
   * The elements of the part without a name: the array itself if the part covers all of it, else a
   * copy.
   *
   * @return exactly the elements
   * @throws IllegalArgumentException if there is no such part, or it has another type
   */
  public char[] chars() {
    return part(Message.UNNAMED).chars();
  }

  /**
   * The elements of a part: the array itself if the part covers all of it, else a copy.
   *
   * @param name the name of the part
   * @return exactly the elements
   * @throws IllegalArgumentException if there is no such part, or it has another type
   */
  public char[] chars(String name) {
    return part(name).chars();
  }

  /**
   * The elements of the part without a name: the array itself if the part covers all of it, else a
   * copy.
   *
   * @return exactly the elements
   * @throws IllegalArgumentException if there is no such part, or it has another type
   */
  public byte[] bytes() {
    return part(Message.UNNAMED).bytes();
  }

  /**
   * The elements of a part: the array itself if the part covers all of it, else a copy.
   *
   * @param name the name of the part
   * @return exactly the elements
   * @throws IllegalArgumentException if there is no such part, or it has another type
   */
  public byte[] bytes(String name) {
    return part(name).bytes();
  }

  /**
   * The elements of the part without a name: the array itself if the part covers all of it, else a
   * copy.
   *
   * @return exactly the elements
   * @throws IllegalArgumentException if there is no such part, or it has another type
   */
  public boolean[] booleans() {
    return part(Message.UNNAMED).booleans();
  }

  /**
   * The elements of a part: the array itself if the part covers all of it, else a copy.
   *
   * @param name the name of the part
   * @return exactly the elements
   * @throws IllegalArgumentException if there is no such part, or it has another type
   */
  public boolean[] booleans(String name) {
    return part(name).booleans();
  }
}
