package io.arraywire.kafka;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.arraywire.ArraySlice;
import io.arraywire.ElementType;
import io.arraywire.ErrorCode;
import io.arraywire.message.ArrayMessage;
import io.arraywire.message.Message;
import io.arraywire.message.Part;
import io.arraywire.spi.MessageText;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.LongStream;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;

/**
 * Sends arrays of any size to topics. An array that fits into a record becomes one record, which
 * any deserializer of this package reads. A larger one becomes several records of one key, which an
 * {@link ArrayAssembler} puts together again.
 *
 * <pre>{@code
 * ArrayProducer<String> arrays = ArrayProducer.over(new KafkaProducer<>(properties));
 * arrays.send(new ProducerRecord<>("weights", "layer-3", Message.of(weights, rows, columns))).join();
 * }</pre>
 *
 * <p><b>What it wants of the producer.</b> {@code acks=all} and {@code enable.idempotence=true},
 * the defaults of Kafka. Then no acknowledged record is lost with a broker, and records of one key
 * keep their order through retries. One program at a time should write to a key; pieces of two
 * arrays of one key that mix are an error at the reader. <b>Of the topic.</b> {@code
 * cleanup.policy=delete}: a topic that is compacted keeps one record of each key, and an array in
 * several is lost.
 *
 * <p><b>Threads.</b> Any number; arrays are written one after the other. <b>Ownership.</b> The
 * producer stays the caller's to close. An array must not change before {@code send} returns.
 * <b>Copies.</b> One, into the value of each record, which has no more than {@link
 * SplitOptions#pieceBytes}; the producer copies it into its batch. Rows that lie in arrays of their
 * own are gathered first, piece by piece.
 *
 * @param <K> the type of the keys
 */
public final class ArrayProducer<K> {
  private final Producer<K, byte[]> producer;
  private final SplitOptions options;

  private ArrayProducer(Producer<K, byte[]> producer, SplitOptions options) {
    this.producer = Objects.requireNonNull(producer, "producer");
    this.options = Objects.requireNonNull(options, "options");
  }

  /**
   * Sends over a producer, with the default options.
   *
   * @param <K> the type of the keys
   * @param producer a producer with Kafka's {@code ByteArraySerializer} for values
   * @return the sender
   */
  public static <K> ArrayProducer<K> over(Producer<K, byte[]> producer) {
    return over(producer, SplitOptions.defaults());
  }

  /**
   * Sends over a producer.
   *
   * @param <K> the type of the keys
   * @param producer a producer with Kafka's {@code ByteArraySerializer} for values
   * @param options the size of records, and how elements are written
   * @return the sender
   */
  public static <K> ArrayProducer<K> over(Producer<K, byte[]> producer, SplitOptions options) {
    return new ArrayProducer<>(producer, options);
  }

  /**
   * Gives an array to the producer. Waits as the producer's {@code send} does: for metadata and,
   * for at most {@code max.block.ms} for each record, for room in its buffer.
   *
   * @param record topic, key, value and, if wanted, partition, timestamp and headers, which all
   *     records of the array get. A header that says that a record is a piece is left out: it may
   *     be that of another array. A value of null is a tombstone. An array of several records needs
   *     a key or a partition
   * @return done once the brokers have acknowledged all records of the array: metadata of the
   *     first. It fails with the exception of the producer ({@code
   *     org.apache.kafka.common.errors.TimeoutException} and others) if one record is not
   *     acknowledged. No further record of the array is sent then, and readers report an array that
   *     is not whole. Stages run on the producer's own thread and must not wait
   * @throws IllegalArgumentException if an array of several records has neither key nor partition,
   *     or a message of several parts does not fit into one record. Also if the encoding does not
   *     have the element type
   */
  public CompletableFuture<RecordMetadata> send(ProducerRecord<K, @Nullable Message> record) {
    Message message = record.value();
    Acknowledgements done;
    if (message == null) {
      done = new Acknowledgements(record.topic(), 1);
      synchronized (this) {
        done.send(with(record, null), 0);
      }
      return done.result;
    }
    Part part = message.parts().get(0);
    long pieceElements =
        message.parts().size() > 1 ? 0 : options.pieceBytes() / part.type().bytes();
    if (ArrayMessage.encodedSize(message) <= options.pieceBytes()
        || (pieceElements > 0 && part.count() <= pieceElements)) {
      done = new Acknowledgements(record.topic(), 1);
      byte[] value = ArrayMessage.encode(message, options.messages());
      synchronized (this) {
        done.send(with(record, value), 0);
      }
      return done.result;
    }
    if (pieceElements == 0) {
      throw new IllegalArgumentException(
          MessageText.brief(
              "a message of several parts must fit into one record; send its parts one by one, or"
                  + " raise pieceBytes and the producer's max.request.size",
              "parts",
              message.parts(),
              "bytes",
              ArrayMessage.encodedSize(message),
              "pieceBytes",
              options.pieceBytes()));
    }
    if (record.key() == null && record.partition() == null) {
      throw new IllegalArgumentException(
          MessageText.brief(
              "an array of several records needs a key, so that they stay together; give one, or a"
                  + " partition",
              "topic",
              record.topic(),
              "elements",
              part.count()));
    }
    int pieces = (int) ((part.count() + pieceElements - 1) / pieceElements);
    done = new Acknowledgements(record.topic(), pieces);
    synchronized (this) {
      sendPieces(record, message, (int) pieceElements, pieces, done);
    }
    return done.result;
  }

