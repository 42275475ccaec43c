package io.arraywire.kafka;

import io.arraywire.message.Message;
import org.apache.kafka.common.serialization.Serdes;

/**
 * {@link MessageSerializer} and {@link MessageDeserializer} for Kafka Streams. Safe for use by any
 * thread.
 */
public final class MessageSerde extends Serdes.WrapperSerde<Message> {
  /** Makes a serde with the defaults; Kafka does so by the name of the class. */
  public MessageSerde() {
    super(new MessageSerializer(), new MessageDeserializer());
  }
}
