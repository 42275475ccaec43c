package io.arraywire.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.arraywire.ArraySlice;
import io.arraywire.ElementType;
import io.arraywire.ErrorCode;
import io.arraywire.chaos.broker.TestBroker;
import io.arraywire.message.Message;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RecordDeserializationException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.ByteBufferDeserializer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.KafkaStreams;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Arrays over a real broker. All tests share one, each has a topic of its own. */
@Timeout(120)
@Tag("newest")
class BrokerIT {
  private static TestBroker broker;

  @BeforeAll
  static void start(@TempDir Path dir) throws Exception {
    broker = TestBroker.start(dir);
  }

  @AfterAll
  static void stop() {
    broker.close();
  }

  private static KafkaProducer<String, byte[]> producer() {
    return new KafkaProducer<>(
        Map.of("bootstrap.servers", broker.address()),
        new StringSerializer(),
        new ByteArraySerializer());
  }

  @ParameterizedTest
  @MethodSource("io.arraywire.kafka.SerdesTest#primitives")
  <T> void anArrayOfEachTypePassesABroker(Serde<T> serde, T array) throws Exception {
    List<T> values = passed(array.getClass().getComponentType().getName(), "raw-le", serde, array);
    assertThat(values.get(0)).isEqualTo(array);
    assertThat(values.get(1)).isNull();
  }

  @ParameterizedTest
  @EnumSource(ElementType.class)
  void aSliceOfEachTypePassesABroker(ElementType type) throws Exception {
    Object elements = SentArrays.random(type, 9);
    ArraySlice slice = ArraySlice.ofArray(elements, 2, 5).as(type);
    ArraySlice back =
        passed("slice-" + type.name().replace('_', '-'), "raw-le", new ArraySliceSerde(), slice)
            .get(0);
    assertThat(back.type()).isEqualTo(type);
    Object expected = type.newArray(5);
    System.arraycopy(elements, 2, expected, 0, 5);
    Object actual = type.newArray(5);
    Message.of(back).part(Message.UNNAMED).readInto(actual);
    assertThat(actual).isEqualTo(expected);
  }

  @Test
  void tagShapeAttributesAndPartsPassABroker() throws Exception {
    Message one = Message.of(new float[] {1, 2, 3, 4, 5, 6}, 2, 3).tag(-7).attribute("unit", "K");
    Message back = passed("message", "shuffle-lz4", new MessageSerde(), one).get(0);
    assertThat(back.floats()).containsExactly(1, 2, 3, 4, 5, 6);
    assertThat(back.tag()).isEqualTo(-7);
    assertThat(back.parts().get(0).shape()).containsExactly(2, 3);
    assertThat(back.attributes()).isEqualTo(Map.of("unit", "K"));
    Message parts = Message.of("ids", new int[] {1, 2}).with("scores", new float[] {3, 4});
    back = passed("parts", "raw-le", new MessageSerde(), parts).get(0);
    assertThat(back.ints("ids")).containsExactly(1, 2);
    assertThat(back.floats("scores")).containsExactly(3, 4);
  }

  /** The consumer is not told which. */
  @ParameterizedTest
  @ValueSource(strings = {"raw-be", "shuffle-zstd", "shuffle-lz4", "bf16", "fp16"})
  void anEncodingIsNamedInAProperty(String encoding) throws Exception {
    float[] steps = new float[50_000];
    for (int i = 0; i < steps.length; i++) {
      steps[i] = i / 1_000;
    }
    List<float[]> values = passed("in-" + encoding, encoding, new FloatArraySerde(), steps);
    assertThat(values.get(0)).isEqualTo(steps);
  }

  /** What a topic gives back of an array and a tombstone: as a user configures it, by names. */
  private static <T> List<T> passed(String topic, String encoding, Serde<T> serde, T array)
      throws Exception {
    broker.create(topic);
    Map<String, Object> properties =
        Map.of(
            "bootstrap.servers",
            broker.address(),
            "key.serializer",
            StringSerializer.class.getName(),
            "value.serializer",
            serde.serializer().getClass().getName(),
            ArrayRecordConfig.ENCODING,
            encoding);
    List<T> values = new ArrayList<>();
    try (KafkaProducer<String, T> producer = new KafkaProducer<>(properties);
        Consumer<String, T> consumer =
            SentArrays.consumer(broker.address(), topic, 1, serde.deserializer().getClass())) {
      producer.send(new ProducerRecord<>(topic, "k", array));
      producer.send(new ProducerRecord<>(topic, "k", null));
      producer.flush();
      await()
          .until(() -> {
            consumer.poll(Duration.ofMillis(100)).forEach(each -> values.add(each.value()));
            return values.size() == 2;
          });
    }
    return values;
  }

