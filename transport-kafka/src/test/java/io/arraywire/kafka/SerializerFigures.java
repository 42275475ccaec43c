package io.arraywire.kafka;

import io.arraywire.chaos.broker.TestBroker;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * Compares {@link FloatArraySerializer} with bytes that a program makes by hand, element by element
 * and through a view, with Avro and with protobuf: by itself, and through one broker with the same
 * settings, in rounds in which all take turns. Prints the tables of {@code docs/kafka.md}.
 */
final class SerializerFigures {
  private static final int[] BYTES = {1 << 10, 64 << 10, 1_000_000};
  private static final double ROUND_BYTES = 100e6;
  private static final long ALONE_NANOS = 100_000_000;
  private static final Headers NO_HEADERS = new RecordHeaders();

  // What a round measures.
  private static final int SERIALIZE = 0;
  private static final int DESERIALIZE = 1;
  private static final int ALLOCATED = 2;
  private static final int ALLOCATED_TO_READ = 3;
  private static final int ACKNOWLEDGED = 4;
  private static final int READ = 5;

  /** What was made, so that it is made. */
  static volatile Object blackhole;

  private static final int ALONE_TIMES = 3;

  private SerializerFigures() {}

  /**
   * Measures and prints.
   *
   * @param arguments how many rounds
   */
  public static void main(String[] arguments) throws Exception {
    int rounds = arguments.length == 0 ? 7 : Integer.parseInt(arguments[0]);
    System.out.printf(
        Locale.ROOT,
        "JDK %s, %d processors, %d rounds%n%n",
        Runtime.version(),
        Runtime.getRuntime().availableProcessors(),
        rounds);
    Path dir = Files.createTempDirectory("serializers");
    try (TestBroker broker = TestBroker.start(dir)) {
      System.out.println(
          "| Bytes of elements | Contender | Serialize, us | Deserialize, us | Allocated to serialize |"
              + " to deserialize | Acknowledged, MB/s | Of view | Read, MB/s | Of view |");
      System.out.println("|---:|---|---:|---:|---:|---:|---:|---:|---:|---:|");
      for (int bytes : BYTES) {
        measure(broker, bytes, rounds);
      }
    } finally {
      try (Stream<Path> all = Files.walk(dir)) {
        all.sorted(Comparator.reverseOrder()).forEach(path -> path.toFile().delete());
      }
    }
    // The broker's own threads would go on.
    System.exit(0);
  }

  private static void measure(TestBroker broker, int bytes, int rounds) throws Exception {
    float[] floats = new float[bytes / Float.BYTES];
    Random random = new Random(28);
    for (int i = 0; i < floats.length; i++) {
      floats[i] = random.nextFloat();
    }
    Map<String, List<double[]>> rates = new LinkedHashMap<>();
    for (int round = 0; round <= rounds; round++) {
      List<FloatContender> turn = new ArrayList<>(FloatContender.all());
      java.util.Collections.rotate(turn, round);
      for (FloatContender each : turn) {
        double[] rate = rates(broker, each, floats, "figures-" + bytes + "-" + round + each.name());
        // The first is for the compiler.
        if (round > 0) {
          rates.computeIfAbsent(each.name(), unused -> new ArrayList<>()).add(rate);
        }
      }
    }
    for (FloatContender each : FloatContender.all()) {
      List<double[]> own = rates.get(each.name());
      List<double[]> base = rates.get(FloatContender.BASE);
      System.out.printf(
          Locale.ROOT,
          "| %,d | %s | %.2f | %.2f | %.2f | %.2f | %.0f | %.2f | %.0f | %.2f |%n",
          bytes,
          each.name(),
          median(own, SERIALIZE),
          median(own, DESERIALIZE),
          median(own, ALLOCATED) / bytes,
          median(own, ALLOCATED_TO_READ) / bytes,
          median(own, ACKNOWLEDGED),
          ratio(own, base, ACKNOWLEDGED),
          median(own, READ),
          ratio(own, base, READ));
    }
  }

  /** The median of the quotients of each round. */
  private static double ratio(List<double[]> own, List<double[]> base, int which) {
    double[] quotients = new double[own.size()];
    for (int i = 0; i < quotients.length; i++) {
      quotients[i] = own.get(i)[which] / base.get(i)[which];
    }
    return median(quotients);
  }

  private static double median(List<double[]> rounds, int which) {
    return median(rounds.stream().mapToDouble(round -> round[which]).toArray());
  }

  private static double median(double[] values) {
    Arrays.sort(values);
    return values[values.length / 2];
  }

  /** Microseconds, the least of some times, and bytes allocated of one call. */
  private static void alone(double[] rates, int micros, int allocated, Supplier<Object> call) {
    com.sun.management.ThreadMXBean threads =
        (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    rates[micros] = Double.MAX_VALUE;
    for (int i = 0; i < ALONE_TIMES; i++) {
      long bytes = threads.getCurrentThreadAllocatedBytes();
      long begin = System.nanoTime();
      long times = 0;
      while (System.nanoTime() - begin < ALONE_NANOS) {
        for (int j = 0; j < 16; j++) {
          blackhole = call.get();
          times++;
        }
      }
      rates[micros] = Math.min(rates[micros], (System.nanoTime() - begin) / 1e3 / times);
      rates[allocated] = (double) (threads.getCurrentThreadAllocatedBytes() - bytes) / times;
    }
  }

  private static double[] rates(
      TestBroker broker, FloatContender contender, float[] floats, String name) throws Exception {
    String topic = name.replaceAll("[^A-Za-z0-9-]", "");
    double bytes = (double) floats.length * Float.BYTES;
    int count = (int) Math.max(20, Math.min(50_000, ROUND_BYTES / bytes));
    broker.create(topic, 1);
    double[] rates = new double[6];
    byte[] record = contender.serializer().serialize(topic, floats);
    alone(rates, SERIALIZE, ALLOCATED, () -> contender.serializer().serialize(topic, floats));
    ByteBuffer fetched = ByteBuffer.wrap(record);
    alone(
        rates,
        DESERIALIZE,
        ALLOCATED_TO_READ,
        () -> contender.deserializer().deserialize(topic, NO_HEADERS, fetched));
    int sum = 0;
    long begin;
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
    try (Producer<String, float[]> producer =
        new KafkaProducer<>(settings, new StringSerializer(), contender.serializer())) {
      producer.partitionsFor(topic);
      begin = System.nanoTime();
      for (int i = 0; i < count; i++) {
        producer.send(new ProducerRecord<>(topic, "k", floats));
      }
      producer.flush();
      rates[ACKNOWLEDGED] = bytes * count * 1e3 / (System.nanoTime() - begin);
    }
    try (Consumer<String, float[]> consumer =
        new KafkaConsumer<>(settings, new StringDeserializer(), contender.deserializer())) {
      TopicPartition partition = new TopicPartition(topic, 0);
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      int got = 0;
      begin = System.nanoTime();
      while (got < count) {
        for (ConsumerRecord<String, float[]> each : consumer.poll(Duration.ofSeconds(5))) {
          sum += each.value().length;
          got++;
        }
      }
      rates[READ] = bytes * count * 1e3 / (System.nanoTime() - begin);
    }
    if (sum == 42) {
      System.out.println("unlikely");
    }
    return rates;
  }
}
