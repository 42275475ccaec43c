package io.arraywire.nio;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.chaos.delivery.DeliveryTotals;
import io.arraywire.chaos.delivery.DeliveryVerdict;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * SIGKILL of a sender and of a receiver, in turn, at random moments and each started again at once.
 * A new receiver knows of no session: what a sender has in doubt ends as unknown, and comes never
 * again. What was acknowledged was delivered, and nothing was delivered twice. {@code
 * -Darraywire.kills=1000} makes it a thousand, {@code -Darraywire.kills.tls} says how many over
 * TLS, {@code -Darraywire.seed} repeats a run's moments.
 */
@Tag("slow")
class KilledProcessTest {
  private static final int KILLS = Integer.getInteger("arraywire.kills", 20);
  private static final int KILLS_OVER_TLS =
      Integer.getInteger("arraywire.kills.tls", Math.min(KILLS, 20));

  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final long POLL_NANOS = 1_000_000;
  private static final int LAST_ARRAYS = 2_000;

  /** Long enough for an attempt to connect or a session that goes on to be what is killed. */
  private static final int YOUNG_MILLIS = 600;

  private static final int IN_TRAFFIC_MILLIS = 250;

  /**
   * Of the loopback, but not the address that its connections start from: while nobody listens on
   * the port, neither a connection may get it as its own, nor a sender come upon itself.
   */
  private static final String HOST = "127.0.0.2";

  @TempDir Path directory;

  private final long seed = Long.getLong("arraywire.seed", System.nanoTime());
  private int senders;

  @Test
  void whatIsAcknowledgedWasDeliveredAndNothingTwice() throws Exception {
    assertKillsLoseNothing(KILLS, false);
  }

  /** A peer that is killed leaves a TLS stream without its end. */
  @Test
  void overTlsWhatIsAcknowledgedWasDeliveredAndNothingTwice() throws Exception {
    assertKillsLoseNothing(KILLS_OVER_TLS, true);
  }

