package io.arraywire.benchmarks.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ClosedLoopsTest {
  private long now = 500;

  private boolean transfer(ClosedLoops loops, int connection, long nanos) {
    loops.begins(connection);
    now += nanos;
    return loops.acknowledged(connection);
  }

  @Test
  void theFirstTenthIsSentButNotCounted() {
    ClosedLoops loops = new ClosedLoops(2, () -> now, 1000);
    assertThat(transfer(loops, 0, 99)).isTrue();
    assertThat(transfer(loops, 0, 401)).isTrue();
    assertThat(transfer(loops, 1, 200)).isTrue();
    assertThat(transfer(loops, 1, 300)).isTrue();
    assertThat(transfer(loops, 1, 110)).isFalse();
    assertThat(transfer(loops, 0, 5000)).isFalse();
    Burst burst = loops.burst(new Expense(77, 78));
    assertThat(burst.sent()).isEqualTo(6);
    assertThat(burst.arrays()).isEqualTo(4);
    assertThat(burst.served()).containsExactly(1L, 3L);
    assertThat(burst.nanos()).isEqualTo(1010);
    assertThat(burst.expense()).isEqualTo(new Expense(77, 78));
    assertThat(burst.times().getTotalCount()).isEqualTo(4);
    assertThat(burst.times().getMaxValue()).isEqualTo(401);
    assertThat(burst.nanosPerArray()).isEqualTo(252.5);
  }

  @Test
  void itGoesOnUntilThereIsAnArrayForEachLoop() {
    ClosedLoops loops = new ClosedLoops(3, () -> now, 0);
    assertThat(transfer(loops, 0, 10)).isTrue();
    assertThat(transfer(loops, 1, 10)).isTrue();
    assertThat(transfer(loops, 0, 10)).isFalse();
    assertThat(transfer(loops, 2, 10)).isFalse();
    assertThat(loops.burst(Expense.NONE).served()).containsExactly(2L, 1L, 0L);
    assertThat(loops.burst(Expense.NONE).sent()).isEqualTo(4);
  }
}
