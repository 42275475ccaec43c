package io.arraywire;

import io.arraywire.message.Message;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How one request is made. Immutable.
 *
 * @param attributes tag, shape and metadata for the far side
 * @param timeout how long to wait for the reply, more than zero; null for {@link
 *     TransportOptions#requestTimeout()}
 * @param target where the reply is put, or null for a fresh array; it belongs to Arraywire until
 *     the stage of the request completes
 * @param codec the name of the codec that encodes the request; see {@link SendOptions#codec}
 */
public record RequestOptions(
    ArrayAttributes attributes,
    @Nullable Duration timeout,
    @Nullable ArraySlice target,
    @Nullable String codec) {
  private static final RequestOptions DEFAULTS =
      new RequestOptions(ArrayAttributes.NONE, null, null, null);

  /** Checks its parts. */
  public RequestOptions {
    Objects.requireNonNull(attributes, "attributes");
    if (timeout != null) {
      OptionRange.positive("timeout", timeout);
    }
  }

  /**
   * No attributes, the transport's timeout, a fresh array for the reply.
   *
   * @return the defaults
   */
  public static RequestOptions defaults() {
    return DEFAULTS;
  }

  /**
   * The same with another timeout.
   *
   * @param longest how long to wait for the reply, more than zero
   * @return new options
   */
  public RequestOptions timeout(Duration longest) {
    return new RequestOptions(
        attributes, Objects.requireNonNull(longest, "timeout"), target, codec);
  }

  /**
   * The same with memory for the reply.
   *
   * @param into a slice of the reply's type, with room for at least as many elements
   * @return new options
   */
  public RequestOptions target(ArraySlice into) {
    return new RequestOptions(attributes, timeout, Objects.requireNonNull(into, "into"), codec);
  }

  /**
   * The same with a tag.
   *
   * @param tag the caller's number for the array
   * @return new options
   */
  public RequestOptions tag(long tag) {
    return attributes(attributes.withTag(tag));
  }

  /**
   * The same with a shape.
   *
   * @param shape the dimensions, outermost first; they must multiply to the number of elements sent
   * @return new options
   */
  public RequestOptions shape(long... shape) {
    return attributes(attributes.withShape(shape));
  }

  /**
   * The same with a string beside the array.
   *
   * @param key what it is, such as {@code unit}
   * @param value the string
   * @return new options
   * @throws IllegalArgumentException if that exceeds a limit of {@link ArrayAttributes#of(long,
   *     long[], java.util.Map)}
   */
  public RequestOptions metadata(String key, String value) {
    return attributes(attributes.with(key, value));
  }

  /**
   * The same with a codec for this request; see {@link SendOptions#codec}.
   *
   * @param name the name of the codec; null for the connection's choice
   * @return new options
   */
  public RequestOptions codec(@Nullable String name) {
    return new RequestOptions(attributes, timeout, target, name);
  }

  /**
   * The same with other attributes.
   *
   * @param others tag, shape and metadata for the far side
   * @return new options
   */
  public RequestOptions attributes(ArrayAttributes others) {
    return new RequestOptions(others, timeout, target, codec);
  }

  /** The same for a message, which has its own attributes. */
  RequestOptions of(Message message) {
    ArrayAttributes others = SendOptions.ofMessage(message, attributes);
    return others.equals(attributes) ? this : attributes(others);
  }

  /**
   * The same with a whole array for the reply; see {@link #target(ArraySlice)}.
   *
   * @param into with room for at least as many elements as the reply has
   * @return new options
   */
  public RequestOptions target(float[] into) {
    return target(ArraySlice.of(into));
  }

  /**
   * The same with a whole array for the reply; see {@link #target(ArraySlice)}.
   *
   * @param into with room for at least as many elements as the reply has
   * @return new options
   */
  public RequestOptions target(int[] into) {
    return target(ArraySlice.of(into));
  }

  /**
   * The same with a whole array for the reply; see {@link #target(ArraySlice)}.
   *
   * @param into with room for at least as many elements as the reply has
   * @return new options
   */
  public RequestOptions target(double[] into) {
    return target(ArraySlice.of(into));
  }

  /**
   * The same with a whole array for the reply; see {@link #target(ArraySlice)}.
   *
   * @param into with room for at least as many elements as the reply has
   * @return new options
   */
  public RequestOptions target(long[] into) {
    return target(ArraySlice.of(into));
  }

  /**
   * The same with a whole array for the reply; see {@link #target(ArraySlice)}.
   *
   * @param into with room for at least as many elements as the reply has
   * @return new options
   */
  public RequestOptions target(short[] into) {
    return target(ArraySlice.of(into));
  }

  /**
   * The same with a whole array for the reply; see {@link #target(ArraySlice)}.
   *
   * @param into with room for at least as many elements as the reply has
   * @return new options
   */
  public RequestOptions target(char[] into) {
    return target(ArraySlice.of(into));
  }

  /**
   * The same with a whole array for the reply; see {@link #target(ArraySlice)}.
   *
   * @param into with room for at least as many elements as the reply has
   * @return new options
   */
  public RequestOptions target(byte[] into) {
    return target(ArraySlice.of(into));
  }

  /**
   * The same with a whole array for the reply; see {@link #target(ArraySlice)}.
   *
   * @param into with room for at least as many elements as the reply has
   * @return new options
   */
  public RequestOptions target(boolean[] into) {
    return target(ArraySlice.of(into));
  }
}
