package io.arraywire.nio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A session between two hosts that cannot reach each other for a while. The network drops packets
 * without a word, so that the two have nothing but their heartbeats to find out.
 */
@Tag("slow")
class PartitionTest {
  /** How soon a session must go on, once it can: as a rule, since others use the processors too. */
  private static final Duration OVER_WITHIN = Duration.ofSeconds(1);

  /** And at the latest, long before it would end. */
  private static final Duration OVER_AT_LAST = Duration.ofSeconds(10);

  /**
   * How many partitions of 30 s: of a single one nobody can say whether the machine was slow, so
   * {@link #OVER_WITHIN} is for the median of three or more.
   */
  private static final int LONG_ONES = Integer.getInteger("arraywire.partitions", 1);

  private static final Duration LONG = Duration.ofSeconds(30);

  private static final Duration SENDING = Duration.ofSeconds(60);

  /** With so much time left, a partition ends while the sender still sends. */
  private static final Duration TO_SPARE = Duration.ofSeconds(15);

  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final long POLL_NANOS = 1_000_000;

  @TempDir Path directory;

  @Test
  void thirtySecondsAreOverSoonAndNothingIsLost() throws Exception {
    try (TwoHosts hosts = TwoHosts.createOrAbort()) {
      assertThirtySecondsAreOverSoon(hosts, programs());
    }
  }

  /** The handshake of the connection that goes on takes one more round, and much computing. */
  @Test
  @Tag("variant")
  void overTlsThirtySecondsAreOverSoonAndNothingIsLost() throws Exception {
    try (TwoHosts hosts = TwoHosts.createOrAbort()) {
      assertThirtySecondsAreOverSoon(hosts, programs().overTls(hosts.right()));
    }
  }

  private static void assertThirtySecondsAreOverSoon(TwoHosts hosts, DeliveryPrograms started)
      throws Exception {
    try (DeliveryPrograms programs = started) {
      DeliveryProgram receiver = programs.receiver(hosts.onRight(), listening(hosts));
      DeliveryProgram sender =
          sender(
              programs,
              hosts,
              receiver,
              LONG.plus(OVER_AT_LAST).multipliedBy(LONG_ONES).plusSeconds(5));
      List<Long> times = new ArrayList<>();
      for (int i = 0; i < LONG_ONES; i++) {
        times.add(part(hosts, sender, receiver, LONG).sinceEnd());
      }
      Collections.sort(times);
      assertThat(times.get((times.size() - 1) / 2))
          .as("the median of %s from the end of a partition, in nanoseconds", times)
          .isLessThanOrEqualTo((LONG_ONES < 3 ? OVER_AT_LAST : OVER_WITHIN).toNanos());
      // Both had noticed, by what each did not hear of the other.
      for (DeliveryProgram each : new DeliveryProgram[] {sender, receiver}) {
        assertThat(each.words())
            .content()
            .contains("nothing was heard of the peer", "heartbeatTimeout=PT15S")
            .contains("a session goes on over another connection");
      }
      assertOneSession(programs.assertEverythingArrived(sender, receiver, PATIENCE));
    }
  }

  @Test
  @Tag("alone")
  void shorterOnesAreNoticedAsSoonAsHeartbeatsSayAndAreOverAsFast() throws Exception {
    try (TwoHosts hosts = TwoHosts.createOrAbort();
        DeliveryPrograms programs =
            programs("heartbeatMillis=300", "heartbeatTimeoutMillis=1000")) {
      DeliveryProgram receiver = programs.receiver(hosts.onRight(), listening(hosts));
      long last = System.nanoTime() + SENDING.minus(TO_SPARE).toNanos();
      DeliveryProgram sender = sender(programs, hosts, receiver, SENDING);
      List<Long> times = new ArrayList<>();
      // Each ends at another moment between two attempts to connect. Where everything is slow the
      // sender's time is not enough for all.
      for (int i = 0; i < 8 && System.nanoTime() < last; i++) {
        Parted parted = part(hosts, sender, receiver, Duration.ofMillis(4000 + 110 * i));
        assertThat(parted.sinceEnd())
            .as("time from the end of partition %d, in nanoseconds", i)
            .isLessThanOrEqualTo(OVER_AT_LAST.toNanos());
        times.add(parted.sinceEnd());
      }
      Collections.sort(times);
      assertThat(times.get((times.size() - 1) / 2))
          .as("the median of %s, in nanoseconds", times)
          .isLessThanOrEqualTo(OVER_WITHIN.toNanos());
      assertOneSession(programs.assertEverythingArrived(sender, receiver, PATIENCE));
    }
  }

