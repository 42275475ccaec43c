package io.arraywire.nio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.spi.MemoryKind;
import io.arraywire.spi.PooledMemory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class NettyMemoryPoolTest {
  private static final int SMALL = NettyMemoryPool.MOST_KEPT_BYTES;

  private final NettyMemoryPool pool = new NettyMemoryPool();

  @ParameterizedTest
  @EnumSource(MemoryKind.class)
  void aSmallPieceComesBackAsIfItWereNew(MemoryKind kind) {
    PooledMemory first = pool.acquire(SMALL, kind);
    ByteBuffer buffer = first.buffer();
    buffer.order(ByteOrder.LITTLE_ENDIAN).position(7).limit(9);
    first.release();
    PooledMemory second = pool.acquire(SMALL, kind);
    assertThat(second.buffer()).isSameAs(buffer);
    assertThat(buffer.order()).isEqualTo(ByteOrder.BIG_ENDIAN);
    assertThat(buffer.position()).isZero();
    assertThat(buffer.remaining()).isEqualTo(SMALL);
    assertThat(buffer.isDirect()).isEqualTo(kind == MemoryKind.DIRECT);
    assertThat(pool.acquiredBytes()).isEqualTo(SMALL);
    second.release();
    pool.close();
  }

  @Test
  void whoHadAPieceBeforeCannotReleaseItOrUseIt() {
    PooledMemory first = pool.acquire(SMALL, MemoryKind.DIRECT);
    first.release();
    PooledMemory second = pool.acquire(SMALL, MemoryKind.DIRECT);
    assertThatThrownBy(first::release)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("memory released twice");
    assertThatThrownBy(first::buffer)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("memory used after its release");
    assertThat(pool.acquiredBytes()).isEqualTo(SMALL);
    second.release();
    pool.close();
  }

  @Test
  void aPieceOfAnotherSizeOrKindIsAnotherPiece() {
    PooledMemory direct = pool.acquire(SMALL, MemoryKind.DIRECT);
    ByteBuffer buffer = direct.buffer();
    direct.release();
    PooledMemory heap = pool.acquire(SMALL, MemoryKind.HEAP);
    PooledMemory smaller = pool.acquire(SMALL - 1, MemoryKind.DIRECT);
    assertThat(heap.buffer()).isNotSameAs(buffer);
    assertThat(heap.buffer().isDirect()).isFalse();
    assertThat(smaller.buffer()).isNotSameAs(buffer);
    assertThat(smaller.buffer().capacity()).isEqualTo(SMALL - 1);
    heap.release();
    smaller.release();
    pool.close();
  }

  /** However many there were, and of sizes that nobody wants again. */
  @Test
  void theSizesOfTodayTakeThePlaceOfThoseOfYesterday() {
    PooledMemory[] all = new PooledMemory[2 * NettyMemoryPool.MOST_KEPT];
    for (int i = 0; i < all.length; i++) {
      all[i] = pool.acquire(NettyMemoryPool.LEAST_KEPT_BYTES, MemoryKind.DIRECT);
    }
    for (PooledMemory memory : all) {
      memory.release();
    }
    PooledMemory first = pool.acquire(SMALL, MemoryKind.DIRECT);
    ByteBuffer buffer = first.buffer();
    first.release();
    PooledMemory second = pool.acquire(SMALL, MemoryKind.DIRECT);
    assertThat(second.buffer()).isSameAs(buffer);
    second.release();
    assertThat(pool.acquiredBytes()).isZero();
    pool.close();
  }

  @Test
  void aClosedPoolKeepsNothing() {
    PooledMemory late = pool.acquire(SMALL, MemoryKind.DIRECT);
    ByteBuffer buffer = late.buffer();
    assertThatThrownBy(pool::close)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("acquiredBytes=" + SMALL);
    late.release();
    PooledMemory another = pool.acquire(SMALL, MemoryKind.DIRECT);
    assertThat(another.buffer()).isNotSameAs(buffer);
    another.release();
    pool.close();
  }
}
