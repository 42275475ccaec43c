package io.arraywire.kafka;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
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
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * Compares {@link FloatArraySerializer} with bytes that a program makes by hand, element by element
 * and through a view: by itself, and through one broker with the same settings, in rounds in which
 * all take turns. Prints the tables of {@code docs/kafka.md}.
 */
final class SerializerFigures {
  private static final int[] BYTES = {1 << 10, 64 << 10, 1_000_000};
  private static final double ROUND_BYTES = 100e6;
  private static final long ALONE_NANOS = 300_000_000;

  private record Contender(
      String name, Serializer<float[]> serializer, Deserializer<float[]> deserializer) {}

  private SerializerFigures() {}

  private static List<Contender> contenders() {
    return List.of(
        new Contender("bytes, loop", SerializerFigures::loop, SerializerFigures::unloop),
        new Contender("bytes, view", SerializerFigures::view, SerializerFigures::unview),
        new Contender(
            "`FloatArraySerializer`", new FloatArraySerializer(), new FloatArrayDeserializer()));
  }

  private static byte[] loop(String topic, float[] floats) {
    byte[] bytes = new byte[floats.length * Float.BYTES];
    for (int i = 0; i < floats.length; i++) {
      int bits = Float.floatToRawIntBits(floats[i]);
      bytes[4 * i] = (byte) bits;
      bytes[4 * i + 1] = (byte) (bits >>> 8);
      bytes[4 * i + 2] = (byte) (bits >>> 16);
      bytes[4 * i + 3] = (byte) (bits >>> 24);
    }
    return bytes;
  }

  private static float[] unloop(String topic, byte[] bytes) {
    float[] floats = new float[bytes.length / Float.BYTES];
    for (int i = 0; i < floats.length; i++) {
      floats[i] =
          Float.intBitsToFloat(
              (bytes[4 * i] & 0xff)
                  | (bytes[4 * i + 1] & 0xff) << 8
                  | (bytes[4 * i + 2] & 0xff) << 16
                  | bytes[4 * i + 3] << 24);
    }
    return floats;
  }

  private static byte[] view(String topic, float[] floats) {
    byte[] bytes = new byte[floats.length * Float.BYTES];
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer().put(floats);
    return bytes;
  }

  private static float[] unview(String topic, byte[] bytes) {
    float[] floats = new float[bytes.length / Float.BYTES];
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer().get(floats);
    return floats;
  }

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
          "| Bytes of elements | Contender | Serialize, MB/s | Deserialize, MB/s | Acknowledged,"
              + " MB/s | of bytes, view | Read, MB/s | of bytes, view |");
      System.out.println("|---:|---|---:|---:|---:|---:|---:|---:|");
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
      List<Contender> turn = new ArrayList<>(contenders());
      java.util.Collections.rotate(turn, round);
      for (Contender each : turn) {
        double[] rate = rates(broker, each, floats, "figures-" + bytes + "-" + round + each.name());
        // The first is for the compiler.
        if (round > 0) {
          rates.computeIfAbsent(each.name(), unused -> new ArrayList<>()).add(rate);
        }
      }
    }
    for (Contender each : contenders()) {
      List<double[]> own = rates.get(each.name());
      List<double[]> base = rates.get("bytes, view");
      System.out.printf(
          Locale.ROOT,
          "| %d | %s | %.0f | %.0f | %.0f | %.2f | %.0f | %.2f |%n",
          bytes,
          each.name(),
          median(own.stream().mapToDouble(rate -> rate[0]).toArray()),
          median(own.stream().mapToDouble(rate -> rate[1]).toArray()),
          median(own.stream().mapToDouble(rate -> rate[2]).toArray()),
          ratio(own, base, 2),
          median(own.stream().mapToDouble(rate -> rate[3]).toArray()),
          ratio(own, base, 3));
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

  private static double median(double[] values) {
    Arrays.sort(values);
    return values[values.length / 2];
  }

  private static double[] rates(TestBroker broker, Contender contender, float[] floats, String name)
      throws Exception {
    String topic = name.replaceAll("[^A-Za-z0-9-]", "");
    double bytes = (double) floats.length * Float.BYTES;
    int count = (int) Math.max(20, Math.min(50_000, ROUND_BYTES / bytes));
    broker.create(topic, 1);
    double[] rates = new double[4];
    byte[] record = contender.serializer().serialize(topic, floats);
    int sum = 0;
    int times = 0;
    long begin = System.nanoTime();
    while (System.nanoTime() - begin < ALONE_NANOS) {
      sum += contender.serializer().serialize(topic, floats).length;
      times++;
    }
    rates[0] = bytes * times * 1e3 / (System.nanoTime() - begin);
    times = 0;
    begin = System.nanoTime();
    while (System.nanoTime() - begin < ALONE_NANOS) {
      sum += contender.deserializer().deserialize(topic, record).length;
      times++;
    }
    rates[1] = bytes * times * 1e3 / (System.nanoTime() - begin);
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
      rates[2] = bytes * count * 1e3 / (System.nanoTime() - begin);
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
      rates[3] = bytes * count * 1e3 / (System.nanoTime() - begin);
    }
    if (sum == 42) {
      System.out.println("unlikely");
    }
    return rates;
  }
}
