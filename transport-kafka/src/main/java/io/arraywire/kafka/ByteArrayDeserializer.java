package io.arraywire.kafka;

import io.arraywire.ArraywireException;
import io.arraywire.ElementType;
import io.arraywire.message.MessageView;

/**
 * Reads a {@code byte[]} from the value of a record: an {@linkplain
 * io.arraywire.message.ArrayMessage array message} of one part, in any encoding. Tag, shape and
 * attributes are left out; {@link MessageDeserializer} keeps them. Also for {@code uint8}, whose
 * elements lie in a {@code byte[]}. Takes {@link ArrayRecordConfig#MAX_BYTES}. Safe for use by any
 * thread.
 */
public final class ByteArrayDeserializer extends TypedDeserializer<byte[]> {
  /** Makes a deserializer with the defaults; Kafka does so by the name of the class. */
  public ByteArrayDeserializer() {}

  @Override
  byte[] value(String topic, MessageView view) throws ArraywireException {
    return (byte[]) only(topic, view, ElementType.BYTE);
  }
}
