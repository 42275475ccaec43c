package io.arraywire.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ReconnectPausesTest {
  private static final long MILLI = 1_000_000;

  private static long[] millis(Duration longest, long partOfBound, int failures) {
    ReconnectPauses pauses =
        new ReconnectPauses(longest, bound -> Math.min(bound - 1, bound * partOfBound / 100));
    return IntStream.rangeClosed(0, failures)
        .mapToLong(i -> Math.round((double) pauses.nanos(i) / MILLI))
        .toArray();
  }

  @Test
  void theyDoubleUpToTheLongest() {
    Duration longest = Duration.ofMillis(200);
    assertThat(millis(longest, 100, 8)).containsExactly(0, 10, 20, 40, 80, 160, 200, 200, 200);
    assertThat(millis(longest, 0, 8)).containsExactly(0, 5, 10, 20, 40, 80, 100, 100, 100);
  }

  @Test
  void theLongestMayBeShorterThanTheFirst() {
    assertThat(millis(Duration.ofMillis(2), 100, 3)).containsExactly(0, 2, 2, 2);
    assertThat(pauses(Duration.ofNanos(1)).nanos(5)).isEqualTo(1);
  }

  @Test
  void noNumberOfFailuresAndNoLengthIsTooMuch() {
    ReconnectPauses pauses = new ReconnectPauses(Duration.ofSeconds(Long.MAX_VALUE), bound -> 0);
    long before = 0;
    for (int failures = 1; failures < 200; failures++) {
      long now = pauses.nanos(failures);
      assertThat(now).isPositive().isGreaterThanOrEqualTo(before);
      before = now;
    }
    assertThat(before).isEqualTo(pauses.nanos(Integer.MAX_VALUE));
  }

  /** Sides that lost the same peer at the same moment do not come back at the same moment. */
  @Test
  void theyAreNotAlike() {
    Duration longest = Duration.ofMillis(200);
    long[] drawn = LongStream.range(0, 1000).map(i -> pauses(longest).nanos(10)).toArray();
    assertThat(LongStream.of(drawn).min().getAsLong()).isGreaterThanOrEqualTo(100 * MILLI);
    assertThat(LongStream.of(drawn).max().getAsLong()).isLessThanOrEqualTo(200 * MILLI);
    // Out of 100 million; that a tenth of them meet is not to be expected in a lifetime.
    assertThat(LongStream.of(drawn).distinct().count()).isGreaterThan(900);
    // Both halves of the range come about.
    assertThat(LongStream.of(drawn).filter(nanos -> nanos < 150 * MILLI).count())
        .isBetween(300L, 700L);
  }

  private static ReconnectPauses pauses(Duration longest) {
    return new ReconnectPauses(longest, EngineRuntime.system()::below);
  }
}
