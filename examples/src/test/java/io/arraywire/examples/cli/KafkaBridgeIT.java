package io.arraywire.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.arraywire.Connection;
import io.arraywire.Encoding;
import io.arraywire.Receipt;
import io.arraywire.ReceivedArray;
import io.arraywire.RemoteRejectedException;
import io.arraywire.SendOptions;
import io.arraywire.Subscription;
import io.arraywire.chaos.broker.TestBroker;
import io.arraywire.message.Limits;
import io.arraywire.message.Message;
import io.arraywire.message.MessageView;
import io.arraywire.nio.NioTransport;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code to-kafka} and {@code from-kafka} with a broker in this JVM. */
@Timeout(120)
@Tag("ci")
@Tag("newest")
class KafkaBridgeIT {
  private static TestBroker broker;

  @BeforeAll
  static void start(@TempDir Path dir) throws Exception {
    broker = TestBroker.start(dir);
  }

  @AfterAll
  static void stop() {
    broker.stop();
  }

  /** A command that serves until it is closed. */
  private static final class Serving implements AutoCloseable {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final Thread thread;

    Serving(String command, String topic) {
      this(command, broker, topic);
    }

    Serving(String command, TestBroker at, String topic, String... more) {
      Console console =
          new Console(
              new PrintStream(out, true, StandardCharsets.UTF_8),
              new PrintStream(err, true, StandardCharsets.UTF_8),
              false);
      List<String> arguments = new ArrayList<>(List.of(more));
      arguments.addAll(
          0,
          List.of(command, "--listen", "localhost:0", "--brokers", at.address(), "--topic", topic));
      thread =
          new Thread(
              () -> ArraywireCommand.execute(console, arguments.toArray(new String[0])), command);
      thread.start();
    }

    String address() {
      await().until(() -> out.toString(StandardCharsets.UTF_8).endsWith("\n") || !thread.isAlive());
      String line = out.toString(StandardCharsets.UTF_8);
      assertThat(line).as(complaints()).startsWith("listening on ");
      return line.substring("listening on ".length()).strip();
    }

    String complaints() {
      return err.toString(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
      thread.interrupt();
      await().until(() -> !thread.isAlive());
    }
  }

  /** Sends arrays with these tags, of the key {@code k}. */
  static List<CompletableFuture<Receipt>> send(Connection client, int from, int to) {
    List<CompletableFuture<Receipt>> sent = new ArrayList<>();
    for (int i = from; i < to; i++) {
      sent.add(
          client
              .sendAsync(
                  Message.of(new float[] {i, i + 1}, 1, 2).tag(i).attribute("kafka-key", "k"),
                  SendOptions.processed())
              .toCompletableFuture());
    }
    return sent;
  }

  /** Asks for a replay; returns the offset that it begins with. */
  static long from(Connection client, String subject, String from) throws Exception {
    return client.call(
            Message.of(new long[0]).attribute("subject", subject).attribute("from", from),
            Duration.ofSeconds(30))
        .longs()[0];
  }

  @Test
  void whatIsAcknowledgedIsInTheTopicOverARestartOfTheBrokerAndIsServedFromAnyOffset()
      throws Exception {
    broker.create("features");
    try (Serving sink = new Serving("to-kafka", "features");
        Connection client = NioTransport.connect(sink.address())) {
      for (CompletableFuture<Receipt> each : send(client, 0, 40)) {
        each.get(30, TimeUnit.SECONDS);
      }
      broker.stop();
      List<CompletableFuture<Receipt>> later = send(client, 40, 80);
      // Nothing can be acknowledged meanwhile, however long it takes.
      assertThatThrownBy(() -> later.get(0).get(500, TimeUnit.MILLISECONDS))
          .isInstanceOf(java.util.concurrent.TimeoutException.class);
      broker.startAgain();
      for (CompletableFuture<Receipt> each : later) {
        each.get(60, TimeUnit.SECONDS);
      }
    }
    try (Serving source = new Serving("from-kafka", "features");
        Connection client = NioTransport.connect(source.address());
        Subscription all = client.subscribe("all");
        Subscription late = client.subscribe("late");
        Subscription live = client.subscribe("live")) {
      assertThat(from(client, "all", "beginning")).isZero();
      assertThat(from(client, "late", "60")).isEqualTo(60);
      assertThat(from(client, "live", "end")).isEqualTo(80);
      for (int i = 0; i < 80; i++) {
        ReceivedArray next = all.receive(Duration.ofSeconds(30));
        assertThat(next).isNotNull();
        assertThat(next.tag()).isEqualTo(i);
        assertThat(next.floats()).containsExactly(i, i + 1);
        Message message = next.message();
        assertThat(message.parts().get(0).shape()).containsExactly(1, 2);
        assertThat(message.attributes())
            .containsEntry("kafka-offset", String.valueOf(i))
            .containsEntry("kafka-key", "k");
      }
      assertThat(late.receive(Duration.ofSeconds(30)).tag()).isEqualTo(60);
      assertThatThrownBy(() -> from(client, "nobody", "0"))
          .isInstanceOf(RemoteRejectedException.class)
          .hasMessageContaining("subscribe");
      assertThatThrownBy(() -> from(client, "all", "yesterday"))
          .isInstanceOf(RemoteRejectedException.class)
          .hasMessageContaining("yesterday");
      assertThatThrownBy(() -> from(client, "all", "81"))
          .isInstanceOf(RemoteRejectedException.class)
          .hasMessageContaining("end=80");
      // What is new comes, too; a record that is no array is reported and passed over.
      try (KafkaProducer<String, byte[]> stranger =
          new KafkaProducer<>(
              Map.of("bootstrap.servers", broker.address()),
              new StringSerializer(),
              new ByteArraySerializer())) {
        stranger.send(new ProducerRecord<>("features", "k", new byte[100])).get();
      }
      try (Serving sink = new Serving("to-kafka", "features");
          Connection sender = NioTransport.connect(sink.address())) {
        send(sender, 80, 81).get(0).get(30, TimeUnit.SECONDS);
      }
      assertThat(live.receive(Duration.ofSeconds(30)).tag()).isEqualTo(80);
      assertThat(source.complaints())
          .contains("arraywire from-kafka: ", "topic=features, partition=0, offset=80");
    }
  }

