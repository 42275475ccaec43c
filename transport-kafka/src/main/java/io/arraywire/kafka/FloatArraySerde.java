package io.arraywire.kafka;

import org.apache.kafka.common.serialization.Serdes;

/**
 * {@link FloatArraySerializer} and {@link FloatArrayDeserializer} for Kafka Streams. Safe for use
 * by any thread.
 */
public final class FloatArraySerde extends Serdes.WrapperSerde<float[]> {
  /** Makes a serde with the defaults; Kafka does so by the name of the class. */
  public FloatArraySerde() {
    super(new FloatArraySerializer(), new FloatArrayDeserializer());
  }
}
