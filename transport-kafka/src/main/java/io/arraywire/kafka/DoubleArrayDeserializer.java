package io.arraywire.kafka;

import io.arraywire.ArraywireException;
import io.arraywire.ElementType;
import io.arraywire.message.MessageView;

/**
 * Reads a {@code double[]} from the value of a record: an {@linkplain
 * io.arraywire.message.ArrayMessage array message} of one part, in any encoding. Tag, shape and
 * attributes are left out; {@link MessageDeserializer} keeps them. Takes {@link
 * ArrayRecordConfig#MAX_BYTES}. Safe for use by any thread.
 */
public final class DoubleArrayDeserializer extends TypedDeserializer<double[]> {
  /** Makes a deserializer with the defaults; Kafka does so by the name of the class. */
  public DoubleArrayDeserializer() {}

  @Override
  double[] value(String topic, MessageView view) throws ArraywireException {
    return (double[]) only(topic, view, ElementType.DOUBLE);
  }
}
