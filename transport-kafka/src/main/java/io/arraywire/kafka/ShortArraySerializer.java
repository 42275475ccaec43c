package io.arraywire.kafka;

import io.arraywire.message.Message;

/**
 * Writes a {@code short[]} as the value of a record: an {@linkplain
 * io.arraywire.message.ArrayMessage array message} of one part, without tag and shape. Takes the
 * properties of {@link ArrayRecordConfig}. Safe for use by any thread.
 */
public final class ShortArraySerializer extends TypedSerializer<short[]> {
  /** Makes a serializer with the defaults; Kafka does so by the name of the class. */
  public ShortArraySerializer() {}

  @Override
  Message message(short[] value) {
    return Message.of(value);
  }
}
