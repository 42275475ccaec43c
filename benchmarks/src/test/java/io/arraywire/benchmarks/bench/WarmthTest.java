package io.arraywire.benchmarks.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WarmthTest {
  private final Warmth warmth = new Warmth();

  @Test
  void threeBurstsThatAreNoFasterEndIt() {
    assertThat(warmAfter(100, 99, 101)).isFalse();
    assertThat(warmAfter(97)).isTrue();
  }

  @Test
  void onlyTheFastestCounts() {
    // Each is faster than the one before, and not by itself faster than the best.
    assertThat(warmAfter(100, 180, 140, 101)).isTrue();
  }

  @Test
  void aGainBeginsAnew() {
    assertThat(warmAfter(700, 700, 700, 90)).as("late").isFalse();
    assertThat(warmAfter(91, 92)).isFalse();
    assertThat(warmAfter(93)).isTrue();
  }

  @Test
  void gainsOfLessThanFivePercentInAllAreNone() {
    assertThat(warmAfter(100, 98, 96.5, 95.5)).isTrue();
  }

  @Test
  void smallGainsAddUp() {
    assertThat(warmAfter(100, 97, 94, 93)).isFalse();
  }

  private boolean warmAfter(double... nanosPerArray) {
    for (double each : nanosPerArray) {
      warmth.add(each);
    }
    return warmth.isWarm();
  }
}
