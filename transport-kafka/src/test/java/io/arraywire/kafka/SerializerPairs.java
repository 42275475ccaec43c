package io.arraywire.kafka;

import io.arraywire.chaos.broker.TestBroker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Stream;

/**
 * Decides whether arrays of {@link FloatArraySerializer} pass a broker as fast as bytes that a
 * program makes by hand through a view. Short bursts of all take turns in random order, each is
 * sent and read, and each round gives a quotient. It goes on until the interval of the mean
 * quotient is narrow, or the time is over. The view takes part twice: what one of the two seems to
 * be faster than the other is the error of the method. Prints a table of {@code docs/scaling.md}.
 */
final class SerializerPairs {
  private static final double BURST_BYTES = 8e6;
  private static final int LEAST_RECORDS = 8;
  private static final int WARM_UP = 30;
  private static final int LEAST_ROUNDS = 50;

  /** Half of an interval, as a part of the quotient. */
  private static final double NARROW = 0.02;

  /** Of the normal distribution, for 99 % in the middle. */
  private static final double QUANTILE = 2.576;

  private static final List<String> OF_BROKER = List.of("-Xms1g", "-Xmx1g");

  // What a burst measures, each as the logarithm of a rate in MB/s.
  private static final int ACKNOWLEDGED = 0;
  private static final int READ = 1;

  private SerializerPairs() {}

  private static final com.sun.management.OperatingSystemMXBean SYSTEM =
      (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  /** A contender's line, and what it took in each round. */
  private static final class Lane {
    private final String name;
    private final SerializerLine line;
    private final List<double[]> rounds = new ArrayList<>();

    /** Of this process, client and serializer; its clock is too coarse for one burst. */
    private long processorToSend;

    private long processorToRead;

    Lane(String name, SerializerLine line) {
      this.name = name;
      this.line = line;
    }

    void round() {
      long begin = System.nanoTime();
      long processor = SYSTEM.getProcessCpuTime();
      line.send();
      long sent = System.nanoTime();
      long processorSent = SYSTEM.getProcessCpuTime();
      line.read();
      long read = System.nanoTime();
      processorToSend += processorSent - processor;
      processorToRead += SYSTEM.getProcessCpuTime() - processorSent;
      rounds.add(
          new double[] {
            Math.log(line.bytes() * 1e3 / (sent - begin)),
            Math.log(line.bytes() * 1e3 / (read - sent))
          });
    }

    void forget() {
      rounds.clear();
      processorToSend = 0;
      processorToRead = 0;
    }

    double rate(int which) {
      return Math.exp(mean(rounds.stream().mapToDouble(each -> each[which]).toArray()));
    }

    double secondsPerGigabyte(long processor) {
      return processor / line.bytes() / rounds.size();
    }
  }

  /**
   * Measures and prints.
   *
   * @param arguments for how many seconds at most for each size, then bytes of elements if not the
   *     usual ones
   */
  public static void main(String[] arguments) throws Exception {
    int seconds = Integer.parseInt(arguments[0]);
    int[] sizes =
        arguments.length < 2
            ? SerializerFigures.BYTES
            : Arrays.stream(arguments).skip(1).mapToInt(Integer::parseInt).toArray();
    System.out.printf(
        Locale.ROOT,
        "JDK %s, %d processors, at most %d s a size%n%n",
        Runtime.version(),
        Runtime.getRuntime().availableProcessors(),
        seconds);
    Path dir = Files.createTempDirectory("serializers");
    try (TestBroker broker = TestBroker.startProcess(dir, OF_BROKER)) {
      System.out.println(
          "| Bytes of elements | Contender | Rounds | Acknowledged, MB/s | Of view | Read, MB/s |"
              + " Of view | CPU time, s/GB: to send | to read |");
      System.out.println("|---:|---|---:|---:|---|---:|---|---:|---:|");
      for (int bytes : sizes) {
        measure(broker, bytes, seconds);
      }
    } finally {
      delete(dir);
    }
  }

  /** Deletes a directory with all that is in it. */
  static void delete(Path dir) {
    try (Stream<Path> all = Files.walk(dir)) {
      all.sorted(Comparator.reverseOrder()).forEach(path -> path.toFile().delete());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Lane> lanes(TestBroker broker, float[] floats) throws Exception {
    List<FloatContender> contenders = new ArrayList<>();
    for (FloatContender each : FloatContender.all()) {
      if (List.of(FloatContender.BASE, FloatContender.LONGER, FloatContender.OURS)
          .contains(each.name())) {
        contenders.add(each);
      }
      if (each.name().equals(FloatContender.BASE)) {
        contenders.add(
            new FloatContender(each.name() + ", again", each.serializer(), each.deserializer()));
      }
    }
    List<Lane> lanes = new ArrayList<>();
    for (FloatContender each : contenders) {
      lanes.add(
          new Lane(
              each.name(), new SerializerLine(broker, each, floats, BURST_BYTES, LEAST_RECORDS)));
    }
    return lanes;
  }

  private static void measure(TestBroker broker, int bytes, int seconds) throws Exception {
    List<Lane> lanes = lanes(broker, SerializerFigures.elements(bytes));
    List<Lane> turns = new ArrayList<>(lanes);
    Random random = new Random(bytes);
    for (int i = 0; i < WARM_UP; i++) {
      turns.forEach(Lane::round);
    }
    turns.forEach(Lane::forget);
    Lane base = lanes.get(0);
    Lane ours = lanes.get(lanes.size() - 1);
    long end = System.nanoTime() + seconds * 1_000_000_000L;
    while (System.nanoTime() < end) {
      Collections.shuffle(turns, random);
      turns.forEach(Lane::round);
      if (base.rounds.size() >= LEAST_ROUNDS
          && quotient(ours, base, ACKNOWLEDGED)[1] < NARROW
          && quotient(ours, base, READ)[1] < NARROW) {
        break;
      }
    }
    for (Lane lane : lanes) {
      System.out.printf(
          Locale.ROOT,
          "| %,d | %s | %d | %.0f | %s | %.0f | %s | %.2f | %.2f |%n",
          bytes,
          lane.name,
          lane.rounds.size(),
          lane.rate(ACKNOWLEDGED),
          words(lane, base, ACKNOWLEDGED),
          lane.rate(READ),
          words(lane, base, READ),
          lane.secondsPerGigabyte(lane.processorToSend),
          lane.secondsPerGigabyte(lane.processorToRead));
      lane.line.close();
    }
  }

  private static String words(Lane lane, Lane base, int which) {
    if (lane == base) {
      return "1";
    }
    double[] quotient = quotient(lane, base, which);
    return String.format(
        Locale.ROOT,
        "%.3f (%.3f to %.3f)",
        Math.exp(quotient[0]),
        Math.exp(quotient[0] - quotient[1]),
        Math.exp(quotient[0] + quotient[1]));
  }

  /** The mean of the logarithms of the quotients of all rounds, and half of its interval. */
  private static double[] quotient(Lane lane, Lane base, int which) {
    double[] logs = new double[lane.rounds.size()];
    for (int i = 0; i < logs.length; i++) {
      logs[i] = lane.rounds.get(i)[which] - base.rounds.get(i)[which];
    }
    double mean = mean(logs);
    double squares = 0;
    for (double log : logs) {
      squares += (log - mean) * (log - mean);
    }
    return new double[] {mean, QUANTILE * Math.sqrt(squares / (logs.length - 1) / logs.length)};
  }

  private static double mean(double[] values) {
    return Arrays.stream(values).average().orElse(Double.NaN);
  }
}
