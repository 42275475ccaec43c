package io.arraywire.examples.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.arraywire.Connection;
import io.arraywire.Handlers;
import io.arraywire.Listener;
import io.arraywire.ReceivedArray;
import io.arraywire.RemoteRejectedException;
import io.arraywire.Subscription;
import io.arraywire.message.ArrayMessage;
import io.arraywire.message.Message;
import io.arraywire.nio.NioTransport;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.serialization.ByteBufferDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.Test;

/** Replays of brokers that do not answer, so that each stays where it begins, and of none. */
class KafkaReplayTest {
  private static final Message MINE = asking("mine");
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final TopicPartition PARTITION = new TopicPartition("topic", 0);
  private static final int RECORDS = 20;

  private final AtomicInteger made = new AtomicInteger();

  /** Each has a thread and a consumer, and both would go into one subscription. */
  @Test
  void aSecondRequestForASubjectEndsTheReplayBeforeIt() throws Exception {
    KafkaReplay replay = silent(256, 16);
    try (Listener listener = NioTransport.listen("localhost:0", Handlers.ofRequests(replay));
        Connection client = NioTransport.connect(listener.address())) {
      subscribe(client, "mine");
      var first = client.request(MINE);
      await().until(() -> made.get() == 1);
      var second = client.channel(1).request(MINE);
      await().until(first::isCompletedExceptionally);
      await().until(() -> made.get() == 2);
      assertThatExceptionOfType(ExecutionException.class)
          .isThrownBy(first::get)
          .withMessageContaining("a newer request for its subject came")
          .withMessageContaining("subject=mine");
      assertThat(replay.replays()).isOne();
      assertThat(second).isNotDone();
      replay.close();
      await().until(() -> replay.replays() == 0);
      await().until(second::isCompletedExceptionally);
    }
  }

  /** Within the time of one poll, so that the replay sees a subscription all the while. */
  @Test
  void aClientThatSubscribesAgainGetsTheOffsetThatItAsksForThen() throws Exception {
    ConcurrentLinkedQueue<Records> consumers = new ConcurrentLinkedQueue<>();
    KafkaReplay replay =
        new KafkaReplay(
            () -> {
              Records consumer = new Records();
              consumers.add(consumer);
              return consumer;
            },
            "topic",
            1 << 20,
            words -> {},
            256,
            1);
    try (Listener listener = NioTransport.listen("localhost:0", Handlers.ofRequests(replay));
        Connection client = NioTransport.connect(listener.address())) {
      Subscription before = client.subscribe("mine");
      assertThat(client.call(MINE.attribute("from", "0"), SOON).longs()).containsExactly(0);
      assertThat(offsets(before, RECORDS)).startsWith("0", "1").endsWith("19");
      before.close();
      try (Subscription mine = client.subscribe("mine")) {
        assertThat(client.call(MINE.attribute("from", "15"), SOON).longs()).containsExactly(15);
        Records first = consumers.remove();
        assertThat(first.closed()).isTrue();
        assertThat(offsets(mine, 5)).containsExactly("15", "16", "17", "18", "19");
        assertThat(replay.replays()).isOne();
        assertThat(consumers).hasSize(1);
      }
      replay.close();
      await().until(() -> replay.replays() == 0);
      assertThat(consumers.remove().closed()).isTrue();
    }
  }

  /** Silence would look like a topic that gets no more records. */
  @Test
  void aSubscriberIsToldWhyItsReplayEnded() throws Exception {
    ConcurrentLinkedQueue<String> complaints = new ConcurrentLinkedQueue<>();
    KafkaReplay replay =
        new KafkaReplay(
            () -> {
              Records consumer = new Records();
              if (made.incrementAndGet() == 1) {
                consumer.failBehindTheRecords("record 20 is gone \u2014\n".repeat(100));
              }
              return consumer;
            },
            "topic",
            1 << 20,
            complaints::add,
            256,
            16);
    try (Listener listener = NioTransport.listen("localhost:0", Handlers.ofRequests(replay));
        Connection client = NioTransport.connect(listener.address());
        Subscription mine = client.subscribe("mine")) {
      assertThat(client.call(MINE, SOON).longs()).containsExactly(0);
      assertThat(offsets(mine, RECORDS)).endsWith("19");
      ReceivedArray last = mine.receive(SOON);
      assertThat(last.count()).isZero();
      assertThat(last.message().attributes())
          .containsOnlyKeys(KafkaReplay.ERROR)
          .hasEntrySatisfying(
              KafkaReplay.ERROR,
              words -> assertThat(words).startsWith("record 20 is gone ??").hasSize(512));
      await().until(() -> replay.replays() == 0);
      assertThat(complaints).singleElement().asString().startsWith("the replay of mine ended: ");
      assertThat(client.call(MINE.attribute("from", "18"), SOON).longs()).containsExactly(18);
      assertThat(offsets(mine, 2)).containsExactly("18", "19");
      replay.close();
      await().until(() -> replay.replays() == 0);
    }
  }

