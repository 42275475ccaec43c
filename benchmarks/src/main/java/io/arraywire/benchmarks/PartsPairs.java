package io.arraywire.benchmarks;

import io.arraywire.Connection;
import io.arraywire.SendOptions;
import io.arraywire.Transport;
import io.arraywire.benchmarks.result.Interval;
import io.arraywire.benchmarks.result.Statistics;
import io.arraywire.examples.process.ChildJvm;
import io.arraywire.message.Message;
import io.arraywire.spi.Transports;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * What it costs that 3 MiB are three parts of a message and not one array. They go from this JVM's
 * heap into new arrays of another one. The clock runs from send to acknowledgement.
 *
 * <pre>
 * java -Xms512m -Xmx512m -cp benchmarks/target/benchmarks.jar io.arraywire.benchmarks.PartsPairs SECONDS
 * </pre>
 *
 * <p>Bursts of both take turns in random order over one connection, so the two meet the same
 * machine. One array takes part twice: what it differs from itself by is the error of the method.
 */
public final class PartsPairs {
  private static final long HEAP_BYTES = 512L << 20;
  private static final int FLOATS = 3 << 18;
  private static final int SENDS_OF_A_BURST = 20;
  private static final int WARM_UP_ROUNDS = 40;
  private static final int LEAST_ROUNDS = 3;

  /** What takes turns, and what a send took in each round. */
  private record Contender(String name, Message message, List<Double> micros) {
    Contender(String name, Message message) {
      this(name, message, new ArrayList<>());
    }

    double[] times() {
      return micros.stream().mapToDouble(Double::doubleValue).toArray();
    }
  }

  private PartsPairs() {}

  /**
   * Runs it for each transport.
   *
   * @param arguments how many seconds for each
   * @throws Exception if a transfer fails
   */
  public static void main(String[] arguments) throws Exception {
    int seconds;
    try {
      seconds = Integer.parseInt(arguments.length == 1 ? arguments[0] : "");
    } catch (NumberFormatException e) {
      System.err.println(
          "PartsPairs: one argument is needed, a whole number: SECONDS (arguments="
              + String.join(" ", arguments)
              + ")");
      System.exit(2);
      return;
    }
    for (String transport : List.of("nio", "stream")) {
      measure(transport, TimeUnit.SECONDS.toNanos(seconds), System.out);
    }
  }

  private static void measure(String transport, long nanos, PrintStream out) throws Exception {
    List<Contender> contenders =
        List.of(
            new Contender("one array of 3 MiB", Message.of(new float[FLOATS])),
            new Contender("the same, again", Message.of(new float[FLOATS])),
            new Contender(
                "three parts of 1 MiB",
                Message.of("0", new float[FLOATS / 3])
                    .with("1", new float[FLOATS / 3])
                    .with("2", new float[FLOATS / 3])));
    ChildJvm receiver =
        ChildJvm.start("receiver", PartsReceiver.class, HEAP_BYTES, List.of(), System.err);
    try (receiver;
        Transport sender = Transports.create(transport, ArrayReceiver.options(false, 0))) {
      int port = Integer.parseInt(receiver.ask("listen", transport)[0]);
      try (Connection connection =
          sender.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))) {
        rounds(connection, contenders, nanos);
      }
    }
    print(transport, contenders, out);
  }

  private static void rounds(Connection connection, List<Contender> contenders, long nanos)
      throws Exception {
    Random random = new Random(1);
    List<Contender> order = new ArrayList<>(contenders);
    long begun = System.nanoTime();
    for (int round = -WARM_UP_ROUNDS;
        round < LEAST_ROUNDS || System.nanoTime() - begun < nanos;
        round++) {
      Collections.shuffle(order, random);
      for (Contender each : order) {
        double micros = burst(connection, each.message());
        if (round >= 0) {
          each.micros().add(micros);
        }
      }
    }
  }

  /** Returns microseconds for each send. */
  private static double burst(Connection connection, Message message) throws Exception {
    long begun = System.nanoTime();
    for (int i = 0; i < SENDS_OF_A_BURST; i++) {
      connection.send(message, SendOptions.processed());
    }
    return (System.nanoTime() - begun) / 1e3 / SENDS_OF_A_BURST;
  }

  private static void print(String transport, List<Contender> contenders, PrintStream out) {
    double[] one = contenders.get(0).times();
    for (Contender each : contenders) {
      double[] times = each.times();
      double[] ratios = new double[times.length];
      for (int i = 0; i < times.length; i++) {
        ratios[i] = times[i] / one[i];
      }
      Interval interval = Statistics.interval(ratios, 0.99);
      out.printf(
          Locale.ROOT,
          "%-6s  %-20s  %4d rounds  median %5.0f us  x one %.3f (99 %%: %.3f to %.3f)%n",
          transport,
          each.name(),
          times.length,
          Statistics.median(times),
          Statistics.median(ratios),
          interval.low(),
          interval.high());
    }
  }
}
