package io.arraywire.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.ArraySlice;
import io.arraywire.ElementType;
import io.arraywire.ErrorCode;
import io.arraywire.message.Message;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Arrays over several records, with Kafka's producer for tests in place of a broker. */
class ArrayAssemblerTest {
  private static final String TOPIC = "weights";
  private static final TopicPartition PARTITION = new TopicPartition(TOPIC, 3);

  private final MockProducer<String, byte[]> producer =
      new MockProducer<>(true, null, new StringSerializer(), new ByteArraySerializer());
  private final ArrayProducer<String> arrays =
      ArrayProducer.over(producer, SplitOptions.defaults().pieceBytes(16));
  private final AtomicLong nanos = new AtomicLong();
  private ArrayAssembler<String> assembler =
      ArrayAssembler.within(
          AssemblyOptions.defaults().deadline(Duration.ofSeconds(10)), nanos::get);

  private static float[] ramp(int length) {
    float[] array = new float[length];
    for (int i = 0; i < length; i++) {
      array[i] = i;
    }
    return array;
  }

  private void send(String key, Message message) {
    CompletableFuture<RecordMetadata> sent = arrays.send(new ProducerRecord<>(TOPIC, key, message));
    assertThat(sent).isCompleted();
  }

  /** The records of one partition, as a consumer sees them. */
  private List<ConsumerRecord<String, ByteBuffer>> records() {
    List<ConsumerRecord<String, ByteBuffer>> records = new ArrayList<>();
    for (ProducerRecord<String, byte[]> each : producer.history()) {
      records.add(at(records.size(), each));
    }
    return records;
  }

  /** What a consumer gives of a record that was sent. */
  static ConsumerRecord<String, ByteBuffer> at(long offset, ProducerRecord<String, byte[]> record) {
    return new ConsumerRecord<>(
        TOPIC,
        PARTITION.partition(),
        offset,
        1000 + offset,
        TimestampType.CREATE_TIME,
        1,
        record.value() == null ? -1 : record.value().length,
        record.key(),
        record.value() == null ? null : ByteBuffer.wrap(record.value()).asReadOnlyBuffer(),
        record.headers(),
        Optional.empty());
  }

  private static ConsumerRecord<String, ByteBuffer> moved(
      long offset, ConsumerRecord<String, ByteBuffer> record) {
    return new ConsumerRecord<>(
        TOPIC,
        PARTITION.partition(),
        offset,
        record.timestamp(),
        record.timestampType(),
        record.serializedKeySize(),
        record.serializedValueSize(),
        record.key(),
        record.value(),
        record.headers(),
        Optional.empty());
  }

  /** Reads records, each at an offset of its own. */
  private List<ArrayRecord<String>> read(List<ConsumerRecord<String, ByteBuffer>> records) {
    List<ArrayRecord<String>> results = new ArrayList<>();
    long offset = 0;
    for (ConsumerRecord<String, ByteBuffer> record : records) {
      results.addAll(assembler.add(moved(offset++, record)));
    }
    return results;
  }

  private static void assertFailed(ArrayRecord<String> record, ErrorCode code, String words) {
    assertThat(record.failure()).isNotNull();
    assertThat(record.failure().code()).isEqualTo(code);
    assertThat(record.failure().topic()).isEqualTo(TOPIC);
    assertThat(record.failure().partition()).isEqualTo(3);
    assertThat(record.failure())
        .hasMessageContaining(words)
        .hasMessageContaining("topic=weights, partition=3, offset=");
    assertThat(record.failure().getMessage()).hasSizeLessThan(300);
    assertThatThrownBy(record::message).hasCause(record.failure());
  }

