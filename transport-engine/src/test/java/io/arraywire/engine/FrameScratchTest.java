package io.arraywire.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FrameScratchTest {
  /** However much a peer says that it will send. */
  @Test
  void whatIsGatheredTakesMemoryAsItComes() {
    Random random = new Random(3);
    for (int wanted : new int[] {1, 64, 1023, 1024, 1025, 4096, 65_528}) {
      byte[] all = new byte[wanted];
      random.nextBytes(all);
      ByteBuffer small =
          ByteBuffer.allocate(Math.min(wanted, FrameScratch.FIRST_BYTES))
              .limit(Math.min(wanted, FrameScratch.FIRST_BYTES));
      for (int come = 0; come < wanted; ) {
        int portion = Math.min(1 + random.nextInt(700), wanted - come);
        ByteBuffer from = ByteBuffer.wrap(all, come, portion);
        small = FrameScratch.gather(from, small, wanted);
        come += portion;
        assertThat(from.hasRemaining()).isFalse();
        assertThat(small.position()).isEqualTo(come);
        assertThat(small.capacity())
            .isLessThanOrEqualTo(Math.max(FrameScratch.FIRST_BYTES, 2 * come));
      }
      assertThat(small.hasRemaining()).isFalse();
      assertThat(small.array()).isEqualTo(all);
    }
  }

  @Test
  void whatFollowsIsLeftAlone() {
    ByteBuffer from = ByteBuffer.wrap(new byte[100]);
    ByteBuffer small = FrameScratch.gather(from, ByteBuffer.allocate(64), 64);
    assertThat(small.hasRemaining()).isFalse();
    assertThat(from.remaining()).isEqualTo(36);
  }
}
