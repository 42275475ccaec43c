package io.arraywire.benchmarks.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ExpenseTest {
  private static final int BYTES = 10_000_000;

  private static byte[] garbage = {};

  @Test
  void whatAProcessAllocatesIsCountedInAllThreads() throws Exception {
    Expense before = Expense.now();
    garbage = new byte[BYTES];
    Thread other = new Thread(() -> garbage = new byte[BYTES + 1]);
    other.start();
    other.join();
    Expense since = Expense.since(before);
    // Before JDK 21 that of the thread is forgotten.
    int arrays = Runtime.version().feature() < 21 ? 1 : 2;
    assertThat(since.allocatedBytes()).isGreaterThanOrEqualTo((long) arrays * BYTES);
    assertThat(since.cpuNanos()).isNotNegative();
    assertThat(garbage).hasSize(BYTES + 1);
  }

  @Test
  void itSurvivesItsWayToTheParent() {
    Expense expense = new Expense(1, 2);
    assertThat(Expense.parse(expense.words())).isEqualTo(expense);
  }

  @Test
  void itIsAddedAndTakenAway() {
    assertThat(new Expense(5, 7).plus(new Expense(1, 2))).isEqualTo(new Expense(6, 9));
    assertThat(new Expense(5, 7).minus(new Expense(1, 9))).isEqualTo(new Expense(4, 0));
    assertThat(new Expense(40, 80).part(3, 4)).isEqualTo(new Expense(30, 60));
  }
}