  @ParameterizedTest
  @EnumSource(ElementType.class)
  void aLargeArrayComesBackWithAllThatItHas(ElementType type) {
    Object array = SentArrays.random(type, 103);
    send(
        "k",
        Message.of("layer", ArraySlice.ofArray(array, 3, 100).as(type), 4, 25)
            .tag(9)
            .attribute("unit", "K"));
    assertThat(producer.history()).hasSize((100 * type.bytes() + 15) / 16);
    List<ArrayRecord<String>> results = read(records());
    assertThat(results).hasSize(1);
    ArrayRecord<String> record = results.get(0);
    assertThat(record.key()).isEqualTo("k");
    assertThat(record.topic()).isEqualTo(TOPIC);
    assertThat(record.partition()).isEqualTo(3);
    assertThat(record.offset()).isZero();
    assertThat(record.lastOffset()).isEqualTo(producer.history().size() - 1);
    assertThat(record.timestamp()).isEqualTo(1000);
    Message message = record.message();
    assertThat(message.tag()).isEqualTo(9);
    assertThat(message.attributes()).isEqualTo(Map.of("unit", "K"));
    assertThat(message.part("layer").shape()).containsExactly(4, 25);
    assertThat(message.part("layer").type()).isEqualTo(type);
    Object expected = type.newArray(100);
    System.arraycopy(array, 3, expected, 0, 100);
    Object actual = type.newArray(100);
    message.part("layer").readInto(actual);
    assertThat(actual).isEqualTo(expected);
    assertThat(assembler.pendingBytes()).isZero();
  }

  @Test
  void rowsAreGathered() {
    float[][] rows = {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {9, 10, 11}};
    send("k", Message.rows("", rows));
    assertThat(producer.history()).hasSize(3);
    Message message = read(records()).get(0).message();
    assertThat(message.floats()).isEqualTo(ramp(12));
    assertThat(message.parts().get(0).shape()).containsExactly(4, 3);
  }

  @Test
  void aSmallArrayIsOneRecordThatAnyDeserializerReads() {
    send("k", Message.of(new float[] {1, 2, 3, 4}));
    assertThat(producer.history()).hasSize(1);
    byte[] value = producer.history().get(0).value();
    assertThat(new FloatArrayDeserializer().deserialize(TOPIC, new RecordHeaders(), value))
        .containsExactly(1, 2, 3, 4);
    assertThat(read(records()).get(0).message().floats()).containsExactly(1, 2, 3, 4);
  }

  @Test
  void aPieceIsNoArrayForADeserializer() {
    send("k", Message.of(ramp(8)));
    ProducerRecord<String, byte[]> piece = producer.history().get(0);
    assertThatThrownBy(
            () -> new FloatArrayDeserializer().deserialize(TOPIC, piece.headers(), piece.value()))
        .isInstanceOf(ArrayRecordException.class)
        .hasMessageContaining("ArrayAssembler");
  }

  @Test
  void tombstonesAndHeadersPass() {
    ProducerRecord<String, Message> record =
        new ProducerRecord<>(TOPIC, 0, 5L, "k", (Message) null);
    record.headers().add("trace", new byte[] {1});
    arrays.send(record);
    record = new ProducerRecord<>(TOPIC, 0, 5L, "k", Message.of(ramp(8)));
    record.headers().add("trace", new byte[] {2});
    arrays.send(record);
    assertThat(record.headers().toArray()).hasSize(1);
    assertThat(producer.history().get(1).timestamp()).isEqualTo(5);
    List<ArrayRecord<String>> results = read(records());
    assertThat(results).hasSize(2);
    assertThat(results.get(0).isTombstone()).isTrue();
    assertThat(results.get(0).message()).isNull();
    assertThat(results.get(1).headers().lastHeader("trace").value()).containsExactly(2);
    assertThat(results.get(1).isTombstone()).isFalse();
  }

  @Test
  void arraysOfDifferentKeysMayMix() {
    send("a", Message.of(ramp(12)));
    send("b", Message.of(ramp(8)));
    List<ConsumerRecord<String, ByteBuffer>> all = records();
    List<ArrayRecord<String>> results =
        read(List.of(all.get(0), all.get(3), all.get(1), all.get(4), all.get(2)));
    assertThat(results).extracting(ArrayRecord::key).containsExactly("b", "a");
    assertThat(results.get(1).message().floats()).isEqualTo(ramp(12));
  }

