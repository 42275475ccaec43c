package io.arraywire.kafka;

import io.arraywire.message.Message;
import java.util.Objects;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * What an {@link ArrayAssembler} made of one or several records: an array, a tombstone, or a
 * failure. Immutable and safe for use by any thread.
 *
 * @param <K> the type of the keys
 */
public final class ArrayRecord<K> {
  private final ConsumerRecord<K, ?> first;
  private final long lastOffset;
  private final @Nullable Message message;
  private final @Nullable ArrayRecordException failure;

  private ArrayRecord(
      ConsumerRecord<K, ?> first,
      long lastOffset,
      @Nullable Message message,
      @Nullable ArrayRecordException failure) {
    this.first = first;
    this.lastOffset = lastOffset;
    this.message = message;
    this.failure = failure;
  }

  static <K> ArrayRecord<K> of(
      ConsumerRecord<K, ?> first, long lastOffset, @Nullable Message message) {
    return new ArrayRecord<>(withoutValue(first), lastOffset, message, null);
  }

  static <K> ArrayRecord<K> failed(ConsumerRecord<K, ?> first, ArrayRecordException failure) {
    return new ArrayRecord<>(
        withoutValue(first), Math.max(first.offset(), failure.offset()), null, failure);
  }

  /** A record that does not keep what the broker sent in memory, and is no longer a piece. */
  static <K> ConsumerRecord<K, ?> withoutValue(ConsumerRecord<K, ?> record) {
    return new ConsumerRecord<>(
        record.topic(),
        record.partition(),
        record.offset(),
        record.timestamp(),
        record.timestampType(),
        record.serializedKeySize(),
        record.serializedValueSize(),
        record.key(),
        null,
        PieceLayout.others(record.headers()),
        record.leaderEpoch());
  }

  /**
   * The array, with memory of its own.
   *
   * @return the message, null for a tombstone
   * @throws ArrayRecordException if there is none because its records could not be read. Each call
   *     throws a new one, which says what {@link #failure} says and has that as its cause
   */
  public @Nullable Message message() {
    if (failure != null) {
      throw failure.forCaller();
    }
    return message;
  }

  /**
   * Why there is no array.
   *
   * @return the failure, null if there is an array or a tombstone
   */
  public @Nullable ArrayRecordException failure() {
    return failure;
  }

  /**
   * Whether the value of the record was null, which says that its key is gone.
   *
   * @return true for a tombstone
   */
  public boolean isTombstone() {
    return message == null && failure == null;
  }

  /**
   * The topic.
   *
   * @return its name
   */
  public String topic() {
    return first.topic();
  }

  /**
   * The partition.
   *
   * @return its number
   */
  public int partition() {
    return first.partition();
  }

  /**
   * The offset of the first record of the array: a consumer that seeks there reads the array again.
   *
   * @return the offset
   */
  public long offset() {
    return first.offset();
  }

  /**
   * The offset of the last record of the array; of a failure, that of the record that showed it.
   *
   * @return the offset
   */
  public long lastOffset() {
    return lastOffset;
  }

  /**
   * The timestamp of the first record.
   *
   * @return milliseconds since 1970, as Kafka has them
   */
  public long timestamp() {
    return first.timestamp();
  }

  /**
   * The key.
   *
   * @return the key, null if the record has none
   */
  public @Nullable K key() {
    return first.key();
  }

  /**
   * The headers of the first record, without the one that says that it is a piece. A program that
   * sends the array on may give them to the {@link ArrayProducer}.
   *
   * @return the headers
   */
  public Headers headers() {
    return first.headers();
  }

  @Override
  public String toString() {
    return topic()
        + "-"
        + partition()
        + "@"
        + offset()
        + " "
        + (failure == null ? Objects.toString(message, "tombstone") : failure.getMessage());
  }
}
