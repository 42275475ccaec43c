package io.arraywire.kafka;

import org.apache.kafka.common.serialization.Serdes;

/**
 * {@link CharArraySerializer} and {@link CharArrayDeserializer} for Kafka Streams. Safe for use by
 * any thread.
 */
public final class CharArraySerde extends Serdes.WrapperSerde<char[]> {
  /** Makes a serde with the defaults; Kafka does so by the name of the class. */
  public CharArraySerde() {
    super(new CharArraySerializer(), new CharArrayDeserializer());
  }
}
