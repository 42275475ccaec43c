package io.arraywire.kafka;

import io.arraywire.ArraywireException;
import io.arraywire.ElementType;
import io.arraywire.message.MessageView;

/**
 * Reads a {@code long[]} from the value of a record: an {@linkplain
 * io.arraywire.message.ArrayMessage array message} of one part, in any encoding. Tag, shape and
 * attributes are left out; {@link MessageDeserializer} keeps them. Also for {@code uint64}, whose
 * elements lie in a {@code long[]}. Takes {@link ArrayRecordConfig#MAX_BYTES}. Safe for use by any
 * thread.
 */
public final class LongArrayDeserializer extends TypedDeserializer<long[]> {
  /** Makes a deserializer with the defaults; Kafka does so by the name of the class. */
  public LongArrayDeserializer() {}

  @Override
  long[] value(String topic, MessageView view) throws ArraywireException {
    return (long[]) only(topic, view, ElementType.LONG);
  }
}
