package io.arraywire.kafka;

import org.apache.kafka.common.serialization.Serdes;

/**
 * {@link IntArraySerializer} and {@link IntArrayDeserializer} for Kafka Streams. Safe for use by
 * any thread.
 */
public final class IntArraySerde extends Serdes.WrapperSerde<int[]> {
  /** Makes a serde with the defaults; Kafka does so by the name of the class. */
  public IntArraySerde() {
    super(new IntArraySerializer(), new IntArrayDeserializer());
  }
}
