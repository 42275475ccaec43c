package io.arraywire.kafka;

import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.message.MessageView;

/**
 * Reads an {@link ArraySlice} of any element type from the value of a record: an {@linkplain
 * io.arraywire.message.ArrayMessage array message} of one part, in any encoding. Tag, shape and
 * attributes are left out; {@link MessageDeserializer} keeps them. Takes {@link
 * ArrayRecordConfig#MAX_BYTES}. Safe for use by any thread.
 */
public final class ArraySliceDeserializer extends TypedDeserializer<ArraySlice> {
  /** Makes a deserializer with the defaults; Kafka does so by the name of the class. */
  public ArraySliceDeserializer() {}

  @Override
  ArraySlice value(String topic, MessageView view) throws ArraywireException {
    return only(topic, view);
  }
}