  @Test
  void aMissingPieceIsReportedOnce() {
    send("k", Message.of(ramp(20)));
    send("k", Message.of(ramp(8)));
    List<ConsumerRecord<String, ByteBuffer>> all = records();
    all.remove(1);
    List<ArrayRecord<String>> results = read(all);
    assertThat(results).hasSize(2);
    assertFailed(results.get(0), ErrorCode.SEQUENCE_GAP, "missing");
    assertThat(results.get(0).failure())
        .hasMessageContaining("expected=1")
        .hasMessageContaining("piece=2");
    assertThat(results.get(1).message().floats()).isEqualTo(ramp(8));
  }

  @Test
  void aPieceThatComesTwiceIsReported() {
    send("k", Message.of(ramp(12)));
    List<ConsumerRecord<String, ByteBuffer>> all = records();
    all.add(1, all.get(0));
    List<ArrayRecord<String>> results = read(all);
    assertThat(results).hasSize(1);
    assertFailed(results.get(0), ErrorCode.SEQUENCE_GAP, "twice");
  }

  @Test
  void aMissingBeginningIsReportedOnce() {
    send("k", Message.of(ramp(20)));
    send("k", Message.of(ramp(8)));
    List<ArrayRecord<String>> results = read(records().subList(2, 7));
    assertThat(results).hasSize(2);
    assertFailed(results.get(0), ErrorCode.SEQUENCE_GAP, "beginning");
    assertThat(results.get(1).failure()).isNull();
  }

  @Test
  void twoSendersOfOneKeyAreReported() {
    send("k", Message.of(ramp(12)));
    send("k", Message.of(ramp(8)));
    List<ConsumerRecord<String, ByteBuffer>> all = records();
    List<ArrayRecord<String>> results =
        read(List.of(all.get(0), all.get(3), all.get(1), all.get(4), all.get(2)));
    assertThat(results).hasSize(2);
    assertFailed(results.get(0), ErrorCode.PROTOCOL_VIOLATION, "same key");
    assertThat(results.get(1).message().floats()).isEqualTo(ramp(8));
  }

  @Test
  void aWholeRecordOrATombstoneEndsAnUnfinishedArrayOfItsKey() {
    send("k", Message.of(ramp(12)));
    send("k", Message.of(ramp(2)));
    List<ConsumerRecord<String, ByteBuffer>> all = records();
    List<ArrayRecord<String>> results = read(List.of(all.get(0), all.get(3)));
    assertThat(results).hasSize(2);
    assertFailed(results.get(0), ErrorCode.PROTOCOL_VIOLATION, "same key");
    assertThat(results.get(1).message().floats()).isEqualTo(ramp(2));
  }

  @Test
  void anArrayThatDoesNotGoOnEndsInTime() {
    send("a", Message.of(ramp(12)));
    send("b", Message.of(ramp(12)));
    List<ConsumerRecord<String, ByteBuffer>> all = records();
    assertThat(assembler.add(all.get(0))).isEmpty();
    nanos.addAndGet(Duration.ofSeconds(9).toNanos());
    assertThat(assembler.add(all.get(3))).isEmpty();
    assertThat(assembler.offsets().get(PARTITION).offset()).isZero();
    nanos.addAndGet(Duration.ofSeconds(2).toNanos());
    List<ArrayRecord<String>> results = assembler.expired();
    assertThat(results).hasSize(1);
    assertFailed(results.get(0), ErrorCode.STALLED_ARRAY, "deadline=PT10S");
    assertThat(assembler.offsets().get(PARTITION).offset()).isEqualTo(3);
    // A piece that is there in time keeps its array, however long the array takes.
    nanos.addAndGet(Duration.ofSeconds(7).toNanos());
    assertThat(assembler.add(all.get(4))).isEmpty();
    nanos.addAndGet(Duration.ofSeconds(9).toNanos());
    assertThat(assembler.add(all.get(5))).hasSize(1);
  }

