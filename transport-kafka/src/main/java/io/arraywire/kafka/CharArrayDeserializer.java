package io.arraywire.kafka;

import io.arraywire.ArraywireException;
import io.arraywire.ElementType;
import io.arraywire.message.MessageView;

/**
 * Reads a {@code char[]} from the value of a record: an {@linkplain
 * io.arraywire.message.ArrayMessage array message} of one part, in any encoding. Tag, shape and
 * attributes are left out; {@link MessageDeserializer} keeps them. Takes {@link
 * ArrayRecordConfig#MAX_BYTES}. Safe for use by any thread.
 */
public final class CharArrayDeserializer extends TypedDeserializer<char[]> {
  /** Makes a deserializer with the defaults; Kafka does so by the name of the class. */
  public CharArrayDeserializer() {}

  @Override
  char[] value(String topic, MessageView view) throws ArraywireException {
    return (char[]) only(topic, view, ElementType.CHAR);
  }
}
