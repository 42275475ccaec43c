package io.arraywire.kafka;

import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.ElementType;
import io.arraywire.ErrorCode;
import io.arraywire.message.ArrayMessage;
import io.arraywire.message.Limits;
import io.arraywire.message.Message;
import java.nio.ByteBuffer;
import java.util.Map;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.Deserializer;
import org.jspecify.annotations.Nullable;

/**
 * What all deserializers do: check the bytes where the consumer has them, then copy the elements
 * once, into an array of the exact size. Safe for use by any thread once it is configured.
 */
abstract class TypedDeserializer<T> implements Deserializer<T> {
  private volatile Limits limits = Limits.ofBytes(ArrayRecordConfig.DEFAULT_MAX_BYTES);

  TypedDeserializer() {}

  /** The value of a message, which has arrays of its own. */
  abstract T value(String topic, Message message);

  /**
   * Takes {@link ArrayRecordConfig#MAX_BYTES}.
   *
   * @param config the properties
   * @param isKey not used
   * @throws org.apache.kafka.common.config.ConfigException if a value is not one of those that are
   *     allowed
   */
  @Override
  public void configure(Map<String, ?> config, boolean isKey) {
    limits = ArrayRecordConfig.limits(config);
  }

  /**
   * Reads a value.
   *
   * @param topic the topic, which a failure names
   * @param bytes the value of a record, null for a tombstone
   * @return the value, in memory of its own, or null for a tombstone
   * @throws ArrayRecordException if the bytes are not such a value
   */
  @Override
  public @Nullable T deserialize(String topic, byte @Nullable [] bytes) {
    return bytes == null ? null : read(topic, ByteBuffer.wrap(bytes));
  }

  /**
   * Reads a value.
   *
   * @param topic the topic, which a failure names
   * @param headers tell whether the record is a piece of a larger array
   * @param bytes the value of a record, null for a tombstone
   * @return the value, in memory of its own, or null for a tombstone
   * @throws ArrayRecordException if the bytes are not such a value
   */
  @Override
  public @Nullable T deserialize(String topic, Headers headers, byte @Nullable [] bytes) {
    checkWhole(topic, headers);
    return deserialize(topic, bytes);
  }

  /**
   * Reads a value from where the consumer has it.
   *
   * @param topic the topic, which a failure names
   * @param headers tell whether the record is a piece of a larger array
   * @param bytes the value of a record, from its position to its limit; null for a tombstone
   * @return the value, in memory of its own, or null for a tombstone
   * @throws ArrayRecordException if the bytes are not such a value
   */
  @Override
  public @Nullable T deserialize(String topic, Headers headers, @Nullable ByteBuffer bytes) {
    checkWhole(topic, headers);
    return bytes == null ? null : read(topic, bytes);
  }

  private static void checkWhole(String topic, Headers headers) {
    if (headers.lastHeader(PieceLayout.HEADER) != null) {
      throw failed(
          topic,
          ErrorCode.PROTOCOL_VIOLATION,
          "the record is a piece of a larger array; put the pieces together with an ArrayAssembler");
    }
  }

  private T read(String topic, ByteBuffer bytes) {
    ByteBuffer source = bytes.duplicate();
    Message message;
    try {
      message = ArrayMessage.decode(source, limits);
    } catch (ArraywireException e) {
      throw ArrayRecordException.of(
          e, topic, ArrayRecordException.UNKNOWN, ArrayRecordException.UNKNOWN);
    }
    if (source.hasRemaining()) {
      throw failed(
          topic,
          ErrorCode.BAD_LENGTH,
          "there are bytes behind the array; a record holds one",
          "behind",
          source.remaining());
    }
    return value(topic, message);
  }

  private static ArrayRecordException failed(
      String topic, ErrorCode code, String text, Object... facts) {
    return new ArrayRecordException(
        code, topic, ArrayRecordException.UNKNOWN, ArrayRecordException.UNKNOWN, null, text, facts);
  }

  /** The elements of the only part. */
  static ArraySlice only(String topic, Message message) {
    if (message.parts().size() != 1) {
      throw failed(
          topic,
          ErrorCode.TARGET_MISMATCH,
          "the record holds several arrays; read it with the MessageDeserializer",
          "parts",
          message.parts());
    }
    return message.parts().get(0).slices().get(0);
  }

  /** The array of the only part, which has a class that the type says. */
  static Object only(String topic, Message message, ElementType carrier) {
    ArraySlice slice = only(topic, message);
    if (slice.type().carrier() != carrier) {
      throw failed(
          topic,
          ErrorCode.TARGET_MISMATCH,
          "the array has another element type; use the deserializer of that one",
          "type",
          slice.type().typeName(),
          "expected",
          carrier.typeName());
    }
    return slice.array();
  }
}