  @Test
  void nothingAcknowledgedIsLostWhenTheProcessOfTheBrokerIsKilled(@TempDir Path dir)
      throws Exception {
    TestBroker killed = TestBroker.startProcess(dir);
    try {
      killed.create("killed");
      try (Serving sink = new Serving("to-kafka", killed, "killed");
          Connection client = NioTransport.connect(sink.address())) {
        for (CompletableFuture<Receipt> each : send(client, 0, 20)) {
          each.get(60, TimeUnit.SECONDS);
        }
        List<CompletableFuture<Receipt>> sent = send(client, 20, 220);
        killed.kill();
        assertThat(sent.get(199)).as("some were in flight").isNotDone();
        sent.addAll(send(client, 220, 260));
        killed.startAgain();
        for (CompletableFuture<Receipt> each : sent) {
          each.get(90, TimeUnit.SECONDS);
        }
      }
      try (Serving source = new Serving("from-kafka", killed, "killed");
          Connection client = NioTransport.connect(source.address());
          Subscription all = client.subscribe("all")) {
        from(client, "all", "beginning");
        for (int i = 0; i < 260; i++) {
          ReceivedArray next = all.receive(Duration.ofSeconds(30));
          assertThat(next).isNotNull();
          assertThat(next.tag()).as("once each, in order").isEqualTo(i);
        }
      }
    } finally {
      killed.stop();
    }
  }

  private static byte[] onlyRecord(String topic) {
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", broker.address()),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      TopicPartition partition = new TopicPartition(topic, 0);
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      List<byte[]> values = new ArrayList<>();
      await()
          .until(() -> {
            consumer.poll(Duration.ofMillis(100)).forEach(each -> values.add(each.value()));
            return !values.isEmpty();
          });
      assertThat(values).hasSize(1);
      return values.get(0);
    }
  }

  /** Records are in the encoding that is asked for, which subscribers need not know. */
  @Test
  void recordsAreCompressedOnRequest() throws Exception {
    broker.create("compressed");
    float[] steps = new float[50_000];
    for (int i = 0; i < steps.length; i++) {
      steps[i] = i / 100;
    }
    try (Serving sink =
            new Serving("to-kafka", broker, "compressed", "--record-encoding", "shuffle-zstd");
        Connection client = NioTransport.connect(sink.address())) {
      client.send(Message.of(steps, 50, 1000), SendOptions.processed());
    }
    byte[] record = onlyRecord("compressed");
    assertThat(record).hasSizeLessThan(4 * steps.length / 10);
    MessageView view = MessageView.within(Limits.ofBytes(1 << 20));
    view.read(ByteBuffer.wrap(record));
    assertThat(view.encoding(Message.UNNAMED)).isEqualTo(Encoding.SHUFFLE_ZSTD);
    try (Serving source = new Serving("from-kafka", "compressed");
        Connection reader = NioTransport.connect(source.address());
        Subscription all = reader.subscribe("compressed")) {
      from(reader, "compressed", "beginning");
      ReceivedArray back = all.receive(Duration.ofSeconds(30));
      assertThat(back).isNotNull();
      assertThat(back.floats()).isEqualTo(steps);
    }
  }

  @Test
  void anEncodingThatNobodyHasIsRefusedByName() {
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int status =
        ArraywireCommand.execute(
            new Console(System.out, new PrintStream(err, true, StandardCharsets.UTF_8), false),
            "to-kafka",
            "--listen",
            "localhost:0",
            "--brokers",
            broker.address(),
            "--topic",
            "none",
            "--record-encoding",
            "gzip");
    assertThat(status).isEqualTo(2);
    assertThat(err.toString(StandardCharsets.UTF_8))
        .contains("--record-encoding", "gzip", "shuffle-zstd");
  }

  /** An array larger than a record goes through both bridges. */
  @Test
  void aLargeArrayPasses() throws Exception {
    broker.create("weights");
    float[] weights = new float[1 << 20];
    for (int i = 0; i < weights.length; i++) {
      weights[i] = i;
    }
    try (Serving sink = new Serving("to-kafka", "weights");
        Connection client = NioTransport.connect(sink.address());
        Serving source = new Serving("from-kafka", "weights");
        Connection reader = NioTransport.connect(source.address());
        Subscription all = reader.subscribe("weights")) {
      client.send(Message.of(weights, 1024, 1024), SendOptions.processed());
      from(reader, "weights", "beginning");
      ReceivedArray back = all.receive(Duration.ofSeconds(30));
      assertThat(back).isNotNull();
      assertThat(back.floats()).isEqualTo(weights);
    }
  }
}
