package io.arraywire.examples.kafka;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.arraywire.ArrayHandler;
import io.arraywire.Connection;
import io.arraywire.SubscribeOptions;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.kafka.FloatArrayDeserializer;
import io.arraywire.nio.NioTransport;
import io.nats.client.Dispatcher;
import io.nats.client.Nats;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;

/** The subscribers of {@link FanOutFigures}, all in one process. Each has each array. */
final class FanOutSubscribers {
  static final String SUBJECT = "feed";

  /** Elements of all arrays that all subscribers had. */
  private static final AtomicLong ELEMENTS = new AtomicLong();

  private FanOutSubscribers() {}

  /**
   * Subscribes and says {@code ready}. For each line it waits until so many elements have come to
   * all of them together since the last one, and repeats it.
   *
   * @param arguments {@code listener}, {@code kafka} or {@code nats}, the address, and how many
   *     subscribers
   */
  public static void main(String[] arguments) throws Exception {
    int count = Integer.parseInt(arguments[2]);
    switch (arguments[0]) {
      case "kafka" -> consume(arguments[1], count);
      case "nats" -> nats(arguments[1], count);
      default -> subscribe(arguments[1], count);
    }
    System.out.println("ready");
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    long wanted = 0;
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      wanted += Long.parseLong(line.substring(line.indexOf(' ') + 1));
      while (ELEMENTS.get() < wanted) {
        LockSupport.parkNanos(200_000);
      }
      System.out.println("all of " + line);
    }
    System.exit(0);
  }

  private static void subscribe(String address, int count) throws Exception {
    Transport transport = NioTransport.create(TransportOptions.defaults());
    ArrayHandler counting =
        (from, array) -> {
          ELEMENTS.addAndGet(array.floats().length);
        };
    for (int i = 0; i < count; i++) {
      Connection connection = transport.connect(Transport.address(address));
      connection.subscribe(SUBJECT, SubscribeOptions.defaults(), counting);
    }
  }

  private static void nats(String address, int count) throws Exception {
    for (int i = 0; i < count; i++) {
      io.nats.client.Connection connection = Nats.connect(address);
      Dispatcher dispatcher =
          connection.createDispatcher(message -> {
            byte[] bytes = message.getData();
            float[] array = new float[bytes.length / Float.BYTES];
            ByteBuffer.wrap(bytes).order(LITTLE_ENDIAN).asFloatBuffer().get(array);
            ELEMENTS.addAndGet(array.length);
          });
      dispatcher.setPendingLimits(0, 0); // None: a round has more than the defaults allow.
      dispatcher.subscribe(SUBJECT);
      connection.flush(Duration.ofSeconds(10));
    }
  }

  private static void consume(String brokers, int count) throws Exception {
    CountDownLatch placed = new CountDownLatch(count);
    for (int i = 0; i < count; i++) {
      Thread thread = new Thread(() -> consume(brokers, placed));
      thread.setDaemon(true);
      thread.start();
    }
    placed.await();
  }

  private static void consume(String brokers, CountDownLatch placed) {
    try (Consumer<String, float[]> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", brokers),
            new StringDeserializer(),
            new FloatArrayDeserializer())) {
      TopicPartition partition = new TopicPartition(SUBJECT, 0);
      consumer.assign(List.of(partition));
      consumer.seekToEnd(List.of(partition));
      consumer.position(partition);
      placed.countDown();
      while (true) {
        for (ConsumerRecord<String, float[]> each : consumer.poll(Duration.ofSeconds(1))) {
          ELEMENTS.addAndGet(each.value().length);
        }
      }
    }
  }
}
