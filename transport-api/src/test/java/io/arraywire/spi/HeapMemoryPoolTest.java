package io.arraywire.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeapMemoryPoolTest {
  private static final int LARGEST_KEPT = 1 << 20;

  private final HeapMemoryPool pool = HeapMemoryPool.create();

  @ParameterizedTest
  @ValueSource(ints = {1, 63, 64, 65, 4095, 4096, 4097, LARGEST_KEPT, LARGEST_KEPT + 1})
  void lendsExactlyWhatWasAskedFor(int bytes) {
    for (MemoryKind kind : MemoryKind.values()) {
      PooledMemory memory = pool.acquire(bytes, kind);

      assertThat(memory.buffer().capacity()).isEqualTo(bytes);
      assertThat(memory.buffer().position()).isZero();
      assertThat(memory.buffer().limit()).isEqualTo(bytes);
      assertThat(memory.buffer().hasArray()).isTrue();
      assertThat(memory.buffer()).isSameAs(memory.buffer());
      assertThat(pool.acquiredBytes()).isEqualTo(bytes);

      memory.release();
      assertThat(pool.acquiredBytes()).isZero();
    }
    pool.close();
  }

  @Test
  void lendsReleasedMemoryAgainWhateverWasDoneToItsBuffer() {
    PooledMemory first = pool.acquire(1000, MemoryKind.HEAP);
    byte[] array = first.buffer().array();
    first.buffer().position(7).limit(9);
    first.release();

    PooledMemory second = pool.acquire(900, MemoryKind.HEAP);

    assertThat(second.buffer().array()).isSameAs(array);
    assertThat(second.buffer().remaining()).isEqualTo(900);
    second.release();
  }

  @Test
  void neverLendsMemoryThatIsOut() {
    Set<byte[]> arrays = new HashSet<>();
    List<PooledMemory> out = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      PooledMemory memory = pool.acquire(64, MemoryKind.HEAP);
      out.add(memory);
      arrays.add(memory.buffer().array());
    }
    assertThat(arrays).hasSize(100);
    assertThat(pool.acquiredBytes()).isEqualTo(6400);
    out.forEach(PooledMemory::release);
    pool.close();
  }

  @Test
  void keepsNoMoreThanABoundedNumberOfArrays() {
    assertThat(arraysLentAgain(100, 64)).isEqualTo(16);
    assertThat(arraysLentAgain(10, 4096)).isEqualTo(10);
  }

  @Test
  void keepsNoLargeArray() {
    assertThat(arraysLentAgain(1, LARGEST_KEPT)).isEqualTo(1);
    assertThat(arraysLentAgain(1, LARGEST_KEPT + 1)).isZero();
  }

  @Test
  void leavesALargeArrayToTheGarbageCollector() {
    WeakReference<byte[]> large = new WeakReference<>(acquireAndReleaseOne(LARGEST_KEPT + 1));
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> {
          System.gc();
          return large.refersTo(null);
        });
  }

  private byte[] acquireAndReleaseOne(int bytes) {
    PooledMemory memory = pool.acquire(bytes, MemoryKind.HEAP);
    byte[] array = memory.buffer().array();
    memory.release();
    return array;
  }

  @Test
  void refusesASecondReleaseAndLendsTheMemoryOnlyOnce() {
    PooledMemory memory = pool.acquire(100, MemoryKind.HEAP);
    memory.release();

    assertThatThrownBy(memory::release)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("released twice");
    assertThat(pool.acquiredBytes()).isZero();
    PooledMemory one = pool.acquire(100, MemoryKind.HEAP);
    PooledMemory other = pool.acquire(100, MemoryKind.HEAP);
    assertThat(one.buffer().array()).isNotSameAs(other.buffer().array());
  }

  @Test
  void refusesUseAfterRelease() {
    PooledMemory memory = pool.acquire(100, MemoryKind.HEAP);
    memory.release();

    assertThatThrownBy(memory::buffer)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("after its release");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
  void refusesToLendNothing(int bytes) {
    assertThatThrownBy(() -> pool.acquire(bytes, MemoryKind.HEAP))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("(bytes=" + bytes + ")");
    assertThat(pool.acquiredBytes()).isZero();
  }

  @Test
  void countsNothingThatCouldNotBeHad() {
    // No JVM has arrays of this length.
    assertThatThrownBy(() -> pool.acquire(Integer.MAX_VALUE, MemoryKind.HEAP))
        .isInstanceOf(OutOfMemoryError.class);
    assertThat(pool.acquiredBytes()).isZero();
    pool.close();
  }

  @Test
  void saysHowMuchIsOutWhenItIsClosed() {
    pool.acquire(100, MemoryKind.HEAP);
    pool.acquire(11, MemoryKind.HEAP);

    assertThatThrownBy(pool::close)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("acquiredBytes=111");
  }

  @Test
  void servesManyThreads() throws Exception {
    ExecutorService executor = Executors.newFixedThreadPool(4);
    try {
      List<Future<?>> results = new ArrayList<>();
      for (int t = 0; t < 4; t++) {
        byte mark = (byte) t;
        results.add(executor.submit(() -> acquireMarkAndRelease(mark)));
      }
      for (Future<?> result : results) {
        result.get();
      }
    } finally {
      executor.shutdownNow();
    }
    assertThat(pool.acquiredBytes()).isZero();
    pool.close();
  }

  /** Fails if another thread writes to the same memory. */
  private void acquireMarkAndRelease(byte mark) {
    for (int i = 0; i < 50_000; i++) {
      PooledMemory memory = pool.acquire(64, MemoryKind.HEAP);
      ByteBuffer buffer = memory.buffer();
      buffer.put(0, mark).put(63, mark);
      if (i % 100 == 0) {
        Thread.yield();
      }
      if (buffer.get(0) != mark || buffer.get(63) != mark) {
        throw new AssertionError("two threads have the same memory");
      }
      memory.release();
    }
  }

  private int arraysLentAgain(int pieces, int bytes) {
    Set<byte[]> released = acquireAndRelease(pieces, bytes);
    Set<byte[]> again = acquireAndRelease(pieces, bytes);
    again.retainAll(released);
    return again.size();
  }

  /** The arrays, which are equal only to themselves. */
  private Set<byte[]> acquireAndRelease(int pieces, int bytes) {
    List<PooledMemory> out = new ArrayList<>();
    Set<byte[]> arrays = new HashSet<>();
    for (int i = 0; i < pieces; i++) {
      PooledMemory memory = pool.acquire(bytes, MemoryKind.HEAP);
      out.add(memory);
      arrays.add(memory.buffer().array());
    }
    out.forEach(PooledMemory::release);
    return arrays;
  }
}