  @Test
  void oneThatHeartbeatsBridgeBreaksNoConnection() throws Exception {
    try (TwoHosts hosts = TwoHosts.createOrAbort();
        DeliveryPrograms programs = programs()) {
      DeliveryProgram receiver = programs.receiver(hosts.onRight(), listening(hosts));
      DeliveryProgram sender = sender(programs, hosts, receiver, Duration.ofSeconds(20));
      // When TCP sends again is its own affair: up to twice as long after a partition as it lasted.
      Parted parted = part(hosts, sender, receiver, Duration.ofSeconds(5));
      assertThat(parted.sinceEnd()).isLessThan(Duration.ofSeconds(15).toNanos());
      for (DeliveryProgram each : new DeliveryProgram[] {sender, receiver}) {
        assertThat(each.words()).content().doesNotContain("the connection of a session broke");
      }
      assertOneSession(programs.assertEverythingArrived(sender, receiver, PATIENCE));
    }
  }

  private DeliveryPrograms programs(String... heartbeats) {
    String[] arguments = new String[heartbeats.length + 3];
    // None of these may be what ends a send: a partition is to be survived.
    arguments[0] = "sessionMillis=" + PATIENCE.toMillis();
    arguments[1] = "sendTimeoutMillis=" + PATIENCE.toMillis();
    arguments[2] = "closeTimeoutMillis=" + PATIENCE.toMillis();
    System.arraycopy(heartbeats, 0, arguments, 3, heartbeats.length);
    return DeliveryPrograms.of(directory, arguments);
  }

  private static String listening(TwoHosts hosts) {
    return "address=" + hosts.right() + ":0";
  }

  private static DeliveryProgram sender(
      DeliveryPrograms programs, TwoHosts hosts, DeliveryProgram receiver, Duration time)
      throws IOException {
    return programs.sender(
        hosts.onLeft(),
        "address=" + receiver.listening(),
        "sender=0",
        "patienceMillis=" + PATIENCE.toMillis(),
        "millis=" + time.toMillis());
  }

  /** How long after a partition's end the first array was delivered, and the first acknowledged. */
  private record Parted(long deliveredNanos, long acknowledgedNanos) {
    long sinceEnd() {
      return Math.max(deliveredNanos, acknowledgedNanos);
    }
  }

  /** Parts the two in the middle of their traffic, and rejoins them. */
  private static Parted part(
      TwoHosts hosts, DeliveryProgram sender, DeliveryProgram receiver, Duration time)
      throws Exception {
    long acknowledgedBefore = sender.acknowledged();
    await().atMost(PATIENCE).until(() -> sender.acknowledged() > acknowledgedBefore + 500);
    hosts.part();
    long parted = System.nanoTime();
    // What had got through is handled; from then on nothing may come.
    receiver.awaitStandstill(PATIENCE);
    sender.awaitStandstill(PATIENCE);
    long received = receiver.logBytes();
    long sent = sender.logBytes();
    long acknowledged = sender.acknowledged();
    // The time that it lasts is the fault, not a wait for something.
    TimeUnit.NANOSECONDS.sleep(time.toNanos() - (System.nanoTime() - parted));
    assertThat(receiver.logBytes()).as("received during the partition").isEqualTo(received);
    assertThat(sender.logBytes()).as("sent during the partition").isEqualTo(sent);
    hosts.rejoin();
    // Not before: that starts a program, which takes its time.
    long end = System.nanoTime();
    long deliveredAt = 0;
    long acknowledgedAt = 0;
    while (deliveredAt == 0 || acknowledgedAt == 0) {
      if (deliveredAt == 0 && receiver.logBytes() > received) {
        deliveredAt = System.nanoTime();
      }
      // As many as it may have in flight wait, so it logs nothing else before.
      if (acknowledgedAt == 0 && sender.logBytes() > sent) {
        acknowledgedAt = System.nanoTime();
        assertThat(sender.acknowledged()).as("acknowledged").isGreaterThan(acknowledged);
      }
      assertThat(System.nanoTime() - end)
          .as("still parted, in nanoseconds")
          .isLessThan(PATIENCE.toNanos());
      LockSupport.parkNanos(POLL_NANOS);
    }
    System.out.printf(
        "a partition of %s: the first array delivered %d ms after its end, acknowledged %d ms%n",
        time,
        TimeUnit.NANOSECONDS.toMillis(deliveredAt - end),
        TimeUnit.NANOSECONDS.toMillis(acknowledgedAt - end));
    return new Parted(deliveredAt - end, acknowledgedAt - end);
  }

  private static void assertOneSession(String summary) {
    assertThat(summary).as("one session for everything").contains("sessions=1,");
  }
}
