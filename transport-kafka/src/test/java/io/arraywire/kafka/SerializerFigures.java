package io.arraywire.kafka;

import io.arraywire.chaos.broker.TestBroker;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * Compares {@link FloatArraySerializer} with bytes that a program makes by hand, element by element
 * and through a view, with Avro and with protobuf: by itself, and through one broker with the same
 * settings, in rounds in which all take turns. Prints the tables of {@code docs/scaling.md}.
 */
final class SerializerFigures {
  static final int[] BYTES = {1 << 10, 8 << 10, 64 << 10, 1_000_000};
  private static final double ROUND_BYTES = 20e6;
  private static final int LEAST_RECORDS = 20;
  private static final int WARM_UP = 3;
  private static final long ALONE_NANOS = 20_000_000;
  private static final Headers NO_HEADERS = new RecordHeaders();

  // What a round measures.
  private static final int SERIALIZE = 0;
  private static final int DESERIALIZE = 1;
  private static final int ALLOCATED = 2;
  private static final int ALLOCATED_TO_READ = 3;
  private static final int ACKNOWLEDGED = 4;
  private static final int READ = 5;

  private static final int ALONE_TIMES = 3;

  private SerializerFigures() {}

  /**
   * Measures and prints.
   *
   * @param arguments how many rounds, then bytes of elements if not the usual ones
   */
  public static void main(String[] arguments) throws Exception {
    int rounds = arguments.length == 0 ? 15 : Integer.parseInt(arguments[0]);
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
      int[] sizes =
          arguments.length < 2
              ? BYTES
              : Arrays.stream(arguments).skip(1).mapToInt(Integer::parseInt).toArray();
      for (int bytes : sizes) {
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

  static float[] elements(int bytes) {
    float[] floats = new float[bytes / Float.BYTES];
    Random random = new Random(28);
    for (int i = 0; i < floats.length; i++) {
      floats[i] = random.nextFloat();
    }
    return floats;
  }

  private static void measure(TestBroker broker, int bytes, int rounds) throws Exception {
    float[] floats = elements(bytes);
    List<Line> lines = new ArrayList<>();
    for (FloatContender each : FloatContender.all()) {
      lines.add(new Line(broker, each, floats));
    }
    for (int round = -WARM_UP; round < rounds; round++) {
      for (int i = 0; i < lines.size(); i++) {
        Line line = lines.get(Math.floorMod(i + round, lines.size()));
        double[] rates = line.round();
        if (round >= 0) {
          line.rates.add(rates);
        }
      }
    }
    List<double[]> base =
        lines.stream()
            .filter(line -> line.contender.name().equals(FloatContender.BASE))
            .findAny()
            .orElseThrow()
            .rates;
    for (Line line : lines) {
      System.out.printf(
          Locale.ROOT,
          "| %,d | %s | %.2f | %.2f | %.2f | %.2f | %.0f | %.2f | %.0f | %.2f |%n",
          bytes,
          line.contender.name(),
          median(line.rates, SERIALIZE),
          median(line.rates, DESERIALIZE),
          median(line.rates, ALLOCATED) / bytes,
          median(line.rates, ALLOCATED_TO_READ) / bytes,
          median(line.rates, ACKNOWLEDGED),
          ratio(line.rates, base, ACKNOWLEDGED),
          median(line.rates, READ),
          ratio(line.rates, base, READ));
      line.close();
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
          SerializerLine.blackhole = call.get();
          times++;
        }
      }
      rates[micros] = Math.min(rates[micros], (System.nanoTime() - begin) / 1e3 / times);
      rates[allocated] = (double) (threads.getCurrentThreadAllocatedBytes() - bytes) / times;
    }
  }

  /** A contender and its rounds. */
  private static final class Line implements AutoCloseable {
    private final FloatContender contender;
    private final float[] floats;
    private final byte[] record;
    private final SerializerLine line;
    private final List<double[]> rates = new ArrayList<>();

    Line(TestBroker broker, FloatContender contender, float[] floats) throws Exception {
      this.contender = contender;
      this.floats = floats;
      line = new SerializerLine(broker, contender, floats, ROUND_BYTES, LEAST_RECORDS);
      record = contender.serializer().serialize(line.topic, floats);
    }

    double[] round() {
      double[] round = new double[READ + 1];
      alone(
          round, SERIALIZE, ALLOCATED, () -> contender.serializer().serialize(line.topic, floats));
      ByteBuffer fetched = ByteBuffer.wrap(record);
      alone(
          round,
          DESERIALIZE,
          ALLOCATED_TO_READ,
          () -> contender.deserializer().deserialize(line.topic, NO_HEADERS, fetched));
      long begin = System.nanoTime();
      line.send();
      round[ACKNOWLEDGED] = line.bytes() * 1e3 / (System.nanoTime() - begin);
      begin = System.nanoTime();
      line.read();
      round[READ] = line.bytes() * 1e3 / (System.nanoTime() - begin);
      return round;
    }

    @Override
    public void close() {
      line.close();
    }
  }
}
