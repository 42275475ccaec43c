package io.arraywire.kafka;

import org.apache.kafka.common.serialization.Serdes;

/**
 * {@link DoubleArraySerializer} and {@link DoubleArrayDeserializer} for Kafka Streams. Safe for use
 * by any thread.
 */
public final class DoubleArraySerde extends Serdes.WrapperSerde<double[]> {
  /** Makes a serde with the defaults; Kafka does so by the name of the class. */
  public DoubleArraySerde() {
    super(new DoubleArraySerializer(), new DoubleArrayDeserializer());
  }
}
