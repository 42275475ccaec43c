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

/** Runs the two programs of a soak with proxies between them, and samples both. */
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
  static List<SoakLine> run(Path directory, Duration time, boolean leaks) throws Exception {
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
        soak.sample(time);
        // In this order, since those that are gone are no fault of the listener's.
        clients.end(leaks);
        listener.end(leaks);
        System.out.println(plain);
        System.out.println(tls);
        return soak.lines;
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

  private void sample(Duration time) throws IOException {
    long interval = Math.max(TimeUnit.SECONDS.toNanos(1), time.toNanos() / MOST_SAMPLES);
    long begun = System.nanoTime();
    long before = begun;
    long next = begun;
    Figures last = clients.figures();
    while (System.nanoTime() - begun < time.toNanos()) {
      next += interval;
      while (next - System.nanoTime() > 0) {
        LockSupport.parkNanos(next - System.nanoTime());
      }
      double second = (System.nanoTime() - begun) / 1e9;
      add(second, listener.figures());
      Figures now = clients.figures();
      add(second, now);
      long taken = System.nanoTime();
      double seconds = (taken - before) / 1e9;
      line(SoakSeries.RATE, "plain").add(second, (now.plain - last.plain) / seconds);
      line(SoakSeries.RATE, "TLS").add(second, (now.tls - last.tls) / seconds);
      before = taken;
      last = now;
    }
  }

  private void add(double second, Figures figures) {
    figures.values.forEach((series, value) -> line(series, figures.of).add(second, value));
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

  /** What one side is at one moment, and how much it has done with and without TLS. */
  private record Figures(String of, Map<SoakSeries, Double> values, long plain, long tls) {}

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
      return new Figures(name, values, Long.parseLong(answer[2]), Long.parseLong(answer[3]));
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