  @Test
  void theReplaysOfAllAreLimited() throws Exception {
    KafkaReplay replay = silent(1, 16);
    try (Listener listener = NioTransport.listen("localhost:0", Handlers.ofRequests(replay));
        Connection client = NioTransport.connect(listener.address());
        Connection other = NioTransport.connect(listener.address())) {
      subscribe(client, "mine");
      subscribe(other, "theirs");
      var first = client.request(MINE);
      await().until(() -> made.get() == 1);
      refused(other, asking("theirs"), "most=1");
      assertThat(made).as("consumers of refused requests").hasValue(1);
      replay.close();
      await().until(first::isCompletedExceptionally);
      await().until(() -> replay.replays() == 0);
      var third = other.request(asking("theirs"));
      await().until(() -> made.get() == 2);
      assertThat(third).isNotDone();
      replay.close();
      await().until(third::isCompletedExceptionally);
    }
  }

  @Test
  void aConnectionHasNotAllOfThem() throws Exception {
    KafkaReplay replay = silent(256, 1);
    try (Listener listener = NioTransport.listen("localhost:0", Handlers.ofRequests(replay));
        Connection client = NioTransport.connect(listener.address());
        Connection other = NioTransport.connect(listener.address())) {
      subscribe(client, "mine");
      subscribe(client, "more");
      subscribe(other, "mine");
      var first = client.request(MINE);
      await().until(() -> made.get() == 1);
      refused(client, asking("more"), "mostPerConnection=1");
      assertThat(made).as("consumers of refused requests").hasValue(1);
      var second = other.request(MINE);
      await().until(() -> made.get() == 2);
      assertThat(replay.replays()).isEqualTo(2);
      replay.close();
      await().until(first::isCompletedExceptionally);
      await().until(second::isCompletedExceptionally);
    }
  }

  /** What cannot be must not end what runs. */
  @Test
  void aRequestThatIsNoneLeavesTheReplayAlone() throws Exception {
    KafkaReplay replay = silent(256, 16);
    try (Listener listener = NioTransport.listen("localhost:0", Handlers.ofRequests(replay));
        Connection client = NioTransport.connect(listener.address())) {
      subscribe(client, "mine");
      var first = client.request(MINE);
      await().until(() -> made.get() == 1);
      refused(client, MINE.attribute("from", "never"), "from=never");
      refused(client, MINE.attribute("partition", "4294967296"), "partition=4294967296");
      assertThat(first).isNotDone();
      replay.close();
      await().until(first::isCompletedExceptionally);
    }
  }

  private static void refused(Connection client, Message asking, String words) {
    assertThatExceptionOfType(RemoteRejectedException.class)
        .isThrownBy(() -> client.channel(1).call(asking, SOON))
        .withMessageContaining(words);
  }

  /** Until its connection ends. */
  private static void subscribe(Connection client, String subject) throws Exception {
    var unused = client.subscribe(subject);
  }

  private static Message asking(String subject) {
    return Message.of(new int[1]).attribute("subject", subject);
  }

  private static List<String> offsets(Subscription subscription, int count) throws Exception {
    List<String> offsets = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      ReceivedArray array = subscription.receive(SOON);
      offsets.add(array.message().attributes().get("kafka-offset"));
    }
    return offsets;
  }

  private KafkaReplay silent(int most, int mostPerConnection) {
    Supplier<Consumer<String, ByteBuffer>> consumers =
        () -> {
          made.incrementAndGet();
          return new KafkaConsumer<>(
              Map.of(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, "localhost:1"),
              new StringDeserializer(),
              new ByteBufferDeserializer());
        };
    return new KafkaReplay(consumers, "none", 1 << 20, words -> {}, most, mostPerConnection);
  }

  /** A partition, and polls that end when there are records, or somebody ends them. */
  private static final class Records extends MockConsumer<String, ByteBuffer> {
    Records() {
      super("none");
      updateBeginningOffsets(Map.of(PARTITION, 0L));
      updateEndOffsets(Map.of(PARTITION, (long) RECORDS));
      schedulePollTask(() -> {
        for (int i = 0; i < RECORDS; i++) {
          byte[] value = ArrayMessage.encode(Message.of(new int[] {i}));
          addRecord(
              new ConsumerRecord<>(
                  PARTITION.topic(), PARTITION.partition(), i, "key", ByteBuffer.wrap(value)));
        }
      });
    }

    void failBehindTheRecords(String words) {
      schedulePollTask(() -> setPollException(new KafkaException(words)));
    }

    @Override
    public synchronized ConsumerRecords<String, ByteBuffer> poll(Duration timeout) {
      ConsumerRecords<String, ByteBuffer> records = super.poll(timeout);
      try {
        while (records.isEmpty()) {
          wait();
          records = super.poll(timeout);
        }
      } catch (InterruptedException e) {
        throw new InterruptException(e);
      }
      return records;
    }

    @Override
    public synchronized void wakeup() {
      super.wakeup();
      notifyAll();
    }
  }
}
