package io.arraywire.chaos.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A checker that cannot fail is worth nothing: each violation is put in, and must be named. */
final class DeliveryCheckerTest {
  private static final DeliveryStream HERE = new DeliveryStream(3, 1, 2);
  private static final DeliveryStream THERE = new DeliveryStream(4, 1, 2);
  private static final int MILLION = 1_000_000;

  private final DeliveryChecker checker = DeliveryChecker.create();

  private void send(DeliveryStream stream, long sequence, DeliveryEvent outcome) {
    checker.invoke(stream, sequence, sequence * 100);
    checker.record(outcome, stream, sequence, 0);
  }

  private void deliver(DeliveryStream stream, long sequence) {
    checker.delivered(stream, sequence, sequence * 100);
  }

  private void assertOnly(ViolationKind kind, String text) {
    DeliveryVerdict verdict = checker.verdict();
    assertThat(verdict.holds()).isFalse();
    assertThat(verdict.violations()).hasSize(1);
    assertThat(verdict.count(kind)).isEqualTo(1);
    assertThat(verdict.violations().get(0)).hasToString(text);
    assertThatThrownBy(verdict::assertHolds)
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining(text);
  }

  @Test
  void whatIsAllowedHolds() {
    send(HERE, 1, DeliveryEvent.OK);
    send(HERE, 2, DeliveryEvent.FAILED);
    send(HERE, 3, DeliveryEvent.UNKNOWN);
    send(HERE, 4, DeliveryEvent.UNKNOWN);
    checker.invoke(HERE, 5, 500);
    checker.invoke(HERE, 6, 600);
    send(THERE, 1, DeliveryEvent.OK);
    deliver(HERE, 1);
    deliver(HERE, 4);
    deliver(THERE, 1);
    deliver(HERE, 6);
    DeliveryVerdict verdict = checker.verdict().assertHolds();
    assertThat(verdict.totals()).isEqualTo(new DeliveryTotals(7, 2, 2, 1, 2, 4));
    assertThat(verdict)
        .hasToString(
            "deliveries (invoked=7, ok=2, unknown=2, failed=1, withoutOutcome=2, delivered=4):"
                + " everything as promised");
  }

  @Test
  void theReceiversLogMayBeReadFirst() {
    deliver(HERE, 1);
    send(HERE, 1, DeliveryEvent.OK);
    checker.verdict().assertHolds();
  }

  @Test
  void aLostOne() {
    send(HERE, 1, DeliveryEvent.OK);
    send(THERE, 1, DeliveryEvent.OK);
    deliver(THERE, 1);
    assertOnly(
        ViolationKind.LOST,
        "an array was reported ok and never delivered"
            + " (kind=LOST, sender=3, session=1, channel=2, sequence=1)");
  }

  @Test
  void anOkOneTwice() {
    send(HERE, 1, DeliveryEvent.OK);
    send(HERE, 2, DeliveryEvent.OK);
    deliver(HERE, 1);
    deliver(HERE, 2);
    deliver(HERE, 1);
    assertOnly(
        ViolationKind.DUPLICATED,
        "an array was delivered more than once"
            + " (kind=DUPLICATED, sender=3, session=1, channel=2, sequence=1, outcome=ok)");
  }

  @Test
  void anUnknownOneTwice() {
    send(HERE, 1, DeliveryEvent.UNKNOWN);
    deliver(HERE, 1);
    deliver(HERE, 1);
    assertOnly(
        ViolationKind.DUPLICATED,
        "an array was delivered more than once"
            + " (kind=DUPLICATED, sender=3, session=1, channel=2, sequence=1, outcome=unknown)");
  }

  @Test
  void oneOfAKilledSenderTwice() {
    checker.invoke(HERE, 1, 100);
    deliver(HERE, 1);
    deliver(HERE, 1);
    assertOnly(
        ViolationKind.DUPLICATED,
        "an array was delivered more than once"
            + " (kind=DUPLICATED, sender=3, session=1, channel=2, sequence=1, outcome=none)");
  }

  @Test
  void aFailedOneThatWasDelivered() {
    send(HERE, 1, DeliveryEvent.FAILED);
    deliver(HERE, 1);
    assertOnly(
        ViolationKind.DELIVERED_THOUGH_FAILED,
        "an array was reported as certainly not delivered, and was delivered"
            + " (kind=DELIVERED_THOUGH_FAILED, sender=3, session=1, channel=2, sequence=1)");
  }

  @Test
  void outOfOrder() {
    for (int sequence = 1; sequence <= 3; sequence++) {
      send(HERE, sequence, DeliveryEvent.OK);
    }
    deliver(HERE, 1);
    deliver(HERE, 3);
    deliver(HERE, 2);
    assertOnly(
        ViolationKind.OUT_OF_ORDER,
        "an array was delivered after a later one"
            + " (kind=OUT_OF_ORDER, sender=3, session=1, channel=2, sequence=2, after=3)");
  }

