package io.arraywire.kafka;

import io.arraywire.ArraywireException;
import io.arraywire.ErrorCode;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/** The unfinished arrays of one partition, by key. */
final class PartitionAssembly<K> {
  /** Arrays whose further pieces are passed over. More are rare, and are reported twice. */
  private static final int FAILED = 64;

  /** The place of records without a key. */
  private static final Object NO_KEY = new Object();

  private final AssemblyOptions options;
  private final Map<Object, UnfinishedArray<K>> open = new LinkedHashMap<>();
  private final Map<UUID, Boolean> failed =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<UUID, Boolean> eldest) {
          return size() > FAILED;
        }
      };
  private long last = -1;
  private long committable;

  PartitionAssembly(AssemblyOptions options) {
    this.options = options;
  }

  /** A record came, possibly once more since the consumer went back. */
  void arrived(long offset) {
    if (offset <= last) {
      open.clear();
      failed.clear();
    }
    last = offset;
  }

  /** The record that came was used. */
  void settled() {
    committable = last + 1;
    for (UnfinishedArray<K> each : open.values()) {
      committable = Math.min(committable, each.firstOffset());
    }
  }

  long committable() {
    return committable;
  }

  long pendingBytes() {
    long bytes = 0;
    for (UnfinishedArray<K> each : open.values()) {
      bytes += each.bytes();
    }
    return bytes;
  }

  /** A whole record came: an array of its key that is not whole never will be. */
  void interrupt(ConsumerRecord<K, ByteBuffer> record, List<ArrayRecord<K>> results) {
    UnfinishedArray<K> array = open.get(place(record.key()));
    if (array != null) {
      results.add(
          end(
              array,
              array.failure(
                  ErrorCode.PROTOCOL_VIOLATION,
                  record.offset(),
                  null,
                  "a record of the same key came before the array was whole: its sender failed, or"
                      + " two write to one key")));
    }
  }

  void add(
      ConsumerRecord<K, ByteBuffer> record,
      PieceLayout piece,
      long now,
      long pendingBytes,
      List<ArrayRecord<K>> results) {
    if (failed.containsKey(piece.id())) {
      return;
    }
    Object place = place(record.key());
    UnfinishedArray<K> array = open.get(place);
    if (array != null && !array.id().equals(piece.id())) {
      interrupt(record, results);
      array = null;
    }
    if (array == null) {
      array = new UnfinishedArray<>(record, place, piece);
      open.put(place, array);
    }
    try {
      array.add(record, piece, now, options, pendingBytes);
      if (array.isWhole()) {
        open.remove(place);
        results.add(array.toRecord(record.offset()));
      }
    } catch (ArraywireException e) {
      results.add(
          end(array, array.failure(e.code(), record.offset(), e, String.valueOf(e.getMessage()))));
    }
  }

  void expire(long now, List<ArrayRecord<K>> results) {
    Iterator<UnfinishedArray<K>> all = open.values().iterator();
    while (all.hasNext()) {
      UnfinishedArray<K> array = all.next();
      if (now - array.lastNanos() > options.deadline().toNanos()) {
        all.remove();
        results.add(
            end(
                array,
                array.failure(
                    ErrorCode.STALLED_ARRAY,
                    array.lastOffset(),
                    null,
                    "the next piece of an array did not come in time: its sender failed, or the"
                        + " pauses between polls are longer",
                    "deadline",
                    options.deadline())));
      }
    }
    if (!results.isEmpty()) {
      settled();
    }
  }

  private ArrayRecord<K> end(UnfinishedArray<K> array, ArrayRecordException failure) {
    open.remove(array.place());
    failed.put(array.id(), true);
    return ArrayRecord.failed(array.first(), failure);
  }

  private static Object place(@Nullable Object key) {
    if (key instanceof byte[] bytes) {
      return ByteBuffer.wrap(bytes.clone());
    }
    return key == null ? NO_KEY : key;
  }
}
