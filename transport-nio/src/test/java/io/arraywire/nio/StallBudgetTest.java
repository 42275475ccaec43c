package io.arraywire.nio;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StallBudgetTest {
  private static final long PART = 50;

  private final StallBudget budget = new StallBudget(10, PART);
  private final long start = System.nanoTime();

  @Test
  void aNewOneIsWhole() {
    assertThat(budget.isLeft(start)).isTrue();
  }

  @Test
  void itMayBeUsedAtOnceAndThenComesBackWithTime() {
    budget.uses(10, start);
    assertThat(budget.isLeft(start)).isTrue();
    budget.uses(10, start);
    assertThat(budget.isLeft(start + 10 * PART - 1)).isFalse();
    assertThat(budget.isLeft(start + 10 * PART)).isTrue();
  }

  /** Else a loop that was good for long could stall for long. */
  @Test
  void whatIsNotUsedIsNotKept() {
    budget.uses(10, start);
    long later = start + 1_000_000;
    assertThat(budget.isLeft(later)).isTrue();
    budget.uses(21, later);
    assertThat(budget.isLeft(later + 10 * PART)).isFalse();
    assertThat(budget.isLeft(later + 11 * PART)).isTrue();
  }

  @Test
  void eachLookCountsTheTimeOnce() {
    budget.uses(20, start);
    for (long now = start; now < start + 10 * PART; now++) {
      assertThat(budget.isLeft(now)).isFalse();
    }
    assertThat(budget.isLeft(start + 10 * PART)).isTrue();
  }
}
