package io.arraywire.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LogThrottleTest {
  private long now = Long.MAX_VALUE - 5;

  private final LogThrottle throttle = new LogThrottle(3, 2, () -> now);

  private void pass(long millis) {
    now += TimeUnit.MILLISECONDS.toNanos(millis);
  }

  @Test
  void soManyAreLetThroughAndTheOthersCounted() {
    for (int i = 0; i < 3; i++) {
      assertThat(throttle.before()).isZero();
    }
    for (int i = 0; i < 7; i++) {
      assertThat(throttle.before()).isEqualTo(LogThrottle.HELD_BACK);
    }
    pass(499);
    assertThat(throttle.before()).isEqualTo(LogThrottle.HELD_BACK);
    pass(1);
    assertThat(throttle.before()).isEqualTo(8);
    assertThat(throttle.before()).isEqualTo(LogThrottle.HELD_BACK);
    pass(500);
    assertThat(throttle.before()).isEqualTo(1);
  }

  @Test
  void howeverLongItWasQuietNoMoreAreLetThrough() {
    pass(TimeUnit.DAYS.toMillis(1));
    for (int i = 0; i < 3; i++) {
      assertThat(throttle.before()).isZero();
    }
    assertThat(throttle.before()).isEqualTo(LogThrottle.HELD_BACK);
  }
}
