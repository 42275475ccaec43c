package io.arraywire.examples.kafka;

import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.PublishReceipt;
import io.arraywire.ReceivedArray;
import io.arraywire.Reply;
import io.arraywire.RequestHandler;
import io.arraywire.kafka.ArrayAssembler;
import io.arraywire.kafka.ArrayRecord;
import io.arraywire.kafka.ArrayRecordException;
import io.arraywire.kafka.AssemblyOptions;
import io.arraywire.message.Message;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteBufferDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.jspecify.annotations.Nullable;

/**
 * Serves a topic to the subscribers of a listener, each from an offset of its own. A client
 * subscribes to a subject of its choice, then asks for a replay with the attributes {@code
 * subject}, {@code partition} (0 if absent) and {@code from} ({@code beginning}, {@code end} or an
 * offset; {@code beginning} if absent). The answer is the offset with which the replay begins. What
 * follows comes over the subscription with the attributes {@code kafka-offset} and {@code
 * kafka-key}, until the subscription or the connection ends.
 *
 * <p>Nothing is dropped: a subscriber that lags slows its own replay. Each replay has a thread and
 * a consumer, so this is for tens of subscribers; see {@code docs/scaling.md}. Further replays than
 * 256 are refused, and so is a second one for the same subject of a connection.
 */
