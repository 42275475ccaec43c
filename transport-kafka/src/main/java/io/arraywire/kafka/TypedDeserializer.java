package io.arraywire.kafka;

import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.ElementType;
import io.arraywire.ErrorCode;
import io.arraywire.message.Limits;
import io.arraywire.message.Message;
import io.arraywire.message.MessageView;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.Deserializer;
import org.jspecify.annotations.Nullable;

/**
 * What all deserializers do: check the bytes where the consumer has them, then copy the elements
 * once, into an array of the exact size. Safe for use by any thread once it is configured.
 */
abstract class TypedDeserializer<T> implements Deserializer<T> {
  /** What reads records, within the limits that it was made for. */
  private record Reader(Limits limits, MessageView view) {
    Reader(Limits limits) {
      this(limits, MessageView.within(limits));
    }
  }

  private volatile Limits limits = Limits.ofBytes(ArrayRecordConfig.DEFAULT_MAX_BYTES);

  /** One that no thread uses: records of one consumer come one after the other. */
  private final AtomicReference<@Nullable Reader> idle = new AtomicReference<>();

  TypedDeserializer() {}

  /** The value of a message that was checked; has arrays of its own. */
  abstract T value(String topic, MessageView view) throws ArraywireException;

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
    idle.set(null);
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
    // A duplicate: others may read the same buffer at the same time.
    return bytes == null ? null : read(topic, bytes.duplicate());
  }

  private static void checkWhole(String topic, Headers headers) {
    if (headers.lastHeader(PieceLayout.HEADER) != null) {
      throw failed(
          topic,
          ErrorCode.PROTOCOL_VIOLATION,
          "the record is a piece of a larger array; put the pieces together with an ArrayAssembler");
    }
  }

  /** Reads a buffer that nobody else has. */
  @SuppressWarnings("ReferenceEquality") // Other limits may have been set meanwhile.
  private T read(String topic, ByteBuffer bytes) {
    Limits now = limits;
    Reader kept = idle.getAndSet(null);
    Reader reader = kept == null || kept.limits != now ? new Reader(now) : kept;
    MessageView view = reader.view;
    try {
      view.read(bytes);
      if (bytes.hasRemaining()) {
        throw failed(
            topic,
            ErrorCode.BAD_LENGTH,
            "there are bytes behind the array; a record holds one",
            "behind",
            bytes.remaining());
      }
      return value(topic, view);
    } catch (ArraywireException e) {
      throw ArrayRecordException.of(
          e, topic, ArrayRecordException.UNKNOWN, ArrayRecordException.UNKNOWN);
    } finally {
      // The bytes of a whole fetch would stay reachable.
      view.clear();
      // The next thread to take it sees what was written here; that needs no full fence.
      idle.setRelease(reader);
    }
  }

  private static ArrayRecordException failed(
      String topic, ErrorCode code, String text, Object... facts) {
    return new ArrayRecordException(
        code, topic, ArrayRecordException.UNKNOWN, ArrayRecordException.UNKNOWN, null, text, facts);
  }

  /** The elements of the only part, whatever its name. */
  static ArraySlice only(String topic, MessageView view) throws ArraywireException {
    if (view.has(Message.UNNAMED) && view.parts() == 1) {
      return view.slice(Message.UNNAMED);
    }
    Message message = view.toMessage();
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
  static Object only(String topic, MessageView view, ElementType carrier)
      throws ArraywireException {
    ArraySlice slice = only(topic, view);
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
