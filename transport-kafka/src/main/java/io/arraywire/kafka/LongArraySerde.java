package io.arraywire.kafka;

import org.apache.kafka.common.serialization.Serdes;

/**
 * {@link LongArraySerializer} and {@link LongArrayDeserializer} for Kafka Streams. Safe for use by
 * any thread.
 */
public final class LongArraySerde extends Serdes.WrapperSerde<long[]> {
  /** Makes a serde with the defaults; Kafka does so by the name of the class. */
  public LongArraySerde() {
    super(new LongArraySerializer(), new LongArrayDeserializer());
  }
}