  private void sendPieces(
      ProducerRecord<K, @Nullable Message> record,
      Message message,
      int pieceElements,
      int pieces,
      Acknowledgements done) {
    Part part = message.parts().get(0);
    Elements elements = new Elements(part);
    UUID id = UUID.randomUUID();
    for (int i = 0; i < pieces && !done.result.isDone(); i++) {
      int first = i * pieceElements;
      Message piece =
          Message.of(elements.slice(first, Math.min(pieceElements, part.count() - first)))
              .tag(message.tag());
      if (i == 0) {
        for (Map.Entry<String, String> each : message.attributes().entrySet()) {
          piece = piece.attribute(each.getKey(), each.getValue());
        }
      }
      PieceLayout layout =
          new PieceLayout(
              id,
              i,
              pieces,
              first,
              part.count(),
              i == 0 ? LongStream.of(part.shape()).boxed().toList() : List.of(),
              i == 0 ? part.name() : Message.UNNAMED);
      ProducerRecord<K, byte[]> one = with(record, ArrayMessage.encode(piece, options.messages()));
      one.headers().add(PieceLayout.HEADER, layout.write());
      done.send(one, i);
    }
  }

  private static <K> ProducerRecord<K, byte[]> with(
      ProducerRecord<K, ?> record, byte @Nullable [] value) {
    return new ProducerRecord<>(
        record.topic(),
        record.partition(),
        record.timestamp(),
        record.key(),
        value,
        PieceLayout.others(record.headers()));
  }

  /** The elements of a part, which for rows lie in many arrays. */
  private static final class Elements {
    private final Part part;
    private int slice;
    private int before;

    Elements(Part part) {
      this.part = part;
    }

    /** Some elements; those asked for come one after the other. */
    ArraySlice slice(int first, int count) {
      ElementType type = part.type();
      if (part.slices().size() == 1) {
        ArraySlice all = part.slices().get(0);
        return ArraySlice.ofArray(all.array(), all.offset() + first, count).as(type);
      }
      Object some = type.newArray(count);
      int filled = 0;
      while (filled < count) {
        ArraySlice row = part.slices().get(slice);
        int from = first + filled - before;
        int moved = Math.min(count - filled, row.length() - from);
        System.arraycopy(row.array(), row.offset() + from, some, filled, moved);
        filled += moved;
        if (from + moved == row.length()) {
          before += row.length();
          slice++;
        }
      }
      return ArraySlice.ofArray(some).as(type);
    }
  }

  /** What the brokers said of the records of one array. */
  private final class Acknowledgements {
    private final CompletableFuture<RecordMetadata> result = new CompletableFuture<>();
    private final String topic;

    @GuardedBy("result")
    private int missing;

    @GuardedBy("result")
    private @Nullable RecordMetadata first;

    Acknowledgements(String topic, int records) {
      this.topic = topic;
      missing = records;
    }

    void send(ProducerRecord<K, byte[]> record, int index) {
      try {
        var unused =
            producer.send(record, (metadata, failure) -> acknowledged(index, metadata, failure));
      } catch (RuntimeException e) {
        result.completeExceptionally(e);
      }
    }

    private void acknowledged(
        int index, @Nullable RecordMetadata metadata, @Nullable Exception failure) {
      if (failure != null || metadata == null) {
        result.completeExceptionally(
            failure == null ? new CompletionException("no metadata", null) : failure);
        return;
      }
      boolean last;
      RecordMetadata beginning;
      synchronized (result) {
        first = index == 0 || first == null ? metadata : first;
        beginning = first;
        last = --missing == 0;
      }
      if (metadata.partition() != beginning.partition()) {
        result.completeExceptionally(
            new ArrayRecordException(
                ErrorCode.PROTOCOL_VIOLATION,
                topic,
                metadata.partition(),
                metadata.offset(),
                null,
                "the records of an array went to several partitions, since the topic got more of"
                    + " them meanwhile; send it again",
                "first",
                beginning.partition()));
      } else if (last) {
        result.complete(beginning);
      }
    }
  }
}
