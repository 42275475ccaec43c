package io.arraywire;

import java.util.Objects;

/**
 * What is known of an array before its first element. Immutable.
 *
 * @param type the element type
 * @param count the number of elements; of an array with more than an int can count, which comes
 *     from a source or goes to a sink, {@link Integer#MAX_VALUE}
 * @param sequence the array's number on its channel, counted from 1 by the sender
 * @param attributes the sender's tag, shape and metadata
 * @param channel the number of the channel that it came on; -1 in a {@link Subscription}
 * @param dropped in a {@link Subscription}: how many arrays the publisher dropped for this
 *     subscriber between the array before and this one; 0 elsewhere
 */
public record ArrayHeader(
    ElementType type,
    int count,
    long sequence,
    ArrayAttributes attributes,
    int channel,
    long dropped) {

  /** Checks its parts. */
  public ArrayHeader {
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(attributes, "attributes");
  }

  /**
   * Makes the header of an array on channel 0.
   *
   * @param type the element type
   * @param count the number of elements; of an array with more of them than an int can say, {@link
   *     Integer#MAX_VALUE}
   * @param sequence the array's number on its channel
   * @param attributes the sender's tag, shape and metadata
   */
  public ArrayHeader(ElementType type, int count, long sequence, ArrayAttributes attributes) {
    this(type, count, sequence, attributes, 0, 0);
  }
}
