package io.arraywire.kafka;

import io.arraywire.message.Message;

/**
 * Writes a {@link Message} as the value of a record, as an array message. It has one or several
 * slices with their names and shapes, the tag and the attributes. Takes the properties of {@link
 * ArrayRecordConfig}. Safe for use by any thread.
 */
public final class MessageSerializer extends TypedSerializer<Message> {
  /** Makes a serializer with the defaults; Kafka does so by the name of the class. */
  public MessageSerializer() {}

  @Override
  Message message(Message value) {
    return value;
  }
}