  @Test
  void limitsHold() {
    assembler = ArrayAssembler.within(AssemblyOptions.defaults().arrayBytes(47).pendingBytes(60));
    send("k", Message.of(ramp(12)));
    List<ArrayRecord<String>> results = read(records());
    assertThat(results).hasSize(1);
    assertFailed(results.get(0), ErrorCode.FRAME_TOO_LARGE, "limit=11");
    producer.clear();
    send("a", Message.of(ramp(11)));
    send("b", Message.of(ramp(11)));
    List<ConsumerRecord<String, ByteBuffer>> all = records();
    results = read(List.of(all.get(0), all.get(3), all.get(1), all.get(4), all.get(2), all.get(5)));
    assertThat(results).hasSize(2);
    assertFailed(results.get(0), ErrorCode.MEMORY_BUDGET, "limit=60");
    assertThat(results.get(1).message().floats()).isEqualTo(ramp(11));
  }

  /** A header may promise anything. */
  @Test
  void memoryGrowsWithWhatHasCome() {
    assembler = ArrayAssembler.within(AssemblyOptions.defaults().arrayBytes(1L << 32));
    PieceLayout layout =
        new PieceLayout(new java.util.UUID(1, 2), 0, 1 << 20, 0, 1 << 30, List.of(), "");
    ProducerRecord<String, byte[]> record =
        new ProducerRecord<>(TOPIC, "k", new FloatArraySerializer().serialize(TOPIC, new float[4]));
    record.headers().add(PieceLayout.HEADER, layout.write());
    assertThat(assembler.add(at(0, record))).isEmpty();
    // Its elements, and some objects.
    assertThat(assembler.pendingBytes()).isBetween(16L, 2_048L);
  }

  @Test
  void offsetsStayBeforeWhatIsUnfinishedAndRereadingBeginsAnew() {
    send("a", Message.of(ramp(2)));
    send("b", Message.of(ramp(12)));
    send("a", Message.of(ramp(2)));
    List<ConsumerRecord<String, ByteBuffer>> all = records();
    assertThat(assembler.add(all.get(0))).hasSize(1);
    assertThat(assembler.offsets().get(PARTITION).offset()).isEqualTo(1);
    assertThat(assembler.add(all.get(1))).isEmpty();
    assertThat(assembler.add(all.get(2))).isEmpty();
    assertThat(assembler.offsets().get(PARTITION).offset()).isEqualTo(1);
    // The consumer goes back to what it committed.
    assertThat(assembler.add(all.get(1))).isEmpty();
    assertThat(assembler.add(all.get(2))).isEmpty();
    assertThat(assembler.add(all.get(3)).get(0).message().floats()).isEqualTo(ramp(12));
    assertThat(assembler.offsets().get(PARTITION).offset()).isEqualTo(4);
    assertThat(assembler.add(all.get(4))).hasSize(1);
    assertThat(assembler.offsets().get(PARTITION).offset()).isEqualTo(5);
    assembler.forget(List.of(PARTITION));
    assertThat(assembler.offsets()).isEmpty();
  }

  @Test
  void aPoisonRecordIsReportedOnceAndReadingGoesOn() {
    ProducerRecord<String, byte[]> poison =
        new ProducerRecord<>(TOPIC, "k", "{\"json\": true}".getBytes());
    List<ArrayRecord<String>> results = assembler.add(at(0, poison));
    assertThat(results).hasSize(1);
    assertFailed(results.get(0), ErrorCode.BAD_MAGIC, "");
    assertThat(assembler.offsets().get(PARTITION).offset()).isEqualTo(1);
    send("k", Message.of(ramp(2)));
    assertThat(assembler.add(at(1, producer.history().get(0))).get(0).failure()).isNull();
  }

