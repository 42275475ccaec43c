package io.arraywire.kafka;

import io.arraywire.ArraySlice;
import org.apache.kafka.common.serialization.Serdes;

/**
 * {@link ArraySliceSerializer} and {@link ArraySliceDeserializer} for Kafka Streams. Safe for use
 * by any thread.
 */
public final class ArraySliceSerde extends Serdes.WrapperSerde<ArraySlice> {
  /** Makes a serde with the defaults; Kafka does so by the name of the class. */
  public ArraySliceSerde() {
    super(new ArraySliceSerializer(), new ArraySliceDeserializer());
  }
}
