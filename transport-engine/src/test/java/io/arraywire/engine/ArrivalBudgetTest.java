package io.arraywire.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The default budget for arrays that handlers have, which is a part of this JVM's heap. */
class ArrivalBudgetTest {
  private static final long HEAP = Runtime.getRuntime().maxMemory();
  private static final long HALF = HEAP / 2;

  private final MemoryBudget inboxes = MemoryBudget.ofInboxes(0);
  private final ArrivalBudget budget = Objects.requireNonNull(ArrivalBudget.of(0, inboxes));
  private final ArrivalShare first = new ArrivalShare(budget);
  private final ArrivalShare second = new ArrivalShare(budget);
  private final ArrivalShare third = new ArrivalShare(budget);

  @Test
  void connectionsThatHoldMuchLeaveRoomForOthers() {
    long some = HALF / 12;
    assertThat(taken(first, some)).isEqualTo(10);
    budget.giveBack(first, 4 * some);
    assertThat(taken(second, some)).isEqualTo(3);
    assertThat(budget.take(third, some)).isTrue();
  }

  /** How many pieces a connection gets, up to ten. */
  private int taken(ArrivalShare share, long bytes) {
    int pieces = 0;
    while (pieces < 10 && budget.take(share, bytes)) {
      pieces++;
    }
    return pieces;
  }

  @Test
  void oneAloneMayHoldMostOfTheHeapAndLeavesALittle() {
    assertThat(budget.take(first, HEAP / 2)).isTrue();
    assertThat(budget.take(first, HEAP / 4)).isTrue();
    assertThat(budget.take(first, HEAP / 4)).isFalse();
    assertThat(budget.take(second, HEAP / 8)).isFalse();
    assertThat(budget.take(second, HEAP / 64)).isTrue();
    budget.giveBack(first, HEAP / 4 * 3);
    assertThat(budget.take(second, HEAP / 8)).isTrue();
  }

  @Test
  void inboxesGiveWayAndHaveAnEighthInAnyCase() {
    long all = inboxes.left();
    assertThat(budget.take(first, HEAP / 16)).isTrue();
    assertThat(inboxes.left()).isEqualTo(all);
    assertThat(budget.take(first, HEAP / 16 * 11)).isTrue();
    assertThat(inboxes.left()).isBetween(HEAP / 8 - 8, HEAP / 8 + 8);
    budget.giveBack(first, HEAP / 4 * 3);
    assertThat(inboxes.left()).isEqualTo(all);
  }

  @Test
  void whatInboxesHoldIsNotThereForOneAlone() {
    inboxes.takeAnyway(HEAP / 4);
    assertThat(budget.take(first, HEAP / 16 * 11)).isFalse();
    inboxes.giveBack(HEAP / 4);
    assertThat(budget.take(first, HEAP / 16 * 11)).isTrue();
  }

  @Test
  void wholeRegionsCountFromHalfOfOneOn() {
    assertThat(ArrivalBudget.heapBytes(1000)).isEqualTo(1000);
    assertThat(ArrivalBudget.heapBytes(100L << 20)).isGreaterThanOrEqualTo(100L << 20);
    assertThat(ArrivalBudget.heapBytes((64L << 20) + 1)).isGreaterThan((64L << 20) + 1);
  }
}