  @Test
  void streamsHaveNoOrderAmongThem() {
    DeliveryStream session = new DeliveryStream(3, 2, 2);
    DeliveryStream channel = new DeliveryStream(3, 1, 3);
    send(HERE, 1, DeliveryEvent.OK);
    send(session, 2, DeliveryEvent.OK);
    send(channel, 3, DeliveryEvent.OK);
    deliver(channel, 3);
    deliver(session, 2);
    deliver(HERE, 1);
    checker.verdict().assertHolds();
  }

  @Test
  void aPhantom() {
    deliver(HERE, 7);
    assertOnly(
        ViolationKind.PHANTOM,
        "an array was delivered and never sent"
            + " (kind=PHANTOM, sender=3, session=1, channel=2, sequence=7, hash=2bc)");
  }

  @Test
  void onTheWrongChannel() {
    send(HERE, 1, DeliveryEvent.OK);
    deliver(new DeliveryStream(3, 1, 5), 1);
    DeliveryVerdict verdict = checker.verdict();
    assertThat(verdict.count(ViolationKind.LOST)).isEqualTo(1);
    assertThat(verdict.count(ViolationKind.PHANTOM)).isEqualTo(1);
  }

  @Test
  void otherElements() {
    send(HERE, 1, DeliveryEvent.OK);
    checker.delivered(HERE, 1, 17);
    assertOnly(
        ViolationKind.HASH_DIFFERS,
        "an array was delivered with other elements than were sent (kind=HASH_DIFFERS, sender=3,"
            + " session=1, channel=2, sequence=1, sent=64, delivered=11)");
  }

  @Test
  void otherElementsTheSecondTime() {
    send(HERE, 1, DeliveryEvent.OK);
    deliver(HERE, 1);
    checker.delivered(HERE, 1, 17);
    DeliveryVerdict verdict = checker.verdict();
    assertThat(verdict.count(ViolationKind.HASH_DIFFERS)).isEqualTo(1);
    assertThat(verdict.count(ViolationKind.DUPLICATED)).isEqualTo(1);
  }

  @Test
  void twoOutcomes() {
    send(HERE, 1, DeliveryEvent.OK);
    checker.failed(HERE, 1);
    deliver(HERE, 1);
    assertOnly(
        ViolationKind.TWO_OUTCOMES,
        "an array had more than one outcome (kind=TWO_OUTCOMES, sender=3, session=1, channel=2,"
            + " sequence=1, first=ok, second=failed)");
  }

  @Test
  void aNumberUsedTwice() {
    send(HERE, 1, DeliveryEvent.FAILED);
    checker.invoke(HERE, 1, 100);
    assertOnly(
        ViolationKind.INVOKED_TWICE,
        "an array was invoked twice"
            + " (kind=INVOKED_TWICE, sender=3, session=1, channel=2, sequence=1)");
  }

  @Test
  void anOutcomeOfNothing() {
    checker.ok(HERE, 1);
    assertOnly(
        ViolationKind.OUTCOME_WITHOUT_INVOKE,
        "an array had an outcome and was never invoked (kind=OUTCOME_WITHOUT_INVOKE, sender=3,"
            + " session=1, channel=2, sequence=1, outcome=ok)");
  }

  @Test
  void theListIsLimitedForEachKindAndTheCountIsNot() {
    for (int sequence = 1; sequence <= 1000; sequence++) {
      send(HERE, sequence, DeliveryEvent.OK);
    }
    deliver(THERE, 1);
    DeliveryVerdict verdict = checker.verdict();
    assertThat(verdict.count(ViolationKind.LOST)).isEqualTo(1000);
    assertThat(verdict.violations())
        .hasSize(DeliveryChecker.LISTED + 1)
        .anyMatch(violation -> violation.kind() == ViolationKind.PHANTOM);
    assertThat(verdict.toString())
        .startsWith("deliveries (invoked=1000, ok=1000")
        .contains("violations {LOST=1000, PHANTOM=1}");
  }

  @Test
  void aMillionSendsFitIntoASmallHeap() throws Exception {
    Process small =
        new ProcessBuilder(
                System.getProperty("java.home") + File.separator + "bin" + File.separator + "java",
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                Million.class.getName())
            .redirectErrorStream(true)
            .start();
    try {
      String output = new String(small.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(small.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(output).contains("invoked=1000000").contains("violations {DUPLICATED=1}");
    } finally {
      small.destroyForcibly();
    }
  }

  /** Three million records, one of them a second delivery. */
  static final class Million {
    private Million() {}

    public static void main(String[] args) {
      DeliveryChecker checker = DeliveryChecker.create();
      for (long sequence = 1; sequence <= MILLION; sequence++) {
        DeliveryStream stream = new DeliveryStream((int) sequence % 7, 1, (int) sequence % 64);
        checker.invoke(stream, sequence, ~sequence);
        checker.ok(stream, sequence);
        checker.delivered(stream, sequence, ~sequence);
      }
      checker.delivered(new DeliveryStream(1, 1, 1), 1, ~1L);
      System.out.println(checker.verdict());
    }
  }
}
