package io.arraywire.examples.soak;

import io.arraywire.chaos.process.AnsweringProcess;
import io.arraywire.chaos.proxy.FaultKind;
import io.arraywire.chaos.proxy.FaultMix;
import io.arraywire.chaos.proxy.FaultProxy;
import io.arraywire.testkit.TestAuthority;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** Runs the two programs of a soak with proxies between them, and a yardstick beside them. */
final class Soak {
  /** More samples would make the chart larger and say no more. */
  private static final long MOST_SAMPLES = 240;

  private static final double MIB = 1 << 20;

  private static final Duration TO_START_AND_END = Duration.ofMinutes(10);

  private final Side listener;
  private final Side clients;
  private final List<SoakLine> lines = new ArrayList<>();

  private Soak(Side listener, Side clients) {
    this.listener = listener;
    this.clients = clients;
  }

  /**
   * Runs a soak.
   *
   * @param directory an empty one, for certificates
   * @param leaks whether both sides leak
   * @return the samples
   */
  static SoakResult run(Path directory, Duration time, boolean leaks) throws Exception {
    TestAuthority authority = TestAuthority.named("arraywire test");
    authority.write(directory.resolve("ca.pem"));
    TestAuthority.Identity own = authority.issue("both", "localhost", "127.0.0.1");
    own.writeCertificate(directory.resolve("own.pem"));
    own.writeKey(directory.resolve("own.key"));
    String planted = leaks + "";
    Duration patience = time.plus(TO_START_AND_END);
    try (Side listener = new Side(patience, "listener", directory.toString(), planted)) {
      String[] ports = listener.line().split(" ", -1);
      try (FaultProxy plain = proxy(ports[0], 1);
          FaultProxy tls = proxy(ports[1], 2);
          Side clients =
              new Side(
                  patience,
                  "clients",
                  directory.toString(),
                  planted,
                  plain.address().getPort() + "",
                  tls.address().getPort() + "")) {
        clients.line();
        Soak soak = new Soak(listener, clients);
        try (Yardstick yardstick = new Yardstick()) {
          soak.sample(time, yardstick);
        }
        // In this order, since those that are gone are no fault of the listener's.
        clients.end(leaks);
        listener.end(leaks);
        System.out.println(plain);
        System.out.println(tls);
        return new SoakResult(soak.lines);
      }
    }
  }

  private static FaultProxy proxy(String port, long seed) throws IOException {
    return FaultProxy.to(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(port)))
        .randomly(
            seed,
            FaultMix.of(FaultKind.values())
                .everyBytes(1 << 20)
                .longest(Duration.ofMillis(300))
                .slowest(8 << 20))
        .start();
  }

  private void sample(Duration time, Yardstick yardstick) throws IOException {
    long interval = Math.max(TimeUnit.SECONDS.toNanos(1), time.toNanos() / MOST_SAMPLES);
    long begun = System.nanoTime();
    long next = begun;
    Figures ofListener = listener.figures();
    Figures ofClients = clients.figures();
    while (System.nanoTime() - begun < time.toNanos()) {
      next += interval;
      while (next - System.nanoTime() > 0) {
        LockSupport.parkNanos(next - System.nanoTime());
      }
      double second = (System.nanoTime() - begun) / 1e9;
      double exchanges = yardstick.perSecond();
      line(SoakSeries.YARDSTICK, "plain sockets").add(second, exchanges);
      ofListener = add(second, ofListener, listener.figures());
      Figures before = ofClients;
      ofClients = add(second, before, clients.figures());
      double seconds = (ofClients.taken - before.taken) / 1e9;
      addRate(second, "plain", (ofClients.plain - before.plain) / seconds, exchanges);
      addRate(second, "TLS", (ofClients.tls - before.tls) / seconds, exchanges);
    }
  }

  private Figures add(double second, Figures before, Figures now) {
    now.values.forEach((series, value) -> line(series, now.of).add(second, value));
    line(SoakSeries.PROCESSORS, now.of)
        .add(
            second,
            (now.processorNanos - before.processorNanos) / (double) (now.taken - before.taken));
    return now;
  }

  private void addRate(double second, String name, double perSecond, double exchanges) {
    line(SoakSeries.RATE, name).add(second, perSecond);
    line(SoakSeries.RATIO, name).add(second, 1000 * perSecond / exchanges);
  }

  private SoakLine line(SoakSeries series, String name) {
    for (SoakLine each : lines) {
      if (each.series() == series && each.name().equals(name)) {
        return each;
      }
    }
    SoakLine added = new SoakLine(series, name);
    lines.add(added);
    return added;
  }

  /**
   * What one side is at one moment, how much it has done with and without TLS, and the CPU time
   * that it has had.
   */
  private record Figures(
      String of,
      Map<SoakSeries, Double> values,
      long plain,
      long tls,
      long processorNanos,
      long taken) {}

  /** A program in a JVM of its own. Its log is of broken connections, which are no news here. */
  private static final class Side extends AnsweringProcess {
    private final String name;

    Side(Duration patience, String... arguments) throws IOException {
      super(
          SoakProgram.class,
          // All memory and threads that the JVM may take it has from the beginning.
          List.of(
              "-Xms256m",
              "-Xmx256m",
              "-XX:+AlwaysPreTouch",
              "-XX:+UseSerialGC",
              "-XX:-UseDynamicNumberOfCompilerThreads"),
          ProcessBuilder.Redirect.DISCARD,
          patience,
          arguments);
      name = arguments[0];
    }

    Figures figures() throws IOException {
      String[] answer = ask("sample").split(" ", -1);
      Map<SoakSeries, Double> values = new EnumMap<>(SoakSeries.class);
      values.put(SoakSeries.RSS, residentBytes() / MIB);
      values.put(SoakSeries.HEAP, Long.parseLong(answer[0]) / MIB);
      values.put(SoakSeries.POOL, Long.parseLong(answer[1]) / MIB);
      values.put(SoakSeries.DESCRIPTORS, (double) entries("fd"));
      values.put(SoakSeries.THREADS, (double) entries("task"));
      return new Figures(
          name,
          values,
          Long.parseLong(answer[2]),
          Long.parseLong(answer[3]),
          process().info().totalCpuDuration().orElseThrow().toNanos(),
          System.nanoTime());
    }

    private Path proc(String file) {
      return Path.of("/proc", process().pid() + "", file);
    }

    private long entries(String folder) throws IOException {
      try (Stream<Path> all = Files.list(proc(folder))) {
        return all.count();
      }
    }

    private long residentBytes() throws IOException {
      for (String each : Files.readAllLines(proc("status"))) {
        if (each.startsWith("VmRSS:")) {
          return Long.parseLong(each.replaceAll("[^0-9]", "")) << 10;
        }
      }
      throw new IOException("no VmRSS (file=" + proc("status") + ")");
    }

    /** Lets it end; with a leak it cannot. */
    void end(boolean leaks) throws IOException, InterruptedException {
      process().outputWriter().close();
      if (!leaks && (!line().equals("ended") || process().waitFor() != 0)) {
        throw new IOException("a side of the soak did not end well (side=" + name + ")");
      }
    }
  }
}
