package io.arraywire.nio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.arraywire.spi.HeapMemoryPool;
import io.arraywire.spi.MemoryKind;
import io.arraywire.spi.MemoryPool;
import io.arraywire.spi.PooledMemory;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A loop keeps what it reads with while it waits for its peer, and not for longer. */
@Tag("alone")
class EventLoopMemoryTest {
  private static final int READS = 200;
  private static final long KEPT_NANOS = TimeUnit.MILLISECONDS.toNanos(80);

  private final Counting pool = new Counting();
  private final AtomicInteger sleeps = new AtomicInteger();
  private EventLoop loop;

  @BeforeEach
  void start() throws Exception {
    loop = new EventLoop("junit-loop", this::sleep, pool);
    loop.start();
  }

  @AfterEach
  void stop() throws InterruptedException {
    loop.stop();
    assertThat(loop.awaitEnd(TimeUnit.SECONDS.toNanos(60))).isTrue();
    assertThat(pool.acquiredBytes()).isZero();
  }

  @Test
  void memoryIsNotTakenAnewWithEveryRead() throws Exception {
    long start = System.nanoTime();
    for (int i = 0; i < READS; i++) {
      int before = sleeps.get();
      read();
      await()
          .pollInterval(Duration.ofMillis(1))
          .atMost(Duration.ofSeconds(60))
          .until(() -> sleeps.get() > before);
    }
    // Given back once for each time that it slept so long, which a slow machine may make it do.
    long most = 1 + (System.nanoTime() - start) / KEPT_NANOS;
    assertThat(pool.acquired.get()).isBetween(1, (int) most);
  }

  @Test
  void anIdleLoopHoldsNone() throws Exception {
    read();
    assertThat(pool.acquired).hasValue(1);
    await().atMost(Duration.ofSeconds(60)).until(() -> pool.acquiredBytes() == 0);
    read();
    assertThat(pool.acquired).hasValue(2);
  }

  private void sleep(WaitStrategy.Waitable waitable, boolean expecting) throws IOException {
    if (!waitable.poll()) {
      sleeps.incrementAndGet();
      waitable.sleep();
    }
  }

  private void read() throws Exception {
    CompletableFuture<Integer> room = new CompletableFuture<>();
    loop.execute(() -> room.complete(loop.memory().window(MemoryKind.HEAP).remaining()));
    assertThat(room.get(60, TimeUnit.SECONDS)).isEqualTo(EventLoop.WINDOW_BYTES);
  }

  private static final class Counting implements MemoryPool {
    final MemoryPool pool = HeapMemoryPool.create();
    final AtomicInteger acquired = new AtomicInteger();

    @Override
    public PooledMemory acquire(int bytes, MemoryKind kind) {
      acquired.incrementAndGet();
      return pool.acquire(bytes, kind);
    }

    @Override
    public long acquiredBytes() {
      return pool.acquiredBytes();
    }

    @Override
    public void close() {
      pool.close();
    }
  }
}
