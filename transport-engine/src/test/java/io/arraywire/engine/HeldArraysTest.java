package io.arraywire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.ErrorCode;
import io.arraywire.NoRoomException;
import io.arraywire.memory.MemoryAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is kept for peers that nobody knows, of callers that do not wait. */
class HeldArraysTest {
  private static final long ARRAY = 64 << 10;

  private final MemoryBudget budget = new MemoryBudget(0);

  @Test
  void oneArrayIsHeldInAnyCaseAndAllOfItIsGivenBack() throws Exception {
    long before = budget.left();
    HeldArrays held = new HeldArrays(budget);
    held.take(2 * before, 0);
    assertThat(held.isEmpty()).isFalse();
    assertThat(budget.leftByDefault()).isZero();
    assertThatThrownBy(() -> held.take(ARRAY, 7))
        .isInstanceOf(NoRoomException.class)
        .matches(ErrorCode.SEND_QUEUE_FULL::isOf)
        .hasMessageContainingAll("bytes=65536", "heldForPeer=", "leftOfMemoryBudget=", "channel=7")
        .message()
        .hasSizeLessThanOrEqualTo(300);
    // Others stand still for nobody.
    HeldArrays other = new HeldArrays(budget);
    other.take(ARRAY, 0);
    other.giveBack(ARRAY);
    held.giveBack(2 * before);
    assertThat(held.isEmpty()).isTrue();
    assertThat(budget.left()).isEqualTo(before);
  }

  @Test
  void peersThatTakeNothingFillNoMoreThanTheBudgetAndStopNobody() throws Exception {
    List<HeldArrays> hostile = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      HeldArrays held = new HeldArrays(budget);
      hostile.add(held);
      fill(held);
    }
    // What each may hold in any case.
    assertThat(budget.left()).isGreaterThan(-20 * 2 * ARRAY);
    HeldArrays friend = new HeldArrays(budget);
    for (int i = 0; i < 30; i++) {
      friend.take(1000, 0);
    }
    assertThat(hostile).noneMatch(HeldArrays::isEmpty);
  }

  private static void fill(HeldArrays held) {
    try {
      while (true) {
        held.take(ARRAY, 0);
      }
    } catch (NoRoomException full) {
      // As is meant.
    }
  }

  @Test
  void aWaitForTheBudgetEndsWhenAnArrayIsGivenBack() throws Exception {
    long all = budget.left();
    WakingLink link = new WakingLink();
    HeldArrays held = new HeldArrays(budget);
    held.take(all, 0);
    assertThat(budget.takeOrAwait(ARRAY, link)).isFalse();
    held.giveBack(all);
    assertThat(link.woken).isEqualTo(1);
    assertThat(budget.takeOrAwait(ARRAY, link)).isTrue();
  }

  private static final class WakingLink implements Link {
    int woken;

    @Override
    public void wakeWriter() {
      woken++;
    }

    @Override
    public void resumeReading() {}

    @Override
    public void close() {}

    @Override
    public SocketAddress localAddress() {
      return MemoryAddress.of("here");
    }

    @Override
    public SocketAddress remoteAddress() {
      return MemoryAddress.of("there");
    }
  }
}
