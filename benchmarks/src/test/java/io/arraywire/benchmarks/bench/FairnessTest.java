package io.arraywire.benchmarks.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class FairnessTest {
  @Test
  void connectionsServedAlikeAreServedFairly() {
    assertThat(Fairness.leastShare(List.of(7L, 7L, 7L))).isEqualTo(1);
    assertThat(Fairness.jainIndex(List.of(7L, 7L, 7L))).isEqualTo(1);
    assertThat(Fairness.jainIndex(List.of(5L))).isEqualTo(1);
  }

  @Test
  void theLeastShareIsAPartOfTheMean() {
    assertThat(Fairness.leastShare(List.of(4L, 1L, 3L, 8L))).isEqualTo(0.25);
    assertThat(Fairness.leastShare(List.of(4L, 0L, 8L))).isZero();
  }

  @Test
  void jainsIndexIsThePartOfThoseWhoShareAllAmongThem() {
    assertThat(Fairness.jainIndex(List.of(9L, 0L, 9L, 0L, 0L))).isCloseTo(0.4, within(1e-12));
    assertThat(Fairness.jainIndex(List.of(0L, 3L, 0L, 0L))).isCloseTo(0.25, within(1e-12));
    // (1 + 2 + 3)^2 / (3 (1 + 4 + 9))
    assertThat(Fairness.jainIndex(List.of(1L, 2L, 3L))).isCloseTo(36 / 42.0, within(1e-12));
  }
}
