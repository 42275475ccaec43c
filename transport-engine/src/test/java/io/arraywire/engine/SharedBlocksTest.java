package io.arraywire.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Each block is made once, and memory is bounded. */
class SharedBlocksTest {
  private static final int BLOCK = 16 << 10;

  private final MemoryBudget budget = new MemoryBudget(0);
  private final SharedBlocks blocks = new SharedBlocks(budget, () -> true);
  private final AtomicInteger made = new AtomicInteger();

  /** A block whose bytes say where it begins; or one that does not get smaller. */
  private SharedBlocks.Maker maker(long first, int bytes) {
    return target -> {
      made.incrementAndGet();
      for (int i = 0; i < bytes; i++) {
        target.put((byte) first);
      }
      return bytes > 0;
    };
  }

  private byte[] block(SharedBlocks from, long first, int bytes) {
    ByteBuffer target = ByteBuffer.allocateDirect(BLOCK + 3).position(3);
    boolean smaller = from.encode(first, BLOCK / 2, target, maker(first, bytes));
    assertThat(smaller).isEqualTo(target.position() > 3);
    byte[] all = new byte[target.position() - 3];
    target.get(3, all);
    return all;
  }

  private static byte[] expected(long first, int bytes) {
    byte[] all = new byte[bytes];
    Arrays.fill(all, (byte) first);
    return all;
  }

  @Test
  void isMadeOnceForAll() {
    for (int subscriber = 0; subscriber < 3; subscriber++) {
      for (int first = 0; first < 100; first++) {
        int bytes = first % 3 == 0 ? 0 : 100;
        assertThat(block(blocks, first, bytes)).isEqualTo(expected(first, bytes));
      }
    }
    assertThat(made).hasValue(100);
    blocks.release();
    assertThat(budget.left()).isEqualTo(budget.limit());
  }

  /** Credit ended at another element: that is another block. */
  @Test
  void asManyElementsBelongToIt() {
    assertThat(block(blocks, 7, 10)).isEqualTo(expected(7, 10));
    ByteBuffer target = ByteBuffer.allocate(100);
    assertThat(blocks.encode(7, 3, target, maker(5, 20))).isTrue();
    assertThat(target.position()).isEqualTo(20);
    assertThat(made).hasValue(2);
  }

  @Test
  void aBlockThatAnotherThreadMakesIsWaitedFor() throws Exception {
    CountDownLatch making = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    CompletableFuture<Boolean> first =
        CompletableFuture.supplyAsync(() ->
            blocks.encode(
                0,
                BLOCK / 2,
                ByteBuffer.allocate(BLOCK),
                target -> {
                  making.countDown();
                  try {
                    assertThat(goOn.await(60, TimeUnit.SECONDS)).isTrue();
                  } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                  }
                  return maker(0, 50).encode(target);
                }));
    assertThat(making.await(60, TimeUnit.SECONDS)).isTrue();
    AtomicInteger second = new AtomicInteger();
    Thread other = new Thread(() -> second.set(block(blocks, 0, 50).length));
    other.start();
    while (other.getState() != Thread.State.BLOCKED && other.isAlive()) {
      Thread.onSpinWait();
    }
    assertThat(other.isAlive()).as("waits").isTrue();
    goOn.countDown();
    other.join();
    assertThat(first.get(60, TimeUnit.SECONDS)).isTrue();
    assertThat(second).hasValue(50);
    assertThat(made).hasValue(1);
  }

  @Test
  void memoryIsBoundedAndThoseWhoLagMakeTheirOwn() {
    int all = 2 * SharedBlocks.MOST_BYTES / BLOCK;
    for (int first = 0; first < all; first++) {
      assertThat(block(blocks, first, BLOCK)).hasSize(BLOCK);
      assertThat(budget.limit() - budget.left()).isLessThanOrEqualTo(SharedBlocks.MOST_BYTES);
    }
    assertThat(budget.limit() - budget.left()).isGreaterThan(SharedBlocks.MOST_BYTES - 2 * BLOCK);
    made.set(0);
    assertThat(block(blocks, all - 1, BLOCK)).hasSize(BLOCK);
    assertThat(made).as("the furthest are there").hasValue(0);
    long before = budget.left();
    assertThat(block(blocks, 0, BLOCK)).isEqualTo(expected(0, BLOCK));
    assertThat(block(blocks, 0, BLOCK)).isEqualTo(expected(0, BLOCK));
    assertThat(made).as("the first are not, and are not kept again").hasValue(2);
    assertThat(budget.left()).isEqualTo(before);
    blocks.release();
    assertThat(budget.left()).isEqualTo(budget.limit());
  }

  @Test
  void halfOfTheBudgetIsLeftToWhatIsNeeded() {
    budget.takeAnyway(budget.limit() / 2 - 500);
    long before = budget.left();
    for (int i = 0; i < 2; i++) {
      assertThat(block(blocks, 3, 900)).isEqualTo(expected(3, 900));
    }
    assertThat(made).as("each makes its own").hasValue(2);
    assertThat(budget.left()).isEqualTo(before);
    assertThat(block(blocks, 4, 300)).hasSize(300);
    assertThat(block(blocks, 4, 300)).hasSize(300);
    assertThat(made).as("a small one has room").hasValue(3);
  }

  /**
   * A block that no other transfer needs is not kept. The last transfer can still use kept ones.
   */
  @Test
  void oneTransferKeepsNothing() {
    SharedBlocks of = new SharedBlocks(budget, () -> false);
    of.joined();
    assertThat(of.isOfUse()).isFalse();
    of.joined();
    assertThat(of.isOfUse()).isTrue();
    assertThat(block(of, 0, 100)).hasSize(100);
    of.left();
    assertThat(of.isOfUse()).isTrue();
    assertThat(block(of, 0, 100)).hasSize(100);
    assertThat(made).hasValue(1);
    long before = budget.left();
    assertThat(block(of, 1, 100)).hasSize(100);
    assertThat(block(of, 1, 100)).hasSize(100);
    assertThat(made).hasValue(3);
    assertThat(budget.left()).isEqualTo(before);
  }
}
