package io.arraywire.kafka;

import io.arraywire.ArraywireException;
import io.arraywire.ErrorCode;
import io.arraywire.spi.MessageText;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.kafka.common.errors.SerializationException;
import org.jspecify.annotations.Nullable;

/**
 * A record, or an array in several records, that cannot be read. {@link #code()} says which check
 * failed. The message is one line of fewer than 300 characters. It names the topic and, where they
 * are known, partition and offset.
 *
 * <p>A {@link org.apache.kafka.clients.consumer.KafkaConsumer} that deserializes by itself wraps it
 * in a {@link org.apache.kafka.common.errors.RecordDeserializationException}, which knows partition
 * and offset. Its next {@code poll} fails again at the same record until the program seeks behind
 * it. An {@link ArrayAssembler} reports each such record once and goes on.
 */
public final class ArrayRecordException extends SerializationException {
  private static final long serialVersionUID = 1;

  /** The partition or offset of a failure that does not know it. */
  public static final int UNKNOWN = -1;

  private final ErrorCode code;
  private final String topic;
  private final int partition;
  private final long offset;
  private final transient Object[] namesAndValues;

  ArrayRecordException(
      ErrorCode code,
      String topic,
      int partition,
      long offset,
      @Nullable Throwable cause,
      String text,
      Object... facts) {
    super(text(topic, partition, offset, text, facts), cause);
    this.code = code;
    this.topic = topic;
    this.partition = partition;
    this.offset = offset;
    namesAndValues = facts.clone();
  }

  private ArrayRecordException(ArrayRecordException found) {
    super(found.getMessage(), found);
    code = found.code;
    topic = found.topic;
    partition = found.partition;
    offset = found.offset;
    namesAndValues = found.namesAndValues;
  }

  /** A copy for a later caller, with that caller's frames and this exception as its cause. */
  ArrayRecordException forCaller() {
    return new ArrayRecordException(this);
  }

  /** What a reader of messages found, at a place. */
  static ArrayRecordException of(
      ArraywireException found, String topic, int partition, long offset) {
    return new ArrayRecordException(
        found.code(), topic, partition, offset, found, String.valueOf(found.getMessage()));
  }

  private static String text(
      String topic, int partition, long offset, String text, Object[] facts) {
    int known = partition == UNKNOWN ? 1 : offset == UNKNOWN ? 2 : 3;
    Object[] all = new Object[2 * known + facts.length];
    all[0] = "topic";
    all[1] = topic;
    if (known > 1) {
      all[2] = "partition";
      all[3] = partition;
    }
    if (known > 2) {
      all[4] = "offset";
      all[5] = offset;
    }
    System.arraycopy(facts, 0, all, 2 * known, facts.length);
    return MessageText.brief(text, all);
  }

  /**
   * The code of this kind of failure.
   *
   * @return the code
   */
  public ErrorCode code() {
    return code;
  }

  /**
   * The topic of the record.
   *
   * @return its name
   */
  public String topic() {
    return topic;
  }

  /**
   * The partition of the record.
   *
   * @return its number, {@link #UNKNOWN} where only the consumer knows it
   */
  public int partition() {
    return partition;
  }

  /**
   * The offset of the record; of an array in several records, that of the record with which it
   * failed.
   *
   * @return the offset, {@link #UNKNOWN} where only the consumer knows it
   */
  public long offset() {
    return offset;
  }

  /**
   * The other facts in the text, by name and in order, each whole.
   *
   * @return an unmodifiable map; empty after serialization
   */
  public Map<String, Object> facts() {
    Map<String, Object> map = new LinkedHashMap<>();
    Object[] facts = namesAndValues == null ? new Object[0] : namesAndValues;
    for (int i = 0; i + 1 < facts.length; i += 2) {
      map.put(String.valueOf(facts[i]), facts[i + 1]);
    }
    return Collections.unmodifiableMap(map);
  }
}
