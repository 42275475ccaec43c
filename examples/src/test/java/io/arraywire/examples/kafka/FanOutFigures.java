package io.arraywire.examples.kafka;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.arraywire.ArraywireException;
import io.arraywire.Handlers;
import io.arraywire.Listener;
import io.arraywire.PublishReceipt;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.chaos.broker.TestBroker;
import io.arraywire.examples.CliProcess;
import io.arraywire.kafka.FloatArraySerializer;
import io.arraywire.nio.NioTransport;
import io.arraywire.security.AcceptLimits;
import io.nats.client.Connection;
import io.nats.client.Nats;
import io.nats.client.Options;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * What it takes until each of N subscribers has each array: from a listener that publishes, through
 * a topic of one broker of Kafka, and through a subject of one server of NATS. Source, broker and
 * subscribers are processes of their own on one host. Prints a table of {@code docs/scaling.md}.
 *
 * <p>The property {@code nats.server} names the program {@code nats-server}. Without it a line says
 * that NATS is left out.
 */
final class FanOutFigures {
  private static final int WARM_UP = 3;
  private static final double DELIVERED_BYTES = 400e6;

  /** Of an array of a thousand bytes fewer go through in the same time. */
  private static final double SMALL_DELIVERED_BYTES = 40e6;

  private static final int SMALL = 4096;
  private static final List<String> OF_BROKER = List.of("-Xms1g", "-Xmx1g");

  private FanOutFigures() {}

  /** Where arrays come from. */
  private interface Source {
    void send(float[] array, int times) throws Exception;
  }

  /**
   * Measures and prints.
   *
   * @param arguments how many rounds, bytes of an array, then numbers of subscribers
   */
  public static void main(String[] arguments) throws Exception {
    int rounds = Integer.parseInt(arguments[0]);
    int bytes = Integer.parseInt(arguments[1]);
    System.out.printf(
        Locale.ROOT,
        "JDK %s, %d processors, %d rounds%n%n",
        Runtime.version(),
        Runtime.getRuntime().availableProcessors(),
        rounds);
    String nats = System.getProperty("nats.server", "");
    if (nats.isEmpty()) {
      System.out.println("NATS is left out; name its server: -Dnats.server=PATH/nats-server");
      System.out.println();
    }
    System.out.println(
        "| Bytes of an array | Subscribers | Through | Arrays a second, each | MB/s, all | CPU s/GB |");
    System.out.println("|---:|---:|---|---:|---:|---:|");
    for (String count : Arrays.copyOfRange(arguments, 2, arguments.length)) {
      listener(bytes, Integer.parseInt(count), rounds);
      kafka(bytes, Integer.parseInt(count), rounds);
      if (!nats.isEmpty()) {
        nats(nats, bytes, Integer.parseInt(count), rounds);
      }
    }
    System.exit(0);
  }

  private static void listener(int bytes, int subscribers, int rounds) throws Exception {
    TransportOptions options = TransportOptions.builder().acceptLimits(AcceptLimits.none()).build();
    // Its subscribers are killed in the end, so there is nobody to say goodbye to.
    try (Transport transport = NioTransport.create(options)) {
      Listener listener =
          transport.listen(
              new InetSocketAddress("127.0.0.1", 0), Handlers.ofArrays((from, array) -> {}));
      Source source =
          (array, times) -> {
            for (int i = 0; i < times; i++) {
              all(listener.publish(FanOutSubscribers.SUBJECT, array), subscribers);
            }
          };
      String port = String.valueOf(((InetSocketAddress) listener.address()).getPort());
      measure("listener", "127.0.0.1:" + port, source, bytes, subscribers, rounds);
    }
  }

  private static void all(PublishReceipt receipt, int subscribers) throws ArraywireException {
    if (receipt.queued() != subscribers) {
      throw ArraywireException.refusal(
          "some subscribers go without", "receipt", receipt, "subscribers", subscribers);
    }
  }

