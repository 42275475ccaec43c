package io.arraywire.kafka;

import io.arraywire.ArraySlice;
import io.arraywire.message.Message;

/**
 * Writes the elements of an {@link ArraySlice} of any element type as the value of a record,
 * without tag and shape. A {@code Message.of(slice, shape).tag(7)} has them, see {@link
 * MessageSerializer}. Takes the properties of {@link ArrayRecordConfig}. Safe for use by any
 * thread.
 */
public final class ArraySliceSerializer extends TypedSerializer<ArraySlice> {
  /** Makes a serializer with the defaults; Kafka does so by the name of the class. */
  public ArraySliceSerializer() {}

  @Override
  Message message(ArraySlice value) {
    return Message.of(value);
  }
}