  @Test
  void hostileHeadersEndInTypedFailures() {
    long seed = System.nanoTime();
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    send("k", Message.of("name", ArraySlice.of(ramp(12)), 3, 4).attribute("a", "b"));
    List<ProducerRecord<String, byte[]>> pieces = List.copyOf(producer.history());
    int failures = 0;
    long offset = 0;
    for (int i = 0; i < 20_000; i++) {
      ProducerRecord<String, byte[]> piece = pieces.get(random.nextInt(pieces.size()));
      byte[] header = piece.headers().lastHeader(PieceLayout.HEADER).value().clone();
      byte[] value = piece.value().clone();
      switch (random.nextInt(5)) {
        case 0 -> header = java.util.Arrays.copyOf(header, random.nextInt(header.length + 9));
        case 1 -> header[random.nextInt(header.length)] ^= (byte) (1 << random.nextInt(8));
        case 2 -> value[random.nextInt(value.length)] ^= (byte) (1 << random.nextInt(8));
        case 3 -> value = random.nextBoolean() ? null : java.util.Arrays.copyOf(value, 70);
        default -> header = random.nextInt(9) == 0 ? null : header;
      }
      ProducerRecord<String, byte[]> record = new ProducerRecord<>(TOPIC, "k", value);
      record.headers().add(PieceLayout.HEADER, header);
      for (ArrayRecord<String> each : assembler.add(at(offset++, record))) {
        if (each.failure() != null) {
          failures++;
          assertThat(each.failure().getMessage()).hasSizeLessThan(300);
        }
      }
      assertThat(assembler.pendingBytes()).isLessThan(1 << 20);
    }
    assertThat(failures).isGreaterThan(1_000);
  }

  @Test
  void whatCannotBeSplitIsRefusedBeforeAnythingIsSent() {
    assertThatThrownBy(() -> arrays.send(new ProducerRecord<>(TOPIC, null, Message.of(ramp(12)))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("needs a key");
    assertThatThrownBy(() ->
            arrays.send(
                new ProducerRecord<>(TOPIC, "k", Message.of("a", ramp(12)).with("b", ramp(12)))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("several parts");
    assertThat(producer.history()).isEmpty();
    // A partition does in place of a key.
    arrays.send(new ProducerRecord<>(TOPIC, 0, null, Message.of(ramp(12))));
    assertThat(read(records()).get(0).message().floats()).isEqualTo(ramp(12));
  }

  @Test
  void anArrayIsAcknowledgedWhenAllItsRecordsAre() {
    MockProducer<String, byte[]> slow =
        new MockProducer<>(false, null, new StringSerializer(), new ByteArraySerializer());
    CompletableFuture<RecordMetadata> sent =
        ArrayProducer.over(slow, SplitOptions.defaults().pieceBytes(16))
            .send(new ProducerRecord<>(TOPIC, "k", Message.of(ramp(12))));
    assertThat(slow.completeNext()).isTrue();
    assertThat(slow.completeNext()).isTrue();
    assertThat(sent).isNotDone();
    assertThat(slow.completeNext()).isTrue();
    assertThat(sent).isCompleted();
    assertThat(sent.join().offset()).isZero();
  }

  @Test
  void anArrayOfWhichARecordIsRefusedFails() {
    MockProducer<String, byte[]> slow =
        new MockProducer<>(false, null, new StringSerializer(), new ByteArraySerializer());
    CompletableFuture<RecordMetadata> sent =
        ArrayProducer.over(slow, SplitOptions.defaults().pieceBytes(16))
            .send(new ProducerRecord<>(TOPIC, "k", Message.of(ramp(12))));
    slow.completeNext();
    slow.errorNext(new TimeoutException("no broker"));
    slow.completeNext();
    assertThat(sent).isCompletedExceptionally();
    assertThatThrownBy(sent::join).hasCauseInstanceOf(TimeoutException.class);
    // And nothing further is sent of an array that failed.
    MockProducer<String, byte[]> full =
        new MockProducer<>(true, null, new StringSerializer(), new ByteArraySerializer());
    full.sendException = new TimeoutException("the buffer is full");
    CompletableFuture<RecordMetadata> refused =
        ArrayProducer.over(full, SplitOptions.defaults().pieceBytes(16))
            .send(new ProducerRecord<>(TOPIC, "k", Message.of(ramp(12))));
    assertThatThrownBy(refused::join).hasCauseInstanceOf(TimeoutException.class);
    assertThat(full.history()).isEmpty();
  }
}
