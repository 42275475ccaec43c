package io.arraywire.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class BackOffTest {
  private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

  private final BackOff backOff = new BackOff(10 * MILLI, 100 * MILLI, MINUTE, 5_000 * MILLI);
  private final ManualRuntime runtime = new ManualRuntime();

  @Test
  void theLimitDoublesUpToTheProbePauseWhereTheAddressWasGoodNotLongAgo() {
    long[] limits = {10, 20, 40, 80, 100, 100};
    for (int i = 0; i < limits.length; i++) {
      assertThat(backOff.limit(i + 1, MINUTE - 1)).isEqualTo(limits[i] * MILLI);
    }
  }

  @Test
  void theLimitDoublesUpToTheLongestPauseOtherwise() {
    long[] limits = {10, 20, 40, 80, 160, 320, 640, 1_280, 2_560, 5_000, 5_000};
    for (int i = 0; i < limits.length; i++) {
      assertThat(backOff.limit(i + 1, BackOff.NEVER_GOOD)).isEqualTo(limits[i] * MILLI);
      assertThat(backOff.limit(i + 1, MINUTE)).isEqualTo(limits[i] * MILLI);
    }
    assertThat(backOff.limit(Integer.MAX_VALUE, MINUTE)).isEqualTo(5_000 * MILLI);
  }

  /** Full jitter: anything from next to nothing up to the limit. */
  @Test
  void aPauseIsDrawnBelowTheLimit() {
    assertThat(backOff.pause(1, 0, runtime)).isEqualTo(10 * MILLI - 1);
    runtime.draws(bound -> 0);
    assertThat(backOff.pause(9, 0, runtime)).isEqualTo(MILLI);
    runtime.draws(bound -> bound / 2);
    assertThat(backOff.pause(5, 0, runtime)).isEqualTo(MILLI + 99 * MILLI / 2);
  }
}
