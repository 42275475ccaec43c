package io.arraywire.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.arraywire.ErrorCode;
import io.arraywire.chaos.broker.TestBroker;
import io.arraywire.message.Message;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Arrays in pieces of which a real broker does not have all, or more than a reader takes. */
@Timeout(120)
@Tag("ci")
@Tag("newest")
class UnfinishedArraysIT {
  private static final int PIECES = 5;
  private static final int PIECE_BYTES = 4_000;
  private static final float[] LARGE = new float[PIECES * PIECE_BYTES / Float.BYTES];
  private static final float[] SMALL = {1, 2, 3};

  private static TestBroker broker;

  @BeforeAll
  static void start(@TempDir Path dir) throws Exception {
    broker = TestBroker.start(dir);
  }

  @AfterAll
  static void stop() {
    broker.close();
  }

  /** The records of a large array, then that of a small one of the same key. */
  private static List<ProducerRecord<String, byte[]>> records(String topic) {
    MockProducer<String, byte[]> records =
        new MockProducer<>(true, null, new StringSerializer(), new ByteArraySerializer());
    ArrayProducer<String> arrays =
        ArrayProducer.over(records, SplitOptions.defaults().pieceBytes(PIECE_BYTES));
    arrays.send(new ProducerRecord<>(topic, "k", Message.of(LARGE))).join();
    arrays.send(new ProducerRecord<>(topic, "k", Message.of(SMALL))).join();
    assertThat(records.history()).hasSize(PIECES + 1);
    return new ArrayList<>(records.history());
  }

  private static void send(String topic, List<ProducerRecord<String, byte[]>> records)
      throws Exception {
    broker.create(topic, 1);
    try (KafkaProducer<String, byte[]> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", broker.address()),
            new StringSerializer(),
            new ByteArraySerializer())) {
      records.forEach(producer::send);
    }
  }

  /** Reads a topic from its beginning until so many arrays have ended, well or not. */
  private static List<ArrayRecord<String>> read(
      String topic, int count, ArrayAssembler<String> assembler) {
    List<ArrayRecord<String>> got = new ArrayList<>();
    try (Consumer<String, ByteBuffer> consumer = SentArrays.consumer(broker.address(), topic, 1)) {
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> {
            consumer.poll(Duration.ofMillis(100)).forEach(each -> got.addAll(assembler.add(each)));
            got.addAll(assembler.expired());
            return got.size() >= count;
          });
    }
    assertThat(got).hasSize(count);
    return got;
  }

  private static void assertFailed(
      ArrayRecord<String> record, ErrorCode code, String topic, String... words) {
    assertThat(record.failure()).as("%s", record).isNotNull();
    assertThat(record.failure().code()).isEqualTo(code);
    assertThat(record.failure())
        .hasMessageContaining("topic=" + topic + ", partition=0, offset=")
        .message()
        .contains(words);
  }

  @Test
  void aGapIsAnErrorThatNamesItAndReadingGoesOnBehindIt() throws Exception {
    List<ProducerRecord<String, byte[]>> all = records("gap");
    all.remove(2);
    send("gap", all);
    ArrayAssembler<String> assembler = ArrayAssembler.within(AssemblyOptions.defaults());
    List<ArrayRecord<String>> got = read("gap", 2, assembler);
    assertFailed(got.get(0), ErrorCode.SEQUENCE_GAP, "gap", "missing", "expected=2", "piece=3");
    assertThat(got.get(1).message().floats()).isEqualTo(SMALL);
    assertThat(assembler.offsets().get(new TopicPartition("gap", 0)).offset())
        .as("what may be committed")
        .isEqualTo(PIECES);
  }

  /** The time for which a topic keeps records ends in the middle of arrays, too. */
  @Test
  void anArrayOfWhichTheBrokerDeletedTheBeginningIsAnError() throws Exception {
    send("deleted", records("deleted"));
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.address()))) {
      admin
          .deleteRecords(Map.of(new TopicPartition("deleted", 0), RecordsToDelete.beforeOffset(2)))
          .all()
          .get(60, TimeUnit.SECONDS);
    }
    List<ArrayRecord<String>> got =
        read("deleted", 2, ArrayAssembler.within(AssemblyOptions.defaults()));
    assertFailed(got.get(0), ErrorCode.SEQUENCE_GAP, "deleted", "beginning");
    assertThat(got.get(1).message().floats()).isEqualTo(SMALL);
  }

  @Test
  void anArrayWhoseSenderEndedInTheMiddleEndsAtTheDeadline() throws Exception {
    send("stalled", records("stalled").subList(0, 3));
    ArrayAssembler<String> assembler =
        ArrayAssembler.within(AssemblyOptions.defaults().deadline(Duration.ofMillis(300)));
    List<ArrayRecord<String>> got = read("stalled", 1, assembler);
    assertFailed(got.get(0), ErrorCode.STALLED_ARRAY, "stalled", "deadline=PT0.3S");
    assertThat(assembler.pendingBytes()).isZero();
  }

  @Test
  void anArrayAboveTheLimitIsAnErrorAndReadingGoesOnBehindIt() throws Exception {
    send("limit", records("limit"));
    List<ArrayRecord<String>> got =
        read(
            "limit",
            2,
            ArrayAssembler.within(
                AssemblyOptions.defaults().arrayBytes(PIECES * PIECE_BYTES - Float.BYTES)));
    assertFailed(got.get(0), ErrorCode.FRAME_TOO_LARGE, "limit", "limit=" + (LARGE.length - 1));
    assertThat(got.get(1).message().floats()).isEqualTo(SMALL);
  }
}