public final class KafkaReplay implements RequestHandler, AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(200);

  /** The most replays at a time: each has a thread and a consumer. */
  private static final int MOST_REPLAYS = 256;

  private final String brokers;
  private final String topic;
  private final AssemblyOptions options;
  private final Consumer<String> complaints;
  private final Map<Place, KafkaConsumer<String, ByteBuffer>> running = new ConcurrentHashMap<>();
  private final Semaphore free = new Semaphore(MOST_REPLAYS);

  /** Where a replay goes to: two of them would be mixed up there. */
  private record Place(Connection connection, String subject) {}

  /**
   * Makes a source of replays.
   *
   * @param brokers addresses of some brokers, {@code HOST:PORT,HOST:PORT}
   * @param topic the topic
   * @param arrayBytes the largest array
   * @param complaints told of records that are no arrays, and of replays that fail; any thread
   */
  public KafkaReplay(String brokers, String topic, long arrayBytes, Consumer<String> complaints) {
    this.brokers = brokers;
    this.topic = topic;
    this.options = AssemblyOptions.defaults().arrayBytes(arrayBytes);
    this.complaints = complaints;
  }

  @Override
  public void onRequest(Connection connection, ReceivedArray request, Reply reply)
      throws ArraywireException {
    Map<String, String> asked = request.message().attributes();
    String subject = asked.getOrDefault("subject", topic);
    if (connection.subscribers(subject) == 0) {
      throw ArraywireException.refusal(
          "subscribe to the subject first, then ask for the replay", "subject", subject);
    }
    TopicPartition partition = new TopicPartition(topic, (int) number(asked, "partition", "0"));
    if (!free.tryAcquire()) {
      throw ArraywireException.refusal(
          "as many replays run here as there may be; close a subscription, or come again later",
          "most",
          MOST_REPLAYS);
    }
    Place place = new Place(connection, subject);
    KafkaConsumer<String, ByteBuffer> consumer = null;
    boolean begun = false;
    try {
      consumer = consumer();
      if (running.putIfAbsent(place, consumer) != null) {
        throw ArraywireException.refusal(
            "a replay for this subject runs on this connection, and two would be mixed up; subscribe"
                + " to another subject, or close the subscription first",
            "subject",
            subject);
      }
      long from = seek(consumer, partition, asked);
      KafkaConsumer<String, ByteBuffer> placed = consumer;
      Thread thread = new Thread(() -> replay(place, placed), "replay " + partition);
      thread.setDaemon(true);
      thread.start();
      begun = true;
      reply.send(Message.of(new long[] {from}));
    } finally {
      if (!begun) {
        end(place, consumer);
      }
    }
  }

  private KafkaConsumer<String, ByteBuffer> consumer() {
    return new KafkaConsumer<>(
        Map.of(
            ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
            brokers,
            // An offset that is gone ends a replay; it must not go on elsewhere unnoticed.
            ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
            "none"),
        new StringDeserializer(),
        new ByteBufferDeserializer());
  }

  /** Goes where the client wants to begin; returns that offset. */
  private static long seek(
      KafkaConsumer<String, ByteBuffer> consumer,
      TopicPartition partition,
      Map<String, String> asked)
      throws ArraywireException {
    consumer.assign(List.of(partition));
    switch (asked.getOrDefault("from", "beginning")) {
      case "beginning" -> consumer.seekToBeginning(List.of(partition));
      case "end" -> consumer.seekToEnd(List.of(partition));
      default -> consumer.seek(partition, offset(consumer, partition, number(asked, "from", "")));
    }
    return consumer.position(partition);
  }

  /** There is room for another replay, at this place and elsewhere. */
  private void end(Place place, @Nullable KafkaConsumer<String, ByteBuffer> consumer) {
    try {
      if (consumer != null) {
        running.remove(place, consumer);
        consumer.close();
      }
    } finally {
      free.release();
    }
  }

  private static long offset(
      KafkaConsumer<String, ByteBuffer> consumer, TopicPartition partition, long wanted)
      throws ArraywireException {
    List<TopicPartition> one = List.of(partition);
    long first = consumer.beginningOffsets(one).getOrDefault(partition, 0L);
    long end = consumer.endOffsets(one).getOrDefault(partition, 0L);
    if (wanted < first || wanted > end) {
      throw ArraywireException.refusal(
          "the topic does not have that offset; choose one that it has",
          "from",
          wanted,
          "first",
          first,
          "end",
          end);
    }
    return wanted;
  }

  private static long number(Map<String, String> asked, String name, String otherwise)
      throws ArraywireException {
    String text = asked.getOrDefault(name, otherwise);
    try {
      long number = Long.parseLong(text);
      if (number >= 0) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Refused below.
    }
    throw ArraywireException.refusal("the attribute is not a number of 0 or more", name, text);
  }

  private void replay(Place place, KafkaConsumer<String, ByteBuffer> consumer) {
    Connection connection = place.connection();
    String subject = place.subject();
    ArrayAssembler<String> assembler = ArrayAssembler.within(options);
    try {
      while (connection.subscribers(subject) > 0) {
        for (ConsumerRecord<String, ByteBuffer> record : consumer.poll(POLL)) {
          publish(connection, subject, assembler.add(record));
        }
        publish(connection, subject, assembler.expired());
      }
    } catch (WakeupException e) {
      // The bridge ends.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ArraywireException | RuntimeException e) {
      if (connection.isOpen()) {
        complaints.accept("the replay of " + subject + " ended: " + e.getMessage());
      }
    } finally {
      end(place, consumer);
    }
  }

  private void publish(Connection connection, String subject, List<ArrayRecord<String>> arrays)
      throws ArraywireException, InterruptedException {
    for (ArrayRecord<String> array : arrays) {
      ArrayRecordException failure = array.failure();
      if (failure != null) {
        complaints.accept(String.valueOf(failure.getMessage()));
        continue;
      }
      Message message = array.message();
      if (message == null) {
        continue;
      }
      Message marked = marked(message, array);
      PublishReceipt receipt;
      do {
        receipt = connection.publish(subject, marked);
      } while (receipt.timedOut() > 0);
    }
  }

  /** The message with the place that it has in the topic, unless its own attributes fill it. */
  private static Message marked(Message message, ArrayRecord<String> array) {
    String key = array.key();
    try {
      Message marked = message.attribute("kafka-offset", Long.toString(array.offset()));
      return key == null ? marked : marked.attribute(KafkaSink.KEY, key);
    } catch (IllegalArgumentException e) {
      return message;
    }
  }

  /** Ends all replays. */
  @Override
  public void close() {
    running.values().forEach(KafkaConsumer::wakeup);
  }

  /** Replays that run, for tests. */
  int replays() {
    return running.size();
  }
}
