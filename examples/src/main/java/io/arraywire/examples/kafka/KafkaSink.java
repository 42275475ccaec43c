package io.arraywire.examples.kafka;

import io.arraywire.ArrayHandler;
import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.ReceivedArray;
import io.arraywire.kafka.ArrayProducer;
import io.arraywire.kafka.SplitOptions;
import io.arraywire.message.Message;
import io.arraywire.message.MessageOptions;
import java.util.Map;
import java.util.concurrent.CompletionException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * Puts what arrives at a listener into a topic. It returns once the brokers have acknowledged the
 * array. So an array that was acknowledged to a sender with {@code Delivery.PROCESSED} is in the
 * topic. One that failed there may be in it, too.
 *
 * <p>Threads: as many as the transport's handlers have. Arrays of one channel go one after the
 * other, and so keep their order in the topic.
 */
public final class KafkaSink implements ArrayHandler, AutoCloseable {
  /** The attribute by which a sender chooses the key. */
  public static final String KEY = "kafka-key";

  private final KafkaProducer<String, byte[]> producer;
  private final ArrayProducer<String> arrays;
  private final String topic;
  private final String key;

  /**
   * Makes a sink.
   *
   * @param brokers addresses of some brokers, {@code HOST:PORT,HOST:PORT}
   * @param topic the topic, which must exist unless the brokers make topics by themselves
   * @param key the key of arrays that bring none in {@value #KEY}
   * @param encoding name of the encoding of elements in records, such as {@code raw-le}; a message
   *     of several parts is raw
   * @throws IllegalArgumentException if no encoding of that name is present
   */
  public KafkaSink(String brokers, String topic, String key, String encoding) {
    MessageOptions records = SplitOptions.defaults().messages().encodingNamed(encoding);
    this.topic = topic;
    this.key = key;
    producer =
        new KafkaProducer<>(
            Map.of(
                ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                brokers,
                ProducerConfig.ACKS_CONFIG,
                "all",
                ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG,
                true,
                // Somebody waits for each array; batches form while others are in flight.
                ProducerConfig.LINGER_MS_CONFIG,
                0,
                // As long as a record may take (delivery.timeout.ms).
                ProducerConfig.MAX_BLOCK_MS_CONFIG,
                120_000),
            new StringSerializer(),
            new ByteArraySerializer());
    arrays = ArrayProducer.over(producer, SplitOptions.defaults().messages(records));
  }

  @Override
  public void onArray(Connection connection, ReceivedArray array) throws ArraywireException {
    Message message = array.message();
    try {
      arrays
          .send(new ProducerRecord<>(topic, message.attributes().getOrDefault(KEY, key), message))
          .join();
    } catch (IllegalArgumentException e) {
      throw ArraywireException.refusal(
          "the array cannot be a record in this encoding; send one that can, or have the bridge use"
              + " another encoding, such as raw-le",
          "cause",
          String.valueOf(e.getMessage()));
    } catch (CompletionException e) {
      throw ArraywireException.refusal(
          "the brokers did not acknowledge the array; it may be in the topic all the same",
          "topic",
          topic,
          "cause",
          String.valueOf(e.getCause()));
    }
  }

  /** Waits for what is in flight. */
  @Override
  public void close() {
    producer.close();
  }
}
