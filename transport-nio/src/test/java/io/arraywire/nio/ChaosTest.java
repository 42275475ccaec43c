package io.arraywire.nio;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.chaos.delivery.DeliveryVerdict;
import io.arraywire.chaos.proxy.FaultKind;
import io.arraywire.chaos.proxy.FaultMix;
import io.arraywire.chaos.proxy.FaultProxy;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * One listening process and three sending ones, between which connections are cut, reset, stalled,
 * slowed and partitioned at random, while one sender is killed and started again every few seconds.
 * So that a connection that is slowed does not stay so for the rest of the run, for it has the
 * fewest faults of all, those of the others end then, too. Nothing may be lost, doubled, reordered
 * or invented, and the listener has at the end what it had at the beginning. {@code
 * -Darraywire.chaos.seconds=600} makes it ten minutes, {@code -Darraywire.chaos.least=1000000}
 * wants so many arrays acknowledged, {@code -Darraywire.seed} repeats a run's faults.
 */
@Tag("slow")
class ChaosTest {
  private static final long SECONDS = Long.getLong("arraywire.chaos.seconds", 120);
  private static final long LEAST = Long.getLong("arraywire.chaos.least", 1);
  private static final Duration KILL_EVERY = Duration.ofSeconds(5);
  private static final int STEADY = 2;
  private static final long SESSION_MILLIS = 10_000;
  private static final Duration LONGEST = Duration.ofSeconds(SECONDS + 240);

  @TempDir Path directory;

  private final long seed = Long.getLong("arraywire.seed", System.nanoTime());
  private int senders;

  @Test
  void nothingIsLostDoubledReorderedOrInvented() throws Exception {
    System.out.println("chaos for " + SECONDS + " s, repeat with -Darraywire.seed=" + seed);
    try (DeliveryPrograms programs =
        DeliveryPrograms.quiet(
            directory,
            "sessionMillis=" + SESSION_MILLIS,
            "heartbeatMillis=500",
            // On one host there are none unless somebody wants them, and the proxy flips bits.
            "checksums=true",
            "heartbeatTimeoutMillis=1500")) {
      run(programs);
    }
  }

  private void run(DeliveryPrograms programs) throws Exception {
    Random random = new Random(seed);
    long start = System.nanoTime();
    DeliveryProgram receiver = programs.receiver(List.of(), "address=127.0.0.1:0");
    InetSocketAddress listening = address(receiver.listening());
    // What the first peers make it load and allocate for good is not what is looked for.
    sender(programs, listening, 1).awaitEnd(LONGEST);
    // In this order: to ask a JVM for its objects leaves it with another descriptor.
    long bytesBefore = receiver.liveBytes();
    long filesBefore = receiver.openFiles();
    List<FaultProxy> proxies = new ArrayList<>();
    try {
      for (int i = 0; i <= STEADY; i++) {
        proxies.add(FaultProxy.to(listening).randomly(random.nextLong(), mix()).start());
      }
      List<DeliveryProgram> steady = new ArrayList<>();
      for (int i = 0; i < STEADY; i++) {
        steady.add(sender(programs, proxies.get(i).address(), SECONDS));
      }
      int kills = 0;
      while (System.nanoTime() - start < TimeUnit.SECONDS.toNanos(SECONDS)) {
        Process victim = sender(programs, proxies.get(STEADY).address(), 2 * SECONDS).process();
        // The time that it is given is the fault, not a wait for something.
        long grace = 1000 + random.nextInt((int) KILL_EVERY.toMillis());
        assertThat(victim.waitFor(grace, TimeUnit.MILLISECONDS))
            .as("a sender ended by itself")
            .isFalse();
        victim.destroyForcibly().waitFor();
        kills++;
        proxies
            .subList(0, STEADY)
            .forEach(random.nextBoolean() ? FaultProxy::cutAll : FaultProxy::resetAll);
      }
      for (DeliveryProgram each : steady) {
        each.awaitEnd(LONGEST);
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
    receiver.end();
    DeliveryVerdict verdict = programs.verdict();
    System.out.printf("%s%nfor each second: %d%n", verdict, verdict.totals().ok() / SECONDS);
    verdict.assertHolds();
    assertThat(verdict.totals().ok()).as("arrays acknowledged").isGreaterThanOrEqualTo(LEAST);
    assertThat(bytesAfter - bytesBefore).as("live bytes kept").isLessThan(4 << 20);
  }

  private static FaultMix mix() {
    return FaultMix.of(FaultKind.values())
        .everyBytes(16 << 20)
        .longest(Duration.ofMillis(300))
        .slowest(8 << 20);
  }

  /** Every other one has the blocking transport. */
  private DeliveryProgram sender(DeliveryPrograms programs, InetSocketAddress to, long seconds)
      throws IOException {
    int number = senders++;
    return programs.sender(
        List.of(),
        "transport=" + (number % 2 == 0 ? "nio" : "stream"),
        "address=127.0.0.1:" + to.getPort(),
        "sender=" + number,
        "seed=" + (seed + number),
        // Several chunks.
        "maxBytes=131072",
        "millis=" + seconds * 1000);
  }

  /** The sessions of the killed end, and their descriptors are given back. */
  private static void awaitRest(DeliveryProgram receiver, long files) throws Exception {
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

  private static InetSocketAddress address(String listening) {
    int colon = listening.lastIndexOf(':');
    return new InetSocketAddress("127.0.0.1", Integer.parseInt(listening.substring(colon + 1)));
  }
}
