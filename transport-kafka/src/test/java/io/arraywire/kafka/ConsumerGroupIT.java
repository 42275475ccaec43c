package io.arraywire.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.arraywire.chaos.broker.TestBroker;
import io.arraywire.message.Message;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.ByteBufferDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Readers of a group, as docs/kafka.md has them, of which one comes in the middle of arrays. */
@Timeout(180)
@Tag("ci")
@Tag("newest")
class ConsumerGroupIT {
  private static final String TOPIC = "shared";
  private static final int PARTITIONS = 2;
  private static final int ARRAYS = 20;
  private static final int PIECES = 5;
  private static final int PIECE_BYTES = 4_000;

  /** A reader that commits after each poll. */
  private static final class Reader implements AutoCloseable, ConsumerRebalanceListener {
    private final ArrayAssembler<String> assembler =
        ArrayAssembler.within(AssemblyOptions.defaults());
    private final Consumer<String, ByteBuffer> consumer;
    private final Set<Long> read = new HashSet<>();
    private int rebalances;

    Reader(String address) {
      consumer =
          new KafkaConsumer<>(
              Map.of(
                  "bootstrap.servers", address,
                  "group.id", "readers",
                  "auto.offset.reset", "earliest",
                  "enable.auto.commit", "false",
                  "heartbeat.interval.ms", "200",
                  "session.timeout.ms", "6000",
                  // So that a poll ends in the middle of arrays, and partitions take turns.
                  "max.poll.records", "3",
                  "max.partition.fetch.bytes", "4096"),
              new StringDeserializer(),
              new ByteBufferDeserializer());
      consumer.subscribe(List.of(TOPIC), this);
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> revoked) {
      rebalances += revoked.isEmpty() ? 0 : 1;
      consumer.commitSync(assembler.offsets());
      assembler.forget(revoked);
    }

    @Override
    public void onPartitionsLost(Collection<TopicPartition> lost) {
      assembler.forget(lost);
    }

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> assigned) {}

    void poll() {
      for (ConsumerRecord<String, ByteBuffer> record : consumer.poll(Duration.ofMillis(50))) {
        for (ArrayRecord<String> array : assembler.add(record)) {
          // None is without its beginning: the reader before it has not committed that.
          assertThat(array.failure()).isNull();
          assertThat(array.message().floats()).isEqualTo(elements(array.message().tag()));
          read.add(array.message().tag());
        }
      }
      assertThat(consumer.assignment()).containsAll(assembler.offsets().keySet());
      consumer.commitSync(assembler.offsets());
    }

    @Override
    public void close() {
      consumer.close();
    }
  }

  private static float[] elements(long tag) {
    float[] elements = new float[PIECES * PIECE_BYTES / Float.BYTES];
    java.util.Arrays.fill(elements, tag);
    return elements;
  }

  private static void send(String address) {
    try (KafkaProducer<String, byte[]> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", address),
            new StringSerializer(),
            new ByteArraySerializer())) {
      ArrayProducer<String> arrays =
          ArrayProducer.over(producer, SplitOptions.defaults().pieceBytes(PIECE_BYTES));
      for (int i = 0; i < PARTITIONS * ARRAYS; i++) {
        Message message = Message.of(elements(i)).tag(i);
        arrays.send(new ProducerRecord<>(TOPIC, i % PARTITIONS, "k", message)).join();
      }
    }
  }

  @Test
  void eachArrayIsReadWholeWhereAReaderJoinsInTheMiddle(@TempDir Path dir) throws Exception {
    try (TestBroker broker = TestBroker.start(dir)) {
      broker.create(TOPIC, PARTITIONS);
      send(broker.address());
      try (Reader first = new Reader(broker.address())) {
        await()
            .atMost(Duration.ofSeconds(60))
            .until(() -> {
              first.poll();
              // It has read of the partition that the other one will have.
              return first.assembler.offsets().size() == PARTITIONS
                  && first.assembler.pendingBytes() > 0;
            });
        List<Reader> both = new ArrayList<>(List.of(first));
        try (Reader second = new Reader(broker.address())) {
          both.add(second);
          Set<Long> all = new HashSet<>();
          await()
              .atMost(Duration.ofSeconds(60))
              .until(() -> {
                for (Reader each : both) {
                  each.poll();
                  all.addAll(each.read);
                }
                return all.size() == PARTITIONS * ARRAYS;
              });
          assertThat(first.rebalances).isPositive();
          assertThat(second.read).as("it has taken part").isNotEmpty();
          Map<TopicPartition, OffsetAndMetadata> committed = new HashMap<>();
          for (int i = 0; i < PARTITIONS; i++) {
            TopicPartition partition = new TopicPartition(TOPIC, i);
            committed.putAll(first.consumer.committed(Set.of(partition)));
            assertThat(committed.get(partition).offset())
                .as("nobody has taken it back")
                .isEqualTo(ARRAYS * PIECES);
          }
        }
      }
    }
  }
}
