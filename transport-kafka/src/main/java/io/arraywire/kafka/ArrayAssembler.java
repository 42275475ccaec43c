package io.arraywire.kafka;

import io.arraywire.ArraywireException;
import io.arraywire.ErrorCode;
import io.arraywire.ProtocolException;
import io.arraywire.message.ArrayMessage;
import io.arraywire.message.Limits;
import io.arraywire.message.Message;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;

/**
 * Reads the records of topics as arrays: those of one record, and those that an {@link
 * ArrayProducer} split over several.
 *
 * <pre>{@code
 * Consumer<String, ByteBuffer> consumer = ...;   // Kafka's ByteBufferDeserializer for values
 * ArrayAssembler<String> assembler = ArrayAssembler.within(AssemblyOptions.defaults());
 * while (running) {
 *   for (ConsumerRecord<String, ByteBuffer> record : consumer.poll(Duration.ofSeconds(1))) {
 *     for (ArrayRecord<String> array : assembler.add(record)) {
 *       if (array.failure() == null) model.load(array.key(), array.message().floats());
 *       else log(array.failure());                // once for each array or poison record
 *     }
 *   }
 *   consumer.commitSync(assembler.offsets());
 * }
 * }</pre>
 *
 * <p><b>What is an error.</b> A record that is not an array. A piece that is missing, comes twice
 * or belongs to no array. Another record of the same key before an array is whole. An array that is
 * larger than the limit or does not go on in time. Each is reported once, and reading goes on
 * behind it: further pieces of an array that failed are passed over. An assembler remembers the
 * last 1,024 of each partition for that.
 *
 * <p><b>Memory.</b> An array grows with its pieces, so a header that promises much takes no more
 * than twice what has come. {@link AssemblyOptions#pendingBytes} bounds all of them. Elements are
 * copied once from the consumer's buffer, and once more for each time that the array doubles.
 *
 * <p><b>Offsets.</b> {@link #offsets()} never goes beyond the first piece of an unfinished array,
 * so a consumer that commits them and ends reads that array again. A partition that is read from an
 * earlier offset again begins anew by itself. A consumer of a group commits them, and then
 * {@linkplain #forget forgets} what is revoked, in its {@code ConsumerRebalanceListener}. Otherwise
 * it would commit old offsets of partitions that other consumers have.
 *
 * <p>For one thread, that of the consumer.
 *
 * @param <K> the type of the keys; a {@code byte[]} is compared by its content
 */
public final class ArrayAssembler<K> {
  private final AssemblyOptions options;
  private final LongSupplier nanos;
  private final Map<TopicPartition, PartitionAssembly<K>> partitions = new HashMap<>();

  private ArrayAssembler(AssemblyOptions options, LongSupplier nanos) {
    this.options = Objects.requireNonNull(options, "options");
    this.nanos = nanos;
  }

  /**
   * An assembler that has read nothing yet.
   *
   * @param <K> the type of the keys
   * @param options limits and deadline
   * @return the assembler
   */
  public static <K> ArrayAssembler<K> within(AssemblyOptions options) {
    return new ArrayAssembler<>(options, System::nanoTime);
  }

  /** One whose clock a test moves. */
  static <K> ArrayAssembler<K> within(AssemblyOptions options, LongSupplier nanos) {
    return new ArrayAssembler<>(options, nanos);
  }

  /**
   * Takes the next record of a partition.
   *
   * @param record a record with the bytes of its value from position to limit, which are not kept
   * @return what it ended, in order: nothing for most pieces, one array or tombstone, and failures
   *     of arrays that cannot become whole any more
   */
  public List<ArrayRecord<K>> add(ConsumerRecord<K, ByteBuffer> record) {
    List<ArrayRecord<K>> results = new ArrayList<>(1);
    PartitionAssembly<K> partition =
        partitions.computeIfAbsent(
            new TopicPartition(record.topic(), record.partition()),
            unused -> new PartitionAssembly<>(options));
    partition.arrived(record.offset());
    Header header = record.headers().lastHeader(PieceLayout.HEADER);
    if (header == null) {
      partition.interrupt(record, results);
      results.add(whole(record));
    } else {
      try {
        partition.add(
            record,
            PieceLayout.read(header.value() == null ? new byte[0] : header.value()),
            nanos.getAsLong(),
            pendingBytes() - partition.pendingBytes(),
            results);
      } catch (ProtocolException e) {
        results.add(failed(record, e));
      }
    }
    partition.settled();
    results.addAll(expired());
    return results;
  }

  /**
   * Ends arrays whose next piece did not come in time. {@link #add} does so, too; call this after a
   * poll without records.
   *
   * @return a failure for each
   */
  public List<ArrayRecord<K>> expired() {
    List<ArrayRecord<K>> results = new ArrayList<>(0);
    long now = nanos.getAsLong();
    for (PartitionAssembly<K> partition : partitions.values()) {
      partition.expire(now, results);
    }
    return results;
  }

  /**
   * The offsets that may be committed. For each partition it is that of the first record of its
   * oldest unfinished array, or the one after its last record.
   *
   * @return a new map for {@code Consumer.commitSync}
   */
  public Map<TopicPartition, OffsetAndMetadata> offsets() {
    Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
    for (Map.Entry<TopicPartition, PartitionAssembly<K>> each : partitions.entrySet()) {
      offsets.put(each.getKey(), new OffsetAndMetadata(each.getValue().committable()));
    }
    return offsets;
  }

  /**
   * Forgets partitions and their unfinished arrays, without a failure. For {@code
   * ConsumerRebalanceListener.onPartitionsRevoked}, after their offsets were committed.
   *
   * @param revoked the partitions
   */
  public void forget(Collection<TopicPartition> revoked) {
    revoked.forEach(partitions::remove);
  }

  /**
   * The memory of unfinished arrays: of the elements that have come, and of what is kept beside
   * them.
   *
   * @return bytes
   */
  public long pendingBytes() {
    long bytes = 0;
    for (PartitionAssembly<K> partition : partitions.values()) {
      bytes += partition.pendingBytes();
    }
    return bytes;
  }

  private ArrayRecord<K> whole(ConsumerRecord<K, ByteBuffer> record) {
    if (record.value() == null) {
      return ArrayRecord.of(record, record.offset(), null);
    }
    ByteBuffer source = record.value().duplicate();
    try {
      Message message = ArrayMessage.decode(source, Limits.ofBytes(options.arrayBytes()));
      if (source.hasRemaining()) {
        throw new ProtocolException(
            ErrorCode.BAD_LENGTH,
            "there are bytes behind the array; a record holds one",
            "behind",
            source.remaining());
      }
      return ArrayRecord.of(record, record.offset(), message);
    } catch (ArraywireException e) {
      return failed(record, e);
    }
  }

  private static <K> ArrayRecord<K> failed(ConsumerRecord<K, ?> record, ArraywireException found) {
    return ArrayRecord.failed(
        record,
        ArrayRecordException.of(found, record.topic(), record.partition(), record.offset()));
  }
}
