package io.arraywire.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.codec.StandardCodecs;
import io.arraywire.spi.Codec;
import io.arraywire.spi.HeapMemoryPool;
import io.arraywire.testkit.RunsCodec;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

/** Blocks of a published array are kept only where a second transfer can use them. */
class SharedMemoryTest {
  private static final Codec RUNS = RunsCodec.CODEC;

  private static SharedMemory published(MemoryBudget budget, boolean toSeveral)
      throws ArraywireException {
    return SharedMemory.encode(
        RUNS, ArraySlice.of(new int[1000]), HeapMemoryPool.create(), budget, toSeveral);
  }

  @Test
  void aSingleSubscriberSharesWithNobody() throws Exception {
    MemoryBudget budget = new MemoryBudget(0);
    // Its maker still holds it, as a publisher does that waits for room.
    SharedMemory memory = published(budget, false);
    SharedMemory.Share only = memory.share(RUNS);
    assertThat(only.blocks()).isNull();
    SharedMemory.Share second = memory.share(RUNS);
    assertThat(only.blocks()).isNotNull().isSameAs(second.blocks());
    second.release();
    assertThat(only.blocks()).isNull();
    memory.release();
    only.release();
    assertThat(budget.left()).isEqualTo(budget.limit());
  }

  @Test
  void anotherCodecMakesOtherBlocks() throws Exception {
    SharedMemory memory = published(new MemoryBudget(0), false);
    SharedMemory.Share runs = memory.share(RUNS);
    SharedMemory.Share plain = memory.share(StandardCodecs.raw(ByteOrder.LITTLE_ENDIAN));
    assertThat(runs.blocks()).isNull();
    assertThat(plain.blocks()).isNull();
  }

  /** The first subscriber may be served before the second is offered the array. */
  @Test
  void asLongAsSubscribersAreOfferedItMoreMayCome() throws Exception {
    SharedMemory memory = published(new MemoryBudget(0), true);
    SharedMemory.Share first = memory.share(RUNS);
    assertThat(first.blocks()).isNotNull();
    memory.endOffering();
    assertThat(first.blocks()).isNull();
  }

  /** A budget of the user's is for what is promised: nothing of it goes to what is of use only. */
  @Test
  void aBudgetThatTheUserHasSetIsLeftAlone() throws Exception {
    for (long bytes : new long[] {64 << 20, Long.MAX_VALUE}) {
      MemoryBudget budget = new MemoryBudget(bytes);
      SharedMemory memory = published(budget, false);
      SharedMemory.Share first = memory.share(RUNS);
      SharedMemory.Share second = memory.share(RUNS);
      boolean limited = bytes < Long.MAX_VALUE;
      assertThat(first.blocks() == null).as("%s bytes", bytes).isEqualTo(limited);
      assertThat(second.blocks() == null).as("%s bytes", bytes).isEqualTo(limited);
    }
  }
}