  /** 16 MiB in records of a broker that takes 1 MiB, read by a group that commits in the middle. */
  @Test
  void aLargeArrayIsReadByAGroupThatBeginsAgainInTheMiddle() throws Exception {
    broker.create("large", 1);
    float[] weights = new float[4 << 20];
    for (int i = 0; i < weights.length; i++) {
      weights[i] = i;
    }
    try (KafkaProducer<String, byte[]> producer = producer()) {
      ArrayProducer<String> arrays = ArrayProducer.over(producer);
      arrays.send(new ProducerRecord<>("large", "small", Message.of(new float[] {1}))).join();
      arrays
          .send(new ProducerRecord<>("large", "k", Message.of(weights, 2048, 2048).tag(3)))
          .join();
    }
    List<ArrayRecord<String>> got = new ArrayList<>();
    int records = readSome(got, 7);
    assertThat(got).hasSize(1);
    records += readSome(got, Integer.MAX_VALUE);
    // The second reader began at the array's first record again.
    assertThat(records).isEqualTo(7 + 17);
    Message back = got.get(1).message();
    assertThat(back.floats()).isEqualTo(weights);
    assertThat(back.parts().get(0).shape()).containsExactly(2048, 2048);
    assertThat(back.tag()).isEqualTo(3);
    assertThat(got.get(1).offset()).isEqualTo(1);
    assertThat(got.get(1).lastOffset()).isEqualTo(17);
  }

  /** Reads with a group until there are two arrays or so many records, and commits. */
  private static int readSome(List<ArrayRecord<String>> got, int most) {
    int records = 0;
    ArrayAssembler<String> assembler = ArrayAssembler.within(AssemblyOptions.defaults());
    try (Consumer<String, ByteBuffer> consumer =
        new KafkaConsumer<>(
            Map.of(
                "bootstrap.servers", broker.address(),
                "group.id", "readers",
                "auto.offset.reset", "earliest",
                "enable.auto.commit", "false",
                "max.poll.records", "1"),
            new StringDeserializer(),
            new ByteBufferDeserializer())) {
      consumer.subscribe(List.of("large"));
      while (got.size() < 2 && records < most) {
        for (ConsumerRecord<String, ByteBuffer> record : consumer.poll(Duration.ofMillis(200))) {
          records++;
          got.addAll(assembler.add(record));
        }
      }
      consumer.commitSync(assembler.offsets());
    }
    return records;
  }

  @Test
  void aPoisonRecordEndsInATypedErrorAndReadingGoesOnBehindIt() throws Exception {
    broker.create("poison", 1);
    TopicPartition partition = new TopicPartition("poison", 0);
    try (KafkaProducer<String, byte[]> producer = producer()) {
      FloatArraySerializer serializer = new FloatArraySerializer();
      producer.send(
          new ProducerRecord<>("poison", "k", serializer.serialize("poison", new float[] {1})));
      producer.send(new ProducerRecord<>("poison", "k", "not an array".getBytes()));
      producer.send(
          new ProducerRecord<>("poison", "k", serializer.serialize("poison", new float[] {2})));
    }
    try (Consumer<String, float[]> consumer =
        SentArrays.consumer(broker.address(), "poison", 1, FloatArrayDeserializer.class)) {
      List<Float> values = new ArrayList<>();
      int failures = 0;
      while (values.size() < 2) {
        try {
          consumer.poll(Duration.ofMillis(200)).forEach(each -> values.add(each.value()[0]));
        } catch (RecordDeserializationException e) {
          failures++;
          assertThat(e.topicPartition()).isEqualTo(partition);
          assertThat(e.offset()).isEqualTo(1);
          assertThat(e.getCause())
              .isInstanceOfSatisfying(
                  ArrayRecordException.class,
                  cause -> assertThat(cause.code()).isEqualTo(ErrorCode.BAD_MAGIC))
              .hasMessageContaining("topic=poison");
          consumer.seek(e.topicPartition(), e.offset() + 1);
        }
      }
      assertThat(failures).isEqualTo(1);
      assertThat(values).containsExactly(1f, 2f);
    }
    List<ArrayRecord<String>> got = new ArrayList<>();
    ArrayAssembler<String> assembler = ArrayAssembler.within(AssemblyOptions.defaults());
    try (Consumer<String, ByteBuffer> consumer =
        SentArrays.consumer(broker.address(), "poison", 1)) {
      await()
          .until(() -> {
            ConsumerRecords<String, ByteBuffer> records = consumer.poll(Duration.ofMillis(100));
            records.forEach(each -> got.addAll(assembler.add(each)));
            return got.size() == 3;
          });
    }
    assertThat(got.get(1).failure()).hasMessageContaining("topic=poison, partition=0, offset=1");
    assertThat(got.get(2).message().floats()).containsExactly(2);
  }

