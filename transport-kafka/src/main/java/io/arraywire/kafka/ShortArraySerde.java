package io.arraywire.kafka;

import org.apache.kafka.common.serialization.Serdes;

/**
 * {@link ShortArraySerializer} and {@link ShortArrayDeserializer} for Kafka Streams. Safe for use
 * by any thread.
 */
public final class ShortArraySerde extends Serdes.WrapperSerde<short[]> {
  /** Makes a serde with the defaults; Kafka does so by the name of the class. */
  public ShortArraySerde() {
    super(new ShortArraySerializer(), new ShortArrayDeserializer());
  }
}
