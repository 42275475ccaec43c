package io.arraywire;

import java.util.Objects;

/**
 * What is known of an array before its first element.
 *
 * @param type the element type
 * @param count the number of elements
 * @param sequence the array's number on its connection, counted from 1 by the sender
 * @param attributes the sender's tag, shape and metadata
 */
public record ArrayHeader(ElementType type, int count, long sequence, ArrayAttributes attributes) {

  /** Checks its parts. */
  public ArrayHeader {
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(attributes, "attributes");
  }
}