  /** An array in pieces that a plain deserializer meets is an error of its own kind. */
  @Test
  void aPieceIsNoPlainRecord() throws Exception {
    broker.create("pieces", 1);
    try (KafkaProducer<String, byte[]> producer = producer();
        Consumer<String, float[]> consumer =
            SentArrays.consumer(broker.address(), "pieces", 1, FloatArrayDeserializer.class)) {
      ArrayProducer.over(producer, SplitOptions.defaults().pieceBytes(64))
          .send(new ProducerRecord<>("pieces", "k", Message.of(new float[100])))
          .join();
      assertThatThrownBy(
              () -> {
                while (true) {
                  consumer.poll(Duration.ofMillis(200));
                }
              })
          .isInstanceOf(RecordDeserializationException.class)
          .cause()
          .isInstanceOf(ArrayRecordException.class)
          .hasMessageContaining("ArrayAssembler");
    }
  }

  @Test
  void aStreamsApplicationComputesARollingMean(@TempDir Path dir) throws Exception {
    broker.create("samples", 1);
    broker.create("means", 1);
    Properties properties = RollingMean.properties(broker.address());
    properties.put("state.dir", dir.toString());
    try (KafkaStreams streams =
            new KafkaStreams(RollingMean.topology("samples", "means", 2, 3), properties);
        KafkaProducer<String, byte[]> producer = producer();
        Consumer<String, ByteBuffer> consumer = SentArrays.consumer(broker.address(), "means", 1)) {
      streams.start();
      ArrayProducer<String> arrays = ArrayProducer.over(producer);
      for (int i = 0; i < 20; i++) {
        arrays.send(new ProducerRecord<>("samples", "k", Message.of(new float[] {i, -i}))).join();
      }
      ArrayAssembler<String> assembler = ArrayAssembler.within(AssemblyOptions.defaults());
      List<ArrayRecord<String>> got = new ArrayList<>();
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> {
            consumer.poll(Duration.ofMillis(100)).forEach(each -> got.addAll(assembler.add(each)));
            return got.size() == 20;
          });
      assertThat(got.get(19).message().floats())
          .usingComparatorWithPrecision(1e-4f)
          .containsExactly(18, -18);
    }
  }

  @Test
  void nothingAcknowledgedIsLostOverARestartOfTheBroker() throws Exception {
    broker.create("restarted", 2);
    try (SentArrays arrays = new SentArrays(broker.address(), "restarted")) {
      arrays.send(200);
      await().until(() -> arrays.acknowledged() >= 50);
      broker.stop();
      // Kafka's send may wait for the broker, too.
      CompletableFuture<Void> meanwhile = CompletableFuture.runAsync(() -> arrays.send(200));
      int before = arrays.acknowledged();
      broker.startAgain();
      meanwhile.join();
      arrays.send(200);
      arrays.awaitAll();
      // The broker was away: what was sent meanwhile could not be acknowledged before.
      assertThat(before).isLessThanOrEqualTo(200);
      arrays.judge(2);
    }
  }

  @Test
  void nothingAcknowledgedIsLostWhenTheProcessOfTheBrokerIsKilled(@TempDir Path dir)
      throws Exception {
    try (TestBroker process = TestBroker.startProcess(dir)) {
      process.create("killed", 2);
      try (SentArrays arrays = new SentArrays(process.address(), "killed")) {
        AtomicBoolean over = new AtomicBoolean();
        CompletableFuture<Void> load =
            CompletableFuture.runAsync(() -> {
              while (!over.get()) {
                arrays.send(1);
                LockSupport.parkNanos(500_000);
              }
            });
        await().until(() -> arrays.acknowledged() >= 200);
        // Under load, and arrays are sent while it is away.
        process.kill();
        int atDeath = arrays.acknowledged();
        process.startAgain();
        await()
            .atMost(Duration.ofSeconds(60))
            .until(() -> load.isDone() || arrays.acknowledged() >= atDeath + 400);
        over.set(true);
        load.join();
        arrays.awaitAll();
        arrays.judge(2);
      }
    }
  }
}
