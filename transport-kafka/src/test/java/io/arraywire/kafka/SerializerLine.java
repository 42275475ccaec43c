package io.arraywire.kafka;

import io.arraywire.chaos.broker.TestBroker;
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

/**
 * A contender with a topic, a producer and a consumer of its own, which stay open. All contenders
 * have the same settings.
 */
final class SerializerLine implements AutoCloseable {
  /** What a topic keeps: each burst is read before the next is sent. */
  private static final String KEPT_BYTES = String.valueOf(256 << 20);

  private static final Map<String, String> KEPT =
      Map.of(
          "retention.bytes", KEPT_BYTES,
          "segment.bytes", KEPT_BYTES,
          "file.delete.delay.ms", "1000");

  /** What was made, so that it is made. */
  static volatile Object blackhole;

  final FloatContender contender;
  final String topic;
  private final float[] floats;
  private final int count;
  private final Producer<String, float[]> producer;
  private final Consumer<String, float[]> consumer;

  /**
   * Opens one.
   *
   * @param burst bytes of elements that are sent at a time
   * @param leastRecords how many records at least
   */
  SerializerLine(
      TestBroker broker, FloatContender contender, float[] floats, double burst, int leastRecords)
      throws Exception {
    this.contender = contender;
    this.floats = floats;
    topic = (contender.name() + floats.length).replaceAll("[^A-Za-z0-9-]", "");
    count = (int) Math.max(leastRecords, burst / (floats.length * Float.BYTES));
    broker.create(topic, 1, KEPT);
    Map<String, Object> settings =
        Map.of(
            "bootstrap.servers",
            broker.address(),
            "batch.size",
            1 << 20,
            "linger.ms",
            5,
            "max.partition.fetch.bytes",
            16 << 20,
            "fetch.max.bytes",
            64 << 20);
    producer = new KafkaProducer<>(settings, new StringSerializer(), contender.serializer());
    consumer = new KafkaConsumer<>(settings, new StringDeserializer(), contender.deserializer());
    List<TopicPartition> partition = List.of(new TopicPartition(topic, 0));
    consumer.assign(partition);
    consumer.seekToBeginning(partition);
  }

  /** Bytes of elements of a burst. */
  double bytes() {
    return (double) floats.length * Float.BYTES * count;
  }

  /** Sends a burst, until all of it is acknowledged. */
  void send() {
    for (int i = 0; i < count; i++) {
      producer.send(new ProducerRecord<>(topic, "k", floats));
    }
    producer.flush();
  }

  /** Reads a burst. */
  void read() {
    for (int got = 0; got < count; ) {
      for (ConsumerRecord<String, float[]> each : consumer.poll(Duration.ofSeconds(5))) {
        blackhole = each.value();
        got++;
      }
    }
  }

  @Override
  public void close() {
    producer.close();
    consumer.close();
  }
}
