package io.arraywire.kafka;

import io.arraywire.ArraywireException;
import io.arraywire.ElementType;
import io.arraywire.message.MessageView;

/**
 * Reads a {@code short[]} from the value of a record: an {@linkplain
 * io.arraywire.message.ArrayMessage array message} of one part, in any encoding. Tag, shape and
 * attributes are left out; {@link MessageDeserializer} keeps them. Also for {@code fp16}, {@code
 * bf16} and {@code uint16}, whose elements lie in a {@code short[]}. Takes {@link
 * ArrayRecordConfig#MAX_BYTES}. Safe for use by any thread.
 */
public final class ShortArrayDeserializer extends TypedDeserializer<short[]> {
  /** Makes a deserializer with the defaults; Kafka does so by the name of the class. */
  public ShortArrayDeserializer() {}

  @Override
  short[] value(String topic, MessageView view) throws ArraywireException {
    return (short[]) only(topic, view, ElementType.SHORT);
  }
}
