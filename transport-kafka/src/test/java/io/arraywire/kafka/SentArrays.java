package io.arraywire.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ElementType;
import io.arraywire.message.Message;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.ByteBufferDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * Sends numbered arrays of several keys, every fifth over several records, and judges what a topic
 * holds of them: all that were acknowledged, once each, whole, in order within their key.
 */
final class SentArrays implements AutoCloseable {
  private static final int KEYS = 4;
  private static final int PIECE_BYTES = 4_000;

  private final String address;
  private final String topic;
  private final KafkaProducer<String, byte[]> producer;
  private final ArrayProducer<String> arrays;
  private final List<CompletableFuture<RecordMetadata>> sent = new ArrayList<>();
  private final AtomicInteger acknowledged = new AtomicInteger();

  SentArrays(String address, String topic) {
    this.address = address;
    this.topic = topic;
    producer =
        new KafkaProducer<>(
            Map.of(
                "bootstrap.servers", address,
                "linger.ms", "0",
                "reconnect.backoff.max.ms", "200",
                "retry.backoff.max.ms", "200"),
            new StringSerializer(),
            new ByteArraySerializer());
    arrays = ArrayProducer.over(producer, SplitOptions.defaults().pieceBytes(PIECE_BYTES));
  }

  static Consumer<String, ByteBuffer> consumer(String address, String topic, int partitions) {
    return consumer(address, topic, partitions, ByteBufferDeserializer.class);
  }

  /** A consumer of all partitions of a topic from their beginning. */
  static <T> Consumer<String, T> consumer(
      String address, String topic, int partitions, Class<?> deserializer) {
    Consumer<String, T> consumer =
        new KafkaConsumer<>(
            Map.of(
                "bootstrap.servers", address,
                "key.deserializer", StringDeserializer.class,
                "value.deserializer", deserializer));
    List<TopicPartition> all = new ArrayList<>();
    for (int i = 0; i < partitions; i++) {
      all.add(new TopicPartition(topic, i));
    }
    consumer.assign(all);
    consumer.seekToBeginning(all);
    return consumer;
  }

  /** An array of a type with elements of any bits. */
  static Object random(ElementType type, int count) {
    Object array = type.newArray(count);
    Random random = new Random(1);
    for (int i = 0; i < count; i++) {
      if (array instanceof boolean[] bits) {
        bits[i] = random.nextBoolean();
      } else if (array instanceof char[] chars) {
        chars[i] = (char) random.nextInt();
      } else if (array instanceof long[] longs) {
        longs[i] = random.nextLong();
      } else if (array instanceof int[] ints) {
        ints[i] = random.nextInt();
      } else {
        Array.setByte(array, i, (byte) random.nextInt());
      }
    }
    return array;
  }

  static float[] elements(int number) {
    float[] elements = new float[number % 5 == 0 ? 3_500 : 16];
    Arrays.fill(elements, number);
    return elements;
  }

  /** Sends the next arrays without waiting for the brokers. */
  void send(int count) {
    for (int i = 0; i < count; i++) {
      int number = sent.size();
      CompletableFuture<RecordMetadata> one =
          arrays.send(
              new ProducerRecord<>(
                  topic, "key-" + number % KEYS, Message.of(elements(number)).tag(number)));
      one.thenRun(acknowledged::incrementAndGet);
      sent.add(one);
    }
  }

  int acknowledged() {
    return acknowledged.get();
  }

  /** All were acknowledged, however long the broker was away. */
  void awaitAll() {
    CompletableFuture.allOf(sent.toArray(CompletableFuture[]::new)).join();
  }

  /** Reads the topic from its beginning and judges it. */
  void judge(int partitions) {
    Map<String, Long> last = new HashMap<>();
    Set<Long> seen = new HashSet<>();
    ArrayAssembler<String> assembler = ArrayAssembler.within(AssemblyOptions.defaults());
    try (Consumer<String, ByteBuffer> consumer = consumer(address, topic, partitions)) {
      long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
      while (seen.size() < sent.size() && System.nanoTime() < deadline) {
        for (ConsumerRecord<String, ByteBuffer> record : consumer.poll(Duration.ofMillis(200))) {
          for (ArrayRecord<String> array : assembler.add(record)) {
            Message message = array.message();
            assertThat(seen.add(message.tag())).as("once: %s", array).isTrue();
            assertThat(message.floats()).isEqualTo(elements((int) message.tag()));
            assertThat(array.key()).isEqualTo("key-" + message.tag() % KEYS);
            Long before = last.put(array.key(), message.tag());
            assertThat(before == null || before < message.tag()).as("in order: %s", array).isTrue();
          }
        }
      }
    }
    assertThat(seen).hasSize(sent.size());
    assertThat(assembler.pendingBytes()).isZero();
  }

  @Override
  public void close() {
    producer.close(Duration.ofSeconds(5));
  }
}
