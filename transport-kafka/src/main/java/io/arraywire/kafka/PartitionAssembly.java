package io.arraywire.kafka;

import io.arraywire.ArraywireException;
import io.arraywire.ErrorCode;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/** The unfinished arrays of one partition, by key. */
final class PartitionAssembly<K> {
  /**
   * Arrays that failed and whose further pieces are passed over; those before are reported again.
   */
  private static final int FAILED = 1024;

  /** The place of records without a key. */
  private static final Object NO_KEY = new Object();

  private final AssemblyOptions options;

  /** By key, the one whose last piece came first in front. */
  private final Map<Object, UnfinishedArray<K>> open = new LinkedHashMap<>(16, 0.75f, true);

  /** The offsets of their first records. */
  private final NavigableSet<Long> begun = new TreeSet<>();

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
  private long pendingBytes;

  PartitionAssembly(AssemblyOptions options) {
    this.options = options;
  }

  /** A record came, possibly once more since the consumer went back. */
  void arrived(long offset) {
    if (offset <= last) {
      open.clear();
      begun.clear();
      pendingBytes = 0;
      failed.clear();
    }
    last = offset;
  }

  /** The record that came was used. */
  void settled() {
    committable = begun.isEmpty() ? last + 1 : begun.first();
  }

  long committable() {
    return committable;
  }

  long pendingBytes() {
    return pendingBytes;
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

  /**
   * Takes a piece.
   *
   * @param elsewhere what arrays of other partitions take
   */
  void add(
      ConsumerRecord<K, ByteBuffer> record,
      PieceLayout piece,
      long now,
      long elsewhere,
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
      begun.add(array.firstOffset());
      pendingBytes += array.bytes();
    }
    long before = array.bytes();
    ArraywireException failure = null;
    try {
      array.add(record, piece, now, options, elsewhere + pendingBytes - before);
    } catch (ArraywireException e) {
      failure = e;
    } finally {
      pendingBytes += array.bytes() - before;
    }
    if (failure != null) {
      String words = String.valueOf(failure.getMessage());
      results.add(end(array, array.failure(failure.code(), record.offset(), failure, words)));
    } else if (array.isWhole()) {
      remove(array);
      results.add(array.toRecord(record.offset()));
    }
  }

  void expire(long now, List<ArrayRecord<K>> results) {
    boolean ended = false;
    while (!open.isEmpty()) {
      UnfinishedArray<K> oldest = open.values().iterator().next();
      if (now - oldest.lastNanos() <= options.deadlineNanos()) {
        break;
      }
      results.add(
          end(
              oldest,
              oldest.failure(
                  ErrorCode.STALLED_ARRAY,
                  oldest.lastOffset(),
                  null,
                  "the next piece of an array did not come in time: its sender failed, or the"
                      + " pauses between polls are longer",
                  "deadline",
                  options.deadline())));
      ended = true;
    }
    if (ended) {
      settled();
    }
  }

  private ArrayRecord<K> end(UnfinishedArray<K> array, ArrayRecordException failure) {
    remove(array);
    failed.put(array.id(), true);
    return ArrayRecord.failed(array.first(), failure);
  }

  private void remove(UnfinishedArray<K> array) {
    open.remove(array.place());
    begun.remove(array.firstOffset());
    pendingBytes -= array.bytes();
  }

  private static Object place(@Nullable Object key) {
    if (key instanceof byte[] bytes) {
      return ByteBuffer.wrap(bytes.clone());
    }
    return key == null ? NO_KEY : key;
  }
}
