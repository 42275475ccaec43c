package io.arraywire.kafka;

import io.arraywire.ArraywireException;
import io.arraywire.message.Message;
import io.arraywire.message.MessageView;

/**
 * Reads a {@link Message} from the value of a record, in any encoding. It has one or several slices
 * with their names and shapes, the tag and the attributes. Takes {@link
 * ArrayRecordConfig#MAX_BYTES}. Safe for use by any thread.
 */
public final class MessageDeserializer extends TypedDeserializer<Message> {
  /** Makes a deserializer with the defaults; Kafka does so by the name of the class. */
  public MessageDeserializer() {}

  @Override
  Message value(String topic, MessageView view) throws ArraywireException {
    return view.toMessage();
  }
}
