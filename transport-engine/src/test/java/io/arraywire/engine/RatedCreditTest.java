package io.arraywire.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;

/** How fast credit grows, by a clock that the test moves. */
class RatedCreditTest {
  private static final int WINDOW = 8000;
  private static final int RATE = 8000;

  private long now = 77;
  private final RatedCredit credit =
      new RatedCredit(WINDOW, RATE, new ReentrantLock(), () -> now, (delay, task) -> () -> {});

  private void pass(Duration time) {
    now += time.toNanos();
  }

  @Test
  void creditComesBackAsTimePasses() {
    credit.received(WINDOW);
    assertThat(credit.left()).isZero();
    assertThat(credit.isDue()).isFalse();
    pass(Duration.ofMillis(499));
    assertThat(credit.isDue()).isFalse();
    pass(Duration.ofMillis(1));
    assertThat(credit.isDue()).isTrue();
    assertThat(credit.grant()).isEqualTo(WINDOW + RATE / 2);
  }

  /** Whatever it does, in the long run it sends no more than its rate and one window. */
  @Test
  void itIsTheAverageThatIsLimited() {
    long sent = 0;
    for (int i = 0; i < 1000; i++) {
      long all = credit.left();
      credit.received(all);
      sent += all;
      pass(Duration.ofMillis(i % 7 * 100));
      if (credit.isDue()) {
        credit.grant();
      }
    }
    assertThat(sent * 1e9 / (now - 77)).isBetween(RATE * 0.9, RATE * 1.02);
  }

  @Test
  void timeWithoutArraysSavesUpOneWindow() {
    credit.received(WINDOW);
    pass(Duration.ofHours(1));
    assertThat(credit.grant()).isEqualTo(2 * WINDOW);
    credit.received(WINDOW);
    assertThat(credit.isDue()).isFalse();
  }

  /** An array that somebody waits for does not have credit told in pieces of a few bytes. */
  @Test
  void creditIsNotToldInSmallPieces() {
    credit.received(WINDOW);
    credit.wants(100 * WINDOW);
    pass(Duration.ofMillis(200));
    assertThat(credit.isDue()).isFalse();
    pass(Duration.ofMillis(100));
    assertThat(credit.isDue()).isTrue();
  }

  @Test
  void withoutRoomThereIsNoCredit() {
    credit.received(WINDOW);
    credit.holds(WINDOW);
    pass(Duration.ofHours(1));
    assertThat(credit.isDue()).isFalse();
    credit.holds(-WINDOW);
    assertThat(credit.isDue()).isTrue();
  }
}
