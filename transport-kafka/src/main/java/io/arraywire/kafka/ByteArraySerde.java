package io.arraywire.kafka;

import org.apache.kafka.common.serialization.Serdes;

/**
 * {@link ByteArraySerializer} and {@link ByteArrayDeserializer} for Kafka Streams. Safe for use by
 * any thread.
 */
public final class ByteArraySerde extends Serdes.WrapperSerde<byte[]> {
  /** Makes a serde with the defaults; Kafka does so by the name of the class. */
  public ByteArraySerde() {
    super(new ByteArraySerializer(), new ByteArrayDeserializer());
  }
}
