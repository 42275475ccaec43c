package io.arraywire.message;

import io.arraywire.ArraySlice;

/**
 * What a message is made of, by element type: the eight primitive types side by side. MessageTest
 * proves that they agree.
 */
abstract class TypedMakers extends TypedParts {
  TypedMakers() {}

  /**
   * The message with a further part.
   *
   * @param name its name, which no other part has
   * @param slice the elements, not copied
   * @param shape the dimensions, outermost first; none if it needs no shape
   * @return another message
   */
  abstract Message with(String name, ArraySlice slice, long... shape);

  /**
   * A message of one part without a name.
   *
   * @param array the elements, not copied
   * @param shape the dimensions, outermost first; none if it needs no shape
   * @return the message
   * @throws IllegalArgumentException if the shape does not hold the elements
   */
  public static Message of(float[] array, long... shape) {
    return Message.of(ArraySlice.of(array), shape);
  }

  /**
   * A message of one part.
   *
   * @param name its name, at most {@link Message#MAX_NAME_BYTES} bytes
   * @param array the elements, not copied
   * @param shape the dimensions, outermost first; none if it needs no shape
   * @return the message
   * @throws IllegalArgumentException as {@link Message#of(String, ArraySlice, long...)}
   */
  public static Message of(String name, float[] array, long... shape) {
    return Message.of(name, ArraySlice.of(array), shape);
  }

  /**
   * The message with a further part.
   *
   * @param name its name, which no other part has
   * @param array the elements, not copied
   * @param shape the dimensions, outermost first; none if it needs no shape
   * @return another message
   * @throws IllegalArgumentException as {@link #with(String, ArraySlice, long...)}
   */
  public Message with(String name, float[] array, long... shape) {
    return with(name, ArraySlice.of(array), shape);
  }

  /**
   * A message of one part without a name.
   *
   * @param array the elements, not copied
   * @param shape the dimensions, outermost first; none if it needs no shape
   * @return the message
   * @throws IllegalArgumentException if the shape does not hold the elements
   */
  public static Message of(int[] array, long... shape) {
    return Message.of(ArraySlice.of(array), shape);
  }

  /**
   * A message of one part.
   *
   * @param name its name, at most {@link Message#MAX_NAME_BYTES} bytes
   * @param array the elements, not copied
   * @param shape the dimensions, outermost first; none if it needs no shape
   * @return the message
   * @throws IllegalArgumentException as {@link Message#of(String, ArraySlice, long...)}
   */
  public static Message of(String name, int[] array, long... shape) {
    return Message.of(name, ArraySlice.of(array), shape);
  }

  /**
   * The message with a further part.
   *
   * @param name its name, which no other part has
   * @param array the elements, not copied
   * @param shape the dimensions, outermost first; none if it needs no shape
   * @return another message
   * @throws IllegalArgumentException as {@link #with(String, ArraySlice, long...)}
   */
  public Message with(String name, int[] array, long... shape) {
    return with(name, ArraySlice.of(array), shape);
  }

  /**
   * A message of one part without a name.
   *
   * @param array the elements, not copied
   * @param shape the dimensions, outermost first; none if it needs no shape
   * @return the message
   * @throws IllegalArgumentException if the shape does not hold the elements
   */
  public static Message of(double[] array, long... shape) {
    return Message.of(ArraySlice.of(array), shape);
  }

  /**
   * A message of one part.
   *
   * @param name its name, at most {@link Message#MAX_NAME_BYTES} bytes
   * @param array the elements, not copied
   * @param shape the dimensions, outermost first; none if it needs no shape
   * @return the message
   * @throws IllegalArgumentException as {@link Message#of(String, ArraySlice, long...)}
   */
  public static Message of(String name, double[] array, long... shape) {
    return Message.of(name, ArraySlice.of(array), shape);
  }

  /**
   * The message with a further part.
   *
   * @param name its name, which no other part has
   * @param array the elements, not copied
   * @param shape the dimensions, outermost first; none if it needs no shape
   * @return another message
   * @throws IllegalArgumentException as {@link #with(String, ArraySlice, long...)}
   */
  public Message with(String name, double[] array, long... shape) {
    return with(name, ArraySlice.of(array), shape);
  }

  /**
   * A message of one part without a name.
   *
   * @param array the elements, not copied
   * @param shape the dimensions, outermost first; none if it needs no shape
   * @return the message
   * @throws IllegalArgumentException if the shape does not hold the elements
   */
  public static Message of(long[] array, long... shape) {
    return Message.of(ArraySlice.of(array), shape);
  }

  /**
   * A message of one part.
   *
   * @param name its name, at most {@link Message#MAX_NAME_BYTES} bytes
   * @param array the elements, not copied
   * @param shape the dimensions, outermost first; none if it needs no shape
   * @return the message
   * @throws IllegalArgumentException as {@link Message#of(String, ArraySlice, long...)}
   */
  public static Message of(String name, long[] array, long... shape) {
    return Message.of(name, ArraySlice.of(array), shape);
  }

