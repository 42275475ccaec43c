package io.arraywire.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What connections take of the budget of all of them. */
class BudgetShareTest {
  private static final long QUEUE = 16 << 20;
  private static final long ARRAY = 260;

  private final long heap = Runtime.getRuntime().maxMemory() / 4;
  private final MemoryBudget budget = new MemoryBudget(0);

  @Test
  void theDefaultIsAQuarterOfTheHeapAndReservesNothing() throws Exception {
    assertThat(budget.isDefault()).isTrue();
    assertThat(budget.left()).isEqualTo(heap);
    for (int connection = 0; connection < 100_000; connection++) {
      budget.reserve(16 << 20);
    }
    assertThat(budget.left()).isEqualTo(heap);
  }

  /** So small arrays that come and go need no lock that others take. */
  @Test
  void whatComesAndGoesLeavesTheBudgetAlone() {
    BudgetShare share = new BudgetShare(budget);
    assertThat(share.take(ARRAY)).isTrue();
    long left = budget.left();
    for (int i = 0; i < 1000; i++) {
      assertThat(share.take(ARRAY)).isTrue();
      share.giveBack(ARRAY);
      assertThat(budget.left()).isEqualTo(left);
    }
    share.giveBack(ARRAY);
    assertThat(share.isEmpty()).isTrue();
    assertThat(budget.left()).isEqualTo(left);
    share.trim();
    assertThat(budget.left()).isEqualTo(heap);
  }

  @Test
  void whatEveryoneHoldsIsNeverMoreThanWhatIsTaken() {
    SplittableRandom random = new SplittableRandom(20);
    BudgetShare share = new BudgetShare(budget);
    List<Long> held = new ArrayList<>();
    long sum = 0;
    for (int i = 0; i < 100_000; i++) {
      if (held.isEmpty() || random.nextBoolean()) {
        long bytes = 1 + random.nextInt(1 << random.nextInt(16));
        if (share.take(bytes)) {
          held.add(bytes);
          sum += bytes;
        }
      } else {
        long bytes = held.remove(random.nextInt(held.size()));
        share.giveBack(bytes);
        sum -= bytes;
      }
      assertThat(heap - budget.left()).isBetween(sum, sum + 2 * Math.max(4096, sum / 8));
    }
    share.end();
    assertThat(budget.left()).isEqualTo(heap);
  }

  /** One that the user has set is counted to the byte. */
  @Test
  void aBudgetThatWasSetIsExact() {
    MemoryBudget set = new MemoryBudget(1000);
    BudgetShare share = new BudgetShare(set);
    assertThat(share.take(600)).isTrue();
    assertThat(set.left()).isEqualTo(400);
    assertThat(share.take(401)).isFalse();
    assertThat(share.take(400)).isTrue();
    assertThat(set.left()).isZero();
    share.giveBack(999);
    assertThat(set.left()).isEqualTo(999);
    share.end();
    assertThat(set.left()).isEqualTo(1000);
  }

  /** What comes is let come while there is room for others, and a little in any case. */
  @Test
  void inboxesAreTooLargeOnlyWhereAllTogetherAre() {
    MemoryBudget inboxes = MemoryBudget.ofInboxes(0);
    assertThat(inboxes.left()).isEqualTo(Runtime.getRuntime().maxMemory() / 2);
    BudgetShare first = new BudgetShare(inboxes);
    first.changes(QUEUE);
    assertThat(first.isTooLarge()).isFalse();
    BudgetShare others = new BudgetShare(inboxes);
    others.changes(inboxes.left() - QUEUE / 8);
    assertThat(first.isTooLarge()).isTrue();
    BudgetShare small = new BudgetShare(inboxes);
    small.changes(60_000);
    assertThat(small.isTooLarge()).isFalse();
    others.end();
    assertThat(first.isTooLarge()).isFalse();
    // What is taken afterwards is no longer counted.
    others.changes(-1000);
    first.changes(-QUEUE);
    first.trim();
    small.end();
    assertThat(inboxes.left()).isEqualTo(Runtime.getRuntime().maxMemory() / 2);
    assertThat(MemoryBudget.ofInboxes(1 << 30).isDefault()).isFalse();
  }

  /** However many connections take nothing, another one has as much room as each of them. */
  @Test
  void subscribersThatTakeNothingLeaveRoomForOthers() {
    for (int connections : new int[] {1, 20, 1000}) {
      MemoryBudget all = new MemoryBudget(0);
      List<BudgetShare> shares = new ArrayList<>();
      for (int i = 0; i < connections; i++) {
        shares.add(new BudgetShare(all));
      }
      boolean any = true;
      while (any) {
        any = false;
        for (BudgetShare share : shares) {
          // As many as there would be at 4 bytes, in fewer steps.
          if (share.hasRoomFor(100 * ARRAY, QUEUE) && share.take(100L * Bookkeeping.ARRAY_BYTES)) {
            share.publishes(100 * ARRAY);
            any = true;
          }
        }
      }
      long each = heap / (2L * connections + 2);
      assertThat(all.left()).as(connections + " connections").isGreaterThan(each);
      BudgetShare another = new BudgetShare(all);
      assertThat(another.hasRoomFor(Math.min(each, QUEUE), QUEUE)).isTrue();
      assertThat(another.take(each)).isTrue();
    }
  }
}
