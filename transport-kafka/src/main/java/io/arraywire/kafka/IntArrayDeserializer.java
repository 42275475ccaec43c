package io.arraywire.kafka;

import io.arraywire.ArraywireException;
import io.arraywire.ElementType;
import io.arraywire.message.MessageView;

/**
 * Reads an {@code int[]} from the value of a record: an {@linkplain
 * io.arraywire.message.ArrayMessage array message} of one part, in any encoding. Tag, shape and
 * attributes are left out; {@link MessageDeserializer} keeps them. Also for {@code uint32}, whose
 * elements lie in an {@code int[]}. Takes {@link ArrayRecordConfig#MAX_BYTES}. Safe for use by any
 * thread.
 */
public final class IntArrayDeserializer extends TypedDeserializer<int[]> {
  /** Makes a deserializer with the defaults; Kafka does so by the name of the class. */
  public IntArrayDeserializer() {}

  @Override
  int[] value(String topic, MessageView view) throws ArraywireException {
    return (int[]) only(topic, view, ElementType.INT);
  }
}