  private static void kafka(int bytes, int subscribers, int rounds) throws Exception {
    Path dir = Files.createTempDirectory("fan-out");
    try (TestBroker broker = TestBroker.startProcess(dir, OF_BROKER)) {
      broker.create(FanOutSubscribers.SUBJECT);
      try (Producer<String, float[]> producer =
          new KafkaProducer<>(
              Map.of("bootstrap.servers", broker.address(), "batch.size", 1 << 20, "linger.ms", 5),
              new StringSerializer(),
              new FloatArraySerializer())) {
        Source source =
            (array, times) -> {
              for (int i = 0; i < times; i++) {
                producer.send(new ProducerRecord<>(FanOutSubscribers.SUBJECT, "k", array));
              }
              producer.flush();
            };
        measure("kafka", broker.address(), source, bytes, subscribers, rounds);
      }
    } finally {
      delete(dir);
    }
  }

  private static void nats(String program, int bytes, int subscribers, int rounds)
      throws Exception {
    Path dir = Files.createTempDirectory("fan-out");
    Path config = dir.resolve("nats.conf");
    // By default the server ends a subscriber whose queue has 64 MiB, and a round has more.
    Files.writeString(config, "listen: \"127.0.0.1:-1\"\nmax_pending: 2GB\n");
    try (CliProcess server = CliProcess.start(Map.of(), program, "-c", config)) {
      String listening = server.awaitErr("Listening for client connections on ");
      String address = "nats://" + listening.substring(listening.lastIndexOf(' ') + 1);
      server.awaitErr("Server is ready");
      // Ends with this process: its close() may be interrupted, which try-with-resources is warned
      // of.
      Connection connection =
          Nats.connect(new Options.Builder().server(address).noReconnect().build());
      Source source =
          (array, times) -> {
            for (int i = 0; i < times; i++) {
              ByteBuffer buffer =
                  ByteBuffer.allocate(array.length * Float.BYTES).order(LITTLE_ENDIAN);
              buffer.asFloatBuffer().put(array);
              connection.publish(FanOutSubscribers.SUBJECT, buffer.array());
            }
            connection.flushBuffer();
          };
      measure("nats", address, source, bytes, subscribers, rounds);
    } finally {
      delete(dir);
    }
  }

  private static void delete(Path dir) throws IOException {
    try (Stream<Path> all = Files.walk(dir)) {
      all.sorted(Comparator.reverseOrder()).forEach(path -> path.toFile().delete());
    }
  }

  private static void measure(
      String kind, String address, Source source, int bytes, int subscribers, int rounds)
      throws Exception {
    float[] array = new float[bytes / Float.BYTES];
    double delivered = bytes < SMALL ? SMALL_DELIVERED_BYTES : DELIVERED_BYTES;
    int times = (int) Math.max(8, delivered / bytes / subscribers);
    double each = (double) times * bytes * subscribers;
    double[] seconds = new double[rounds];
    double[] processor = new double[rounds];
    try (CliProcess process =
        CliProcess.start(
            Map.of(),
            CliProcess.java(),
            "-Xmx3g",
            "-cp",
            System.getProperty("java.class.path"),
            FanOutSubscribers.class.getName(),
            kind,
            address,
            subscribers)) {
      process.awaitOut("ready");
      for (int round = -WARM_UP; round < rounds; round++) {
        String line = round + " " + (long) times * array.length * subscribers;
        process.process().outputWriter().write(line + "\n");
        process.process().outputWriter().flush();
        Duration before = processorTime();
        long begin = System.nanoTime();
        source.send(array, times);
        process.awaitOut("all of " + line);
        if (round >= 0) {
          seconds[round] = (System.nanoTime() - begin) / 1e9;
          processor[round] = processorTime().minus(before).toNanos() / each;
        }
      }
    }
    Arrays.sort(seconds);
    Arrays.sort(processor);
    double median = seconds[rounds / 2];
    System.out.printf(
        Locale.ROOT,
        "| %,d | %,d | %s | %,.0f | %,.0f | %.2f |%n",
        bytes,
        subscribers,
        kind,
        times / median,
        each / median / 1e6,
        processor[rounds / 2]);
  }

  /** Of this process and those that it has started. */
  private static Duration processorTime() {
    ProcessHandle own = ProcessHandle.current();
    return Stream.concat(Stream.of(own), own.descendants())
        .map(process -> process.info().totalCpuDuration().orElse(Duration.ZERO))
        .reduce(Duration.ZERO, Duration::plus);
  }
}