  /**
   * The message with a further part.
   *
   * @param name its name, which no other part has
   * @param array the elements, not copied
   * @param shape the dimensions, outermost first; none if it needs no shape
   * @return another message
   * @throws IllegalArgumentException as {@link #with(String, ArraySlice, long...)}
   */
  public Message with(String name, long[] array, long... shape) {
    return with(name, ArraySlice.of(array), shape);
  }

  /**
   * A message of one part without a name.
   *
   * @param array the elements, not copied
   * @param shape the dimensions, outermost first; none if it needs no shape
   * @return the message
   * @throws IllegalArgumentException if the shape does not hold the elements
   */
  public static Message of(short[] array, long... shape) {
    return Message.of(ArraySlice.of(array), shape);
  }

  /**
   * A message of one part.
   *
   * @param name its name, at most {@link Message#MAX_NAME_BYTES} bytes
   * @param array the elements, not copied
   * @param shape the dimensions, outermost first; none if it needs no shape
   * @return the message
   * @throws IllegalArgumentException as {@link Message#of(String, ArraySlice, long...)}
   */
  public static Message of(String name, short[] array, long... shape) {
    return Message.of(name, ArraySlice.of(array), shape);
  }

  /**
   * The message with a further part.
   *
   * @param name its name, which no other part has
   * @param array the elements, not copied
   * @param shape the dimensions, outermost first; none if it needs no shape
   * @return another message
   * @throws IllegalArgumentException as {@link #with(String, ArraySlice, long...)}
   */
  public Message with(String name, short[] array, long... shape) {
    return with(name, ArraySlice.of(array), shape);
  }

  /**
   * A message of one part without a name.
   *
   * @param array the elements, not copied
   * @param shape the dimensions, outermost first; none if it needs no shape
   * @return the message
   * @throws IllegalArgumentException if the shape does not hold the elements
   */
  public static Message of(char[] array, long... shape) {
    return Message.of(ArraySlice.of(array), shape);
  }

  /**
   * A message of one part.
   *
   * @param name its name, at most {@link Message#MAX_NAME_BYTES} bytes
   * @param array the elements, not copied
   * @param shape the dimensions, outermost first; none if it needs no shape
   * @return the message
   * @throws IllegalArgumentException as {@link Message#of(String, ArraySlice, long...)}
   */
  public static Message of(String name, char[] array, long... shape) {
    return Message.of(name, ArraySlice.of(array), shape);
  }

  /**
   * The message with a further part.
   *
   * @param name its name, which no other part has
   * @param array the elements, not copied
   * @param shape the dimensions, outermost first; none if it needs no shape
   * @return another message
   * @throws IllegalArgumentException as {@link #with(String, ArraySlice, long...)}
   */
  public Message with(String name, char[] array, long... shape) {
    return with(name, ArraySlice.of(array), shape);
  }

  /**
   * A message of one part without a name.
   *
   * @param array the elements, not copied
   * @param shape the dimensions, outermost first; none if it needs no shape
   * @return the message
   * @throws IllegalArgumentException if the shape does not hold the elements
   */
  public static Message of(byte[] array, long... shape) {
    return Message.of(ArraySlice.of(array), shape);
  }

  /**
   * A message of one part.
   *
   * @param name its name, at most {@link Message#MAX_NAME_BYTES} bytes
   * @param array the elements, not copied
   * @param shape the dimensions, outermost first; none if it needs no shape
   * @return the message
   * @throws IllegalArgumentException as {@link Message#of(String, ArraySlice, long...)}
   */
  public static Message of(String name, byte[] array, long... shape) {
    return Message.of(name, ArraySlice.of(array), shape);
  }

  /**
   * The message with a further part.
   *
   * @param name its name, which no other part has
   * @param array the elements, not copied
   * @param shape the dimensions, outermost first; none if it needs no shape
   * @return another message
   * @throws IllegalArgumentException as {@link #with(String, ArraySlice, long...)}
   */
  public Message with(String name, byte[] array, long... shape) {
    return with(name, ArraySlice.of(array), shape);
  }

  /**
   * A message of one part without a name.
   *
   * @param array the elements, not copied
   * @param shape the dimensions, outermost first; none if it needs no shape
   * @return the message
   * @throws IllegalArgumentException if the shape does not hold the elements
   */
  public static Message of(boolean[] array, long... shape) {
    return Message.of(ArraySlice.of(array), shape);
  }

  /**
   * A message of one part.
   *
   * @param name its name, at most {@link Message#MAX_NAME_BYTES} bytes
   * @param array the elements, not copied
   * @param shape the dimensions, outermost first; none if it needs no shape
   * @return the message
   * @throws IllegalArgumentException as {@link Message#of(String, ArraySlice, long...)}
   */
  public static Message of(String name, boolean[] array, long... shape) {
    return Message.of(name, ArraySlice.of(array), shape);
  }

  /**
   * The message with a further part.
   *
   * @param name its name, which no other part has
   * @param array the elements, not copied
   * @param shape the dimensions, outermost first; none if it needs no shape
   * @return another message
   * @throws IllegalArgumentException as {@link #with(String, ArraySlice, long...)}
   */
  public Message with(String name, boolean[] array, long... shape) {
    return with(name, ArraySlice.of(array), shape);
  }
}
