package io.arraywire.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The default budget for arrays that handlers have, which is a part of this JVM's heap. */
class ArrivalBudgetTest {
  private static final long HEAP = Runtime.getRuntime().maxMemory();
  private static final long HALF = HEAP / 2;

  private final MemoryBudget inboxes = MemoryBudget.ofInboxes(0);
  private final ArrivalBudget budget =
      Objects.requireNonNull(ArrivalBudget.of(0, inboxes, new MemoryBudget(0)));
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

  /** It may take all of the budget by the common rule, while there is nobody else. */
  @Test
  void oneThatHoldsAllOfTheBudgetLeavesALittle() {
    assertThat(budget.take(first, HALF)).isTrue();
    assertThat(budget.take(second, HEAP / 32)).isTrue();
    assertThat(budget.take(third, HEAP / 64)).isTrue();
    assertThat(budget.take(third, HEAP / 16)).isFalse();
    budget.giveBack(first, HALF);
    assertThat(budget.take(third, HEAP / 8)).isTrue();
  }

  @Test
  void aBudgetThatTheUserHasSetForAllThatIsHeldLeavesLessForOne() {
    MemoryBudget set = new MemoryBudget(HEAP / 2);
    ArrivalBudget beside =
        Objects.requireNonNull(ArrivalBudget.of(0, MemoryBudget.ofInboxes(HEAP / 2), set));
    ArrivalShare alone = new ArrivalShare(beside);
    assertThat(beside.take(alone, HEAP / 4 * 3)).isTrue();
    assertThat(beside.take(alone, HEAP / 4)).isFalse();
    beside.giveBack(alone, HEAP / 4 * 3);
    assertThat(set.take(HEAP / 4)).isTrue();
    assertThat(beside.take(alone, HEAP / 4 * 3)).isFalse();
    assertThat(beside.take(alone, HEAP / 16 * 9)).isTrue();
    assertThat(beside.take(alone, HEAP / 8)).isFalse();
  }

  @Test
  void aRefusalSaysWhatTheConnectionHolds() {
    assertThat(budget.take(first, HEAP / 16)).isTrue();
    assertThat(budget.take(second, HEAP / 32)).isTrue();
    assertThat(budget.refusal(first, HEAP, HEAP))
        .hasMessageContaining("takenByConnection=" + HEAP / 16)
        .hasMessageContaining("taken=" + (HEAP / 16 + HEAP / 32))
        .message()
        .hasSizeLessThan(300);
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
    int region = 1 << 20;
    assertThat(ArrivalBudget.heapBytes(1000, region)).isEqualTo(1000);
    assertThat(ArrivalBudget.heapBytes(region / 2 - 8, region)).isEqualTo(region);
    assertThat(ArrivalBudget.heapBytes(region - 24, region)).isEqualTo(region);
    assertThat(ArrivalBudget.heapBytes(region, region))
        .as("with its header")
        .isEqualTo(2L * region);
  }

  @Test
  void regionsAreAsLargeAsThoseOfG1() {
    assertThat(ArrivalBudget.region(96L << 20)).isEqualTo(1 << 20);
    assertThat(ArrivalBudget.region(2L << 30)).isEqualTo(1 << 20);
    assertThat(ArrivalBudget.region(3L << 30)).isEqualTo(2 << 20);
    assertThat(ArrivalBudget.region(4L << 30)).isEqualTo(2 << 20);
    assertThat(ArrivalBudget.region(96L << 30)).isEqualTo(32 << 20);
  }
}
