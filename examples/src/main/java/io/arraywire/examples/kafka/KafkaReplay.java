package io.arraywire.examples.kafka;

import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.ReceivedArray;
import io.arraywire.Reply;
import io.arraywire.RequestHandler;
import io.arraywire.examples.kafka.TopicReplay.Place;
import io.arraywire.kafka.AssemblyOptions;
import io.arraywire.message.Message;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteBufferDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.jspecify.annotations.Nullable;

/**
 * Serves a topic to the subscribers of a listener, each from an offset of its own. A client
 * subscribes to a subject of its choice, and then asks for a replay. Attributes say of what: {@code
 * subject}, {@code partition} (0 if absent) and {@code from} ({@code beginning}, {@code end} or an
 * offset; {@code beginning} if absent). The answer is the offset with which the replay begins. What
 * follows comes over the subscription with the attributes {@code kafka-offset} and {@code
 * kafka-key}. It goes on until the subscription or the connection ends, or the client asks again
 * for the same subject: the newest request wins. It stops the replay before it and begins when that
 * one has ended, so the two never run at the same time.
 *
 * <p>A replay that fails tells its subscriber so: behind the last array comes one without elements,
 * with the reason in the attribute {@value #ERROR}. Nothing more comes then, until the client asks
 * again. A replay fails, for example, if the broker has deleted the next record, or no longer
 * permits this program.
 *
 * <p>Nothing is dropped: a subscriber that lags slows its own replay. Each replay has a thread and
 * a consumer, so this is for tens of subscribers; see {@code docs/scaling.md}. At most 256 replays
 * run at a time, and at most 16 of one connection; further ones are refused.
 */
public final class KafkaReplay implements RequestHandler, AutoCloseable {
  /** The metadata key of the reason why a replay failed, in one more array behind the last one. */
  public static final String ERROR = "kafka-error";

  /** The most replays at a time: each has a thread and a consumer. */
  private static final int MOST = 256;

  /** The most of one connection, so that no client has all. */
  private static final int MOST_PER_CONNECTION = 16;

  /** A replay that was stopped ends at once, unless its consumer takes long to close. */
  private static final int PATIENCE_SECONDS = 30;

  private final Supplier<org.apache.kafka.clients.consumer.Consumer<String, ByteBuffer>> consumers;
  private final String topic;
  private final AssemblyOptions options;
  private final Consumer<String> complaints;
  private final int most;
  private final int mostPerConnection;

  /** The newest request of each place, which runs or waits for the one before; its own lock. */
  private final Map<Place, TopicReplay> newest = new HashMap<>();

  /**
   * Makes a source of replays.
   *
   * @param brokers addresses of some brokers, {@code HOST:PORT,HOST:PORT}
   * @param topic the topic
   * @param arrayBytes the largest array
   * @param complaints told of records that are no arrays, and of replays that fail; any thread
   */
  public KafkaReplay(String brokers, String topic, long arrayBytes, Consumer<String> complaints) {
    this(() -> consumer(brokers), topic, arrayBytes, complaints, MOST, MOST_PER_CONNECTION);
  }

  /** With consumers and limits of a test. */
  KafkaReplay(
      Supplier<org.apache.kafka.clients.consumer.Consumer<String, ByteBuffer>> consumers,
      String topic,
      long arrayBytes,
      Consumer<String> complaints,
      int most,
      int mostPerConnection) {
    this.consumers = consumers;
    this.topic = topic;
    this.options = AssemblyOptions.defaults().arrayBytes(arrayBytes);
    this.complaints = complaints;
    this.most = most;
    this.mostPerConnection = mostPerConnection;
  }

  @Override
  public void onRequest(Connection connection, ReceivedArray request, Reply reply)
      throws ArraywireException, InterruptedException {
    Map<String, String> asked = request.message().attributes();
    String subject = asked.getOrDefault("subject", topic);
    if (connection.subscribers(subject) == 0) {
      throw ArraywireException.refusal(
          "subscribe to the subject first, then ask for the replay", "subject", subject);
    }
    TopicPartition partition =
        new TopicPartition(topic, (int) number(asked, "partition", "0", Integer.MAX_VALUE));
    long from =
        switch (asked.getOrDefault("from", "beginning")) {
          case "beginning" -> TopicReplay.BEGINNING;
          case "end" -> TopicReplay.END;
          default -> number(asked, "from", "", Long.MAX_VALUE);
        };
    TopicReplay replay =
        new TopicReplay(new Place(connection, subject), partition, options, complaints);
    TopicReplay before = reserve(replay);
    boolean begun = false;
    try {
      if (before != null) {
        before.stop();
        awaitEnd(before);
      }
      long first = replay.seek(consumers, from);
      replay.start(() -> end(replay));
      begun = true;
      reply.send(Message.of(new long[] {first}));
    } finally {
      if (!begun) {
        endAfter(before, replay);
      }
    }
  }

  /**
   * Takes the place of a replay; returns the one that had it, whose place in the limits it takes.
   */
  private @Nullable TopicReplay reserve(TopicReplay replay) throws ArraywireException {
    Place place = replay.place();
    synchronized (newest) {
      if (!newest.containsKey(place)) {
        long ofConnection =
            newest.keySet().stream()
                .filter(each -> each.connection().equals(place.connection()))
                .count();
        if (ofConnection >= mostPerConnection) {
          throw ArraywireException.refusal(
              "this connection has as many replays as one may have; close a subscription",
              "mostPerConnection",
              mostPerConnection);
        }
        if (newest.size() >= most) {
          throw ArraywireException.refusal(
              "the bridge runs as many replays as it may; close a subscription, or subscribe again later",
              "most",
              most);
        }
      }
      return newest.put(place, replay);
    }
  }

  private static void awaitEnd(TopicReplay before) throws ArraywireException, InterruptedException {
    try {
      before.ended().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw ArraywireException.refusal(
          "the replay before it for this subject does not end; ask again later",
          "subject",
          before.place().subject(),
          "seconds",
          PATIENCE_SECONDS);
    } catch (ExecutionException e) {
      throw new IllegalStateException("a replay ends without a failure", e);
    }
  }

  /** It never began. Its place is free when the one before it has ended, too. */
  private void endAfter(@Nullable TopicReplay before, TopicReplay replay) {
    if (before == null) {
      end(replay);
    } else {
      var unused = before.ended().thenRun(() -> end(replay));
    }
  }

  /** There is room for another replay, at this place and elsewhere. */
  private void end(TopicReplay replay) {
    try {
      replay.closeConsumer();
    } finally {
      synchronized (newest) {
        newest.remove(replay.place(), replay);
      }
      replay.ended().complete(null);
    }
  }

  private static KafkaConsumer<String, ByteBuffer> consumer(String brokers) {
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

  private static long number(Map<String, String> asked, String name, String otherwise, long most)
      throws ArraywireException {
    String text = asked.getOrDefault(name, otherwise);
    try {
      long number = Long.parseLong(text);
      if (number >= 0 && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Refused below.
    }
    throw ArraywireException.refusal(
        "the attribute is not a number of 0 or more", name, text, "most", most);
  }

  /** Ends all replays. */
  @Override
  public void close() {
    synchronized (newest) {
      newest.values().forEach(TopicReplay::stop);
    }
  }

  /** Replays that run, for tests. */
  int replays() {
    synchronized (newest) {
      return newest.size();
    }
  }
}
