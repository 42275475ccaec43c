package io.arraywire.nio;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.testkit.delivery.DeliveryChecker;
import io.arraywire.testkit.delivery.DeliveryReceiver;
import io.arraywire.testkit.delivery.DeliverySender;
import io.arraywire.testkit.delivery.DeliveryVerdict;
import io.arraywire.testkit.proxy.FaultKind;
import io.arraywire.testkit.proxy.FaultMix;
import io.arraywire.testkit.proxy.FaultProxy;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * One listening process and three sending ones, between which connections are cut, reset, stalled,
 * slowed and partitioned at random, while one sender is killed and started again every few seconds.
 * Nothing may be lost, doubled, reordered or invented, and the listener has at the end what it had
 * at the beginning. {@code -Darraywire.chaos.seconds=600} makes it ten minutes, {@code
 * -Darraywire.seed} repeats a run's faults.
 */
@Tag("slow")
class ChaosTest {
  private static final long SECONDS = Long.getLong("arraywire.chaos.seconds", 120);
  private static final Duration KILL_EVERY = Duration.ofSeconds(5);
  private static final int STEADY = 2;

  @TempDir Path directory;

  private final List<Path> logs = new ArrayList<>();
  private final long seed = Long.getLong("arraywire.seed", System.nanoTime());
  private int senders;

  @Test
  void nothingIsLostDoubledReorderedOrInvented() throws Exception {
    System.out.println("chaos for " + SECONDS + " s, repeat with -Darraywire.seed=" + seed);
    DeliveryChecker checker = DeliveryChecker.create();
    Random random = new Random(seed);
    long start = System.nanoTime();
    Program receiver = start(DeliveryReceiver.class, "address=127.0.0.1:0");
    InetSocketAddress listening = listening(receiver.line());
    // What the first peers make it load and allocate for good is not what is looked for.
    run(sender(listening, 1));
    // In this order: whoever asks a JVM for its objects leaves it with another descriptor.
    long bytesBefore = receiver.liveBytes();
    long filesBefore = receiver.openFiles();
    List<FaultProxy> proxies = new ArrayList<>();
    try {
      for (int i = 0; i <= STEADY; i++) {
        proxies.add(FaultProxy.to(listening).randomly(random.nextLong(), mix()).start());
      }
      List<Program> steady = new ArrayList<>();
      for (int i = 0; i < STEADY; i++) {
        steady.add(sender(proxies.get(i).address(), SECONDS));
      }
      int kills = 0;
      while (System.nanoTime() - start < TimeUnit.SECONDS.toNanos(SECONDS)) {
        Program victim = sender(proxies.get(STEADY).address(), 2 * SECONDS);
        // The time that it is given is the fault, not a wait for something.
        long grace = 1000 + random.nextInt((int) KILL_EVERY.toMillis());
        assertThat(victim.process.waitFor(grace, TimeUnit.MILLISECONDS))
            .as("a sender ended by itself")
            .isFalse();
        victim.process.destroyForcibly().waitFor();
        kills++;
      }
      for (Program each : steady) {
        run(each);
      }
      for (FaultProxy proxy : proxies) {
        System.out.println(proxy);
      }
      assertThat(kills).isPositive();
    } finally {
      proxies.forEach(FaultProxy::close);
    }
    awaitRest(receiver, filesBefore);
    long bytesAfter = receiver.liveBytes();
    System.out.printf(
        "listener before and after: %d and %d open files, %d and %d live bytes%n",
        filesBefore, receiver.openFiles(), bytesBefore, bytesAfter);
    receiver.process.getOutputStream().close();
    assertThat(receiver.process.waitFor(2, TimeUnit.MINUTES)).as("the receiver ends").isTrue();
    for (Path log : logs) {
      checker.add(log);
    }
    DeliveryVerdict verdict = checker.verdict();
    System.out.println(verdict);
    verdict.assertHolds();
    assertThat(bytesAfter - bytesBefore).as("live bytes kept").isLessThan(4 << 20);
  }

  private static FaultMix mix() {
    return FaultMix.of(
            FaultKind.CUT,
            FaultKind.RESET,
            FaultKind.STALL,
            FaultKind.DELAY,
            FaultKind.SPLIT,
            FaultKind.THROTTLE,
            FaultKind.FLIP,
            FaultKind.PARTITION,
            FaultKind.REFUSE)
        .everyBytes(8 << 20)
        .longest(Duration.ofMillis(300))
        .slowest(4 << 20);
  }

  private Program sender(InetSocketAddress to, long seconds) throws IOException {
    int number = senders++;
    return start(
        DeliverySender.class,
        "address=127.0.0.1:" + to.getPort(),
        "sender=" + number,
        "seed=" + (seed + number),
        "maxBytes=65536",
        "millis=" + seconds * 1000);
  }

  /** Waits until a sender has ended by itself. */
  private static void run(Program sender) throws Exception {
    assertThat(sender.process.waitFor(SECONDS + 240, TimeUnit.SECONDS)).as("it ends").isTrue();
    assertThat(sender.process.exitValue()).as("exit status of a sender").isZero();
  }

  /** The sessions of the killed end, and their descriptors are given back. */
  private static void awaitRest(Program receiver, long files) throws Exception {
    long start = System.nanoTime();
    while (receiver.openFiles() > files) {
      if (System.nanoTime() - start > TimeUnit.MINUTES.toNanos(2)) {
        throw new AssertionError(
            "descriptors were not given back (before="
                + files
                + ", now="
                + receiver.openFiles()
                + ")");
      }
      TimeUnit.MILLISECONDS.sleep(100);
    }
    // Longer than a session lives, so that those of the killed are forgotten.
    TimeUnit.MILLISECONDS.sleep(2 * SESSION_MILLIS);
  }

  private static final long SESSION_MILLIS = 10_000;

  private static InetSocketAddress listening(String line) {
    int colon = line.lastIndexOf(':');
    return new InetSocketAddress("127.0.0.1", Integer.parseInt(line.substring(colon + 1)));
  }

  private Program start(Class<?> program, String... arguments) throws IOException {
    Path log = directory.resolve("log-" + logs.size());
    logs.add(log);
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-Djava.util.logging.config.file=" + quiet(),
                "-cp",
                System.getProperty("java.class.path"),
                program.getName(),
                "transport=nio",
                "log=" + log,
                "sessionMillis=" + SESSION_MILLIS,
                "heartbeatMillis=500",
                "heartbeatTimeoutMillis=1500"));
    command.addAll(List.of(arguments));
    return new Program(
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
  }

  /** Broken connections are what it is about; nobody wants to read of each. */
  private Path quiet() throws IOException {
    return Files.writeString(directory.resolve("logging.properties"), ".level=SEVERE\n");
  }

  private record Program(Process process) {
    String line() throws IOException {
      return new BufferedReader(
              new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))
          .readLine();
    }

    long openFiles() throws IOException {
      try (Stream<Path> files = Files.list(Path.of("/proc", process.pid() + "", "fd"))) {
        return files.count();
      }
    }

    /** Bytes of objects that live, after a collection of all others. */
    long liveBytes() throws IOException {
      return LiveObjects.of(process).stream()
          .filter(line -> line.startsWith("Total"))
          .mapToLong(line -> Long.parseLong(line.trim().split("\\s+")[2]))
          .sum();
    }
  }
}
