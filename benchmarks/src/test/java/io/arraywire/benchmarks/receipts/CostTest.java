package io.arraywire.benchmarks.receipts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.arraywire.Receipt;
import io.arraywire.benchmarks.HeapAllocations;
import org.junit.jupiter.api.Test;

class CostTest {
  private static Receipt receipt(long copied, long operations) {
    return new Receipt(100, 440, copied, operations, 0);
  }

  @Test
  void receiptsAreAddedUpAndSharedOut() {
    Tally tally = new Tally();
    tally.add(receipt(400, 1));
    tally.add(receipt(0, 2));
    assertThat(Cost.parse(tally.words(50), 100, 2)).isEqualTo(new Cost(0.5, 1.5, 25));
    tally.clear();
    assertThat(tally.arrays()).isZero();
  }

  @Test
  void oneThatIsUnknownMakesAllUnknown() {
    Tally tally = new Tally();
    tally.add(receipt(400, 1));
    tally.add(receipt(Receipt.UNKNOWN, 1));
    Cost cost = Cost.parse(tally.words(0), 100, 2);
    assertThat(cost).isEqualTo(new Cost(Cost.UNKNOWN, 1, 0));
    assertThat(cost.least(new Cost(1, 1, 1)).copies()).isNaN();
    assertThat(cost.most(new Cost(1, 1, 1)).copies()).isNaN();
  }

  @Test
  void aMissingReceiptIsNoticed() {
    assertThatIllegalStateException()
        .isThrownBy(() -> Cost.parse(new Tally().words(0), 100, 2))
        .withMessageContaining("receipts=0");
  }

  @Test
  void allocationsOfOtherThreadsCount() throws Exception {
    long before = HeapAllocations.bytes();
    byte[][] kept = new byte[1][];
    Thread thread =
        new Thread(() -> {
          kept[0] = new byte[64 << 20];
          // Alive while it is counted: before JDK 21 what a thread that has ended made is lost.
          try {
            Thread.sleep(Long.MAX_VALUE);
          } catch (InterruptedException e) {
            // Counted.
          }
        });
    thread.start();
    while (thread.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
    // Before JDK 21 what threads made that have ended meanwhile is taken off.
    assertThat(HeapAllocations.bytes() - before).isGreaterThan(32 << 20);
    assertThat(kept[0]).isNotNull();
    thread.interrupt();
    thread.join();
  }
}
