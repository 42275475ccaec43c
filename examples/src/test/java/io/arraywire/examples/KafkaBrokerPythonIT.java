package io.arraywire.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.chaos.broker.TestBroker;
import io.arraywire.kafka.ArrayRecordConfig;
import io.arraywire.kafka.FloatArraySerializer;
import io.arraywire.kafka.MessageDeserializer;
import io.arraywire.message.Message;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The client that Python programs use, {@code confluent_kafka}, at a real broker: both directions.
 */
@Timeout(120)
@Tag("ci")
@Tag("newest")
class KafkaBrokerPythonIT {
  private static final String SCRIPT =
      """
      import sys
      import confluent_kafka, numpy as np, arraywire.message as message

      address = sys.argv[1]
      consumer = confluent_kafka.Consumer(
          {"bootstrap.servers": address, "group.id": "python", "auto.offset.reset": "earliest"})
      consumer.subscribe(["from-java"])
      got = []
      while len(got) < 3:
          record = consumer.poll(1.0)
          if record is None:
              continue
          assert record.error() is None, record.error()
          got.append(message.decode(record.value()).array)
      consumer.close()
      steps = np.arange(20000, dtype="f4") // 1000
      assert all(each.dtype == "f4" and np.array_equal(each, steps) for each in got), got

      producer = confluent_kafka.Producer({"bootstrap.servers": address})
      producer.produce("from-python", key=b"k", value=message.encode(np.arange(6.0).reshape(2, 3), tag=9))
      assert producer.flush(30) == 0
      """;

  @BeforeAll
  static void requirePython() throws InterruptedException {
    Python.require("numpy", "confluent_kafka");
  }

  @Test
  void javaAndPythonReadEachOthersRecords(@TempDir Path dir) throws Exception {
    try (TestBroker broker = TestBroker.start(dir.resolve("broker"))) {
      broker.create("from-java");
      broker.create("from-python");
      produce(broker.address());
      Path script = Files.writeString(dir.resolve("script.py"), SCRIPT);
      Path python =
          Path.of(System.getProperty("basedir", ".")).toAbsolutePath().resolve("../python/src");
      try (CliProcess process =
          CliProcess.start(
              Map.of("PYTHONPATH", python.toString()),
              Python.interpreter(),
              script,
              broker.address())) {
        assertThat(process.awaitExit()).as(String.join("\n", process.err())).isZero();
      }
      Message message = consume(broker.address());
      assertThat(message.doubles()).containsExactly(0, 1, 2, 3, 4, 5);
      assertThat(message.parts().get(0).shape()).containsExactly(2, 3);
      assertThat(message.tag()).isEqualTo(9);
    }
  }

  /** In encodings that Python's standard library and NumPy suffice to read. */
  private static void produce(String address) {
    float[] steps = new float[20_000];
    for (int i = 0; i < steps.length; i++) {
      steps[i] = i / 1_000;
    }
    for (String encoding : List.of("raw-le", "shuffle-lz4", "bf16")) {
      try (Producer<String, float[]> producer =
          new KafkaProducer<>(
              Map.of(
                  "bootstrap.servers",
                  address,
                  "key.serializer",
                  StringSerializer.class,
                  "value.serializer",
                  FloatArraySerializer.class,
                  ArrayRecordConfig.ENCODING,
                  encoding))) {
        producer.send(new ProducerRecord<>("from-java", "k", steps));
      }
    }
  }

  private static Message consume(String address) {
    try (Consumer<String, Message> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", address),
            new StringDeserializer(),
            new MessageDeserializer())) {
      List<TopicPartition> all = List.of(new TopicPartition("from-python", 0));
      consumer.assign(all);
      consumer.seekToBeginning(all);
      while (true) {
        for (ConsumerRecord<String, Message> each : consumer.poll(Duration.ofSeconds(1))) {
          return each.value();
        }
      }
    }
  }
}
