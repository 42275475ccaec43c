package io.arraywire.kafka;

import io.arraywire.message.ArrayMessage;
import io.arraywire.message.Message;
import io.arraywire.message.MessageOptions;
import io.arraywire.spi.MessageText;
import java.util.Map;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.Serializer;
import org.jspecify.annotations.Nullable;

/**
 * What all serializers do. They make one array of the exact size, and one bulk copy of the elements
 * into it, where the encoding is not in blocks. Safe for use by any thread once it is configured,
 * as those of Kafka are.
 */
abstract class TypedSerializer<T> implements Serializer<T> {
  private volatile MessageOptions options = ArrayRecordConfig.defaultOptions();

  TypedSerializer() {}

  /** The message that a value becomes; shares its elements. */
  abstract Message message(T value);

  /**
   * Takes {@link ArrayRecordConfig#ENCODING} and {@link ArrayRecordConfig#CHECKSUM}.
   *
   * @param config the properties
   * @param isKey not used
   * @throws org.apache.kafka.common.config.ConfigException if a value is not one of those that are
   *     allowed
   */
  @Override
  public void configure(Map<String, ?> config, boolean isKey) {
    options = ArrayRecordConfig.options(config);
  }

  /**
   * Writes a value.
   *
   * @param topic named by a failure
   * @param value the value, which must not change meanwhile; null for a tombstone
   * @return its bytes, or null for a tombstone
   * @throws SerializationException if the encoding does not have the element type, or the greatest
   *     size of the record is larger than a {@code byte[]} can be
   */
  @Override
  public byte @Nullable [] serialize(String topic, @Nullable T value) {
    if (value == null) {
      return null;
    }
    try {
      return ArrayMessage.encode(message(value), options);
    } catch (IllegalArgumentException e) {
      throw new SerializationException(
          MessageText.brief(String.valueOf(e.getMessage()), "topic", topic), e);
    }
  }

  /**
   * Writes a value.
   *
   * @param topic named by a failure
   * @param headers not used
   * @param value the value, which must not change meanwhile; null for a tombstone
   * @return its bytes, or null for a tombstone
   * @throws SerializationException as above
   */
  @Override
  public byte @Nullable [] serialize(String topic, Headers headers, @Nullable T value) {
    return serialize(topic, value);
  }
}
