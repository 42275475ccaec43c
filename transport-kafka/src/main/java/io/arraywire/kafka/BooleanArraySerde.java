package io.arraywire.kafka;

import org.apache.kafka.common.serialization.Serdes;

/**
 * {@link BooleanArraySerializer} and {@link BooleanArrayDeserializer} for Kafka Streams. Safe for
 * use by any thread.
 */
public final class BooleanArraySerde extends Serdes.WrapperSerde<boolean[]> {
  /** Makes a serde with the defaults; Kafka does so by the name of the class. */
  public BooleanArraySerde() {
    super(new BooleanArraySerializer(), new BooleanArrayDeserializer());
  }
}
