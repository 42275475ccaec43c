package io.arraywire.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class TrackingMemoryPoolTest {
  private final HeapMemoryPool pool = HeapMemoryPool.create();
  private final TrackingMemoryPool tracking = TrackingMemoryPool.around(pool);

  @Test
  void namesThePlaceThatALeakComesFrom() {
    tracking.acquire(50, MemoryKind.HEAP).release();
    forgetToRelease();

    assertThat(tracking.leaks())
        .startsWith("123 bytes acquired")
        .containsPattern(
            "acquired\\R    at .*TrackingMemoryPoolTest\\.forgetToRelease"
                + "\\(TrackingMemoryPoolTest\\.java:\\d+\\)")
        .doesNotContain("50 bytes");
    assertThatThrownBy(tracking::close)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("acquiredBytes=123")
        .hasMessageContaining("TrackingMemoryPoolTest.forgetToRelease");
  }

  private void forgetToRelease() {
    tracking.acquire(123, MemoryKind.HEAP);
  }

  @Test
  void namesEveryLeak() {
    tracking.acquire(1, MemoryKind.HEAP);
    tracking.acquire(2, MemoryKind.DIRECT);

    assertThat(tracking.leaks()).contains("1 bytes acquired", "2 bytes acquired");
    assertThat(tracking.acquiredBytes()).isEqualTo(3);
  }

  @Test
  void saysNothingWhereNothingLeaks() {
    PooledMemory memory = tracking.acquire(100, MemoryKind.HEAP);
    assertThat(tracking.acquiredBytes()).isEqualTo(100);
    assertThat(pool.acquiredBytes()).isEqualTo(100);
    memory.release();

    assertThat(tracking.leaks()).isEmpty();
    assertThat(tracking.acquiredBytes()).isZero();
    assertThat(pool.acquiredBytes()).isZero();
    tracking.close();
  }

  @Test
  void closesThePoolThatItTracks() {
    pool.acquire(7, MemoryKind.HEAP);

    assertThatThrownBy(tracking::close)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("acquiredBytes=7");
  }

  @Test
  void refusesASecondRelease() {
    PooledMemory memory = tracking.acquire(100, MemoryKind.HEAP);
    memory.release();

    assertThatThrownBy(memory::release).isInstanceOf(IllegalStateException.class);
    assertThat(tracking.acquiredBytes()).isZero();
    assertThat(pool.acquiredBytes()).isZero();
  }

  @Test
  void refusesUseAfterRelease() {
    PooledMemory memory = tracking.acquire(100, MemoryKind.HEAP);
    assertThat(memory.buffer()).isSameAs(memory.buffer());
    memory.release();

    assertThatThrownBy(memory::buffer).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void tracksNothingThatCouldNotBeHad() {
    assertThatThrownBy(() -> tracking.acquire(Integer.MAX_VALUE, MemoryKind.HEAP))
        .isInstanceOf(OutOfMemoryError.class);
    assertThatThrownBy(() -> tracking.acquire(0, MemoryKind.HEAP))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(tracking.leaks()).isEmpty();
    tracking.close();
  }
}
