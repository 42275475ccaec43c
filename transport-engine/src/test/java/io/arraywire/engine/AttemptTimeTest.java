package io.arraywire.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** How long an attempt to connect again may take. */
class AttemptTimeTest {
  private final AttemptTime time = new AttemptTime(Duration.ofSeconds(10));

  private static long millis(long millis) {
    return Duration.ofMillis(millis).toNanos();
  }

  @Test
  void whoseFirstConnectionWasSlowIsNotFarAwayIfItAnswersFast() {
    time.connected(millis(1300));
    assertThat(time.get()).isEqualTo(Duration.ofMillis(5200));
    time.answered(millis(2));
    time.answered(millis(700));
    assertThat(time.get()).isEqualTo(Duration.ofMillis(500));
  }

  @Test
  void aLaterConnectionTellsItToo() {
    time.connected(millis(1300));
    time.connected(millis(20));
    time.connected(millis(900));
    assertThat(time.get()).isEqualTo(Duration.ofMillis(500));
  }

  @Test
  void aPeerThatIsFarAwayIsGivenTheTime() {
    time.connected(millis(900));
    time.answered(millis(300));
    assertThat(time.get()).isEqualTo(Duration.ofMillis(2400));
    time.answered(millis(600));
    assertThat(time.get()).isEqualTo(Duration.ofMillis(2400));
  }

  @Test
  void neverMoreThanAConnectionMayTake() {
    assertThat(time.get()).isEqualTo(Duration.ofSeconds(10));
    time.connected(Long.MAX_VALUE);
    assertThat(time.get()).isEqualTo(Duration.ofSeconds(10));
    AttemptTime impatient = new AttemptTime(Duration.ofMillis(100));
    impatient.connected(millis(5000));
    assertThat(impatient.get()).isEqualTo(Duration.ofMillis(100));
  }
}