  private void assertKillsLoseNothing(int kills, boolean tls) throws Exception {
    System.out.printf(
        "%d kills %s, repeat with -Darraywire.seed=%d%n", kills, tls ? "over TLS" : "plain", seed);
    long start = System.nanoTime();
    DeliveryPrograms plain =
        DeliveryPrograms.light(
            directory, "sessionMillis=10000", "heartbeatMillis=500", "heartbeatTimeoutMillis=1500");
    try (DeliveryPrograms programs = tls ? plain.overTls() : plain) {
      kill(programs, kills);
      DeliveryVerdict verdict = programs.verdict();
      System.out.printf(
          "%d kills in %d s: %s%n",
          kills, TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start), verdict);
      DeliveryTotals totals = verdict.assertHolds().totals();
      assertThat(totals.ok()).isGreaterThan(LAST_ARRAYS);
      // Else none was killed in the middle of anything.
      assertThat(totals.unknown()).as("in doubt when a receiver was killed").isPositive();
      assertThat(totals.withoutOutcome()).as("in doubt when a sender was killed").isPositive();
    }
  }

  /** The sender hears that its session is gone, and what it has in doubt ends as unknown. */
  @Test
  void aReceiverThatIsStartedAgainKnowsNoSession() throws Exception {
    assertKnowsNoSession(startedAgain());
  }

  @Test
  @Tag("variant")
  void overTlsAReceiverThatIsStartedAgainKnowsNoSession() throws Exception {
    assertKnowsNoSession(startedAgain().overTls());
  }

  private DeliveryPrograms startedAgain() {
    return DeliveryPrograms.of(
        directory, "sessionMillis=60000", "heartbeatMillis=500", "heartbeatTimeoutMillis=1500");
  }

  private static void assertKnowsNoSession(DeliveryPrograms started) throws Exception {
    try (DeliveryPrograms programs = started) {
      DeliveryProgram receiver = programs.receiver(List.of(), "address=" + HOST + ":0");
      String address = receiver.listening();
      DeliveryProgram sender =
          programs.sender(
              List.of(),
              "address=" + address,
              "sender=0",
              "maxBytes=65536",
              "patienceMillis=" + PATIENCE.toMillis(),
              "millis=20000");
      awaitTraffic(sender, receiver);
      receiver.kill();
      receiver = programs.receiver(List.of(), "address=" + address);
      assertThat(receiver.listening()).isEqualTo(address);
      awaitTraffic(sender, receiver);
      sender.awaitEnd(PATIENCE);
      assertThat(sender.line()).contains("sessions=2,");
      assertThat(sender.words())
          .content()
          .contains("a session ended: the listener refused: the session is not known here");
      receiver.end();
      DeliveryTotals totals = programs.verdict().assertHolds().totals();
      assertThat(totals.unknown()).isPositive();
      assertThat(totals.ok()).isPositive();
    }
  }

  private void kill(DeliveryPrograms programs, int kills) throws Exception {
    Random random = new Random(seed);
    DeliveryProgram receiver = programs.receiver(List.of(), "address=" + HOST + ":0");
    String address = receiver.listening();
    DeliveryProgram sender = sender(programs, address, Long.MAX_VALUE);
    for (int i = 0; i < kills; i++) {
      if (random.nextInt(4) > 0) {
        awaitTraffic(sender, receiver);
        pause(random.nextInt(IN_TRAFFIC_MILLIS));
      } else {
        pause(random.nextInt(YOUNG_MILLIS));
      }
      if (i % 2 == 0) {
        sender.kill();
        sender = sender(programs, address, Long.MAX_VALUE);
      } else {
        receiver.kill();
        receiver = programs.receiver(List.of(), "address=" + address);
        assertThat(receiver.listening()).isEqualTo(address);
      }
    }
    awaitTraffic(sender, receiver);
    sender.kill();
    // On a busy machine few kills may all find nothing in flight.
    for (long start = System.nanoTime(); !eachLeftArraysInDoubt(programs); ) {
      assertThat(System.nanoTime() - start)
          .as("nothing in flight at any kill, for so many nanoseconds")
          .isLessThan(PATIENCE.toNanos());
      sender = sender(programs, address, Long.MAX_VALUE);
      awaitTraffic(sender, receiver);
      receiver.kill();
      receiver = programs.receiver(List.of(), "address=" + address);
      assertThat(receiver.listening()).isEqualTo(address);
      awaitTraffic(sender, receiver);
      sender.kill();
    }
    // After all that everything is as it was.
    DeliveryProgram last = sender(programs, address, LAST_ARRAYS);
    last.awaitEnd(PATIENCE);
    assertThat(last.line()).contains("sessions=1,", "lastFailure=null");
    assertThat(last.acknowledged()).isEqualTo(LAST_ARRAYS);
    receiver.end();
  }

  /** By the logs of senders, which have all ended. */
  private static boolean eachLeftArraysInDoubt(DeliveryPrograms programs) throws IOException {
    DeliveryTotals totals = programs.verdict().totals();
    return totals.unknown() > 0 && totals.withoutOutcome() > 0;
  }

  /** The moment of a kill is its fault, not a wait for something. */
  private static void pause(int millis) throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(millis);
  }

  private DeliveryProgram sender(DeliveryPrograms programs, String address, long arrays)
      throws IOException {
    int number = senders++;
    return programs.sender(
        List.of(),
        "address=" + address,
        "sender=" + number,
        "seed=" + (seed + number),
        "maxBytes=65536",
        "patienceMillis=" + PATIENCE.toMillis(),
        "arrays=" + arrays);
  }

  /** Waits until both log: arrays arrive, and their outcomes too. */
  private static void awaitTraffic(DeliveryProgram sender, DeliveryProgram receiver)
      throws IOException {
    long start = System.nanoTime();
    long sent = sender.logBytes();
    long received = receiver.logBytes();
    while (sender.logBytes() == sent || receiver.logBytes() == received) {
      if (System.nanoTime() - start >= PATIENCE.toNanos()) {
        System.out.println(sender.threads() + "\n" + receiver.threads());
      }
      assertThat(System.nanoTime() - start)
          .as("no traffic, in nanoseconds (sender %s, receiver %s)", sender, receiver)
          .isLessThan(PATIENCE.toNanos());
      LockSupport.parkNanos(POLL_NANOS);
    }
  }
}
