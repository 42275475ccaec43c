package io.arraywire.nio;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.spi.HeapMemoryPool;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What may ride along with other work of a loop, and is done by itself where there is none. */
class LateWorkTest {
  static Stream<WaitStrategy> strategies() {
    return Stream.of(
        WaitStrategy.sleeping(),
        WaitStrategy.adaptive(Duration.ofMillis(1)),
        WaitStrategy.adaptive(Duration.ofSeconds(60)),
        WaitStrategy.busy(),
        (loop, expecting) -> {});
  }

  private static final class Late extends LoopWork {
    final AtomicInteger times = new AtomicInteger();
    final CompletableFuture<Void> done = new CompletableFuture<>();

    @Override
    void work(int what) {}

    @Override
    void workLate() {
      times.incrementAndGet();
      done.complete(null);
    }
  }

  @ParameterizedTest
  @MethodSource("strategies")
  void itIsDoneThoughNothingElseComes(WaitStrategy strategy) throws Exception {
    EventLoop loop = new EventLoop("junit-loop", strategy, HeapMemoryPool.create());
    loop.start();
    try {
      Late first = new Late();
      Late second = new Late();
      loop.execute(() -> {
        loop.askLate(first);
        loop.askLate(second);
      });
      first.done.get(60, TimeUnit.SECONDS);
      second.done.get(60, TimeUnit.SECONDS);
      assertThat(first.times).hasValue(1);
      assertThat(second.times).hasValue(1);
    } finally {
      loop.stop();
      assertThat(loop.awaitEnd(TimeUnit.SECONDS.toNanos(60))).isTrue();
    }
  }

  @Test
  void itIsNotDoneAgainWhereItRodeAlong() {
    LoopTasks tasks = new LoopTasks(failure -> {});
    Late rode = new Late();
    Late waits = new Late();
    tasks.addLate(rode);
    tasks.addLate(waits);
    rode.wroteLate();
    tasks.doLate(System.nanoTime(), true);
    assertThat(rode.times).hasValue(0);
    assertThat(waits.times).hasValue(1);
    assertThat(tasks.hasLate()).isFalse();
    // As if it had never been listed.
    tasks.addLate(rode);
    tasks.doLate(System.nanoTime(), true);
    assertThat(rode.times).hasValue(1);
  }

  @Test
  void itWaitsForALookAndForOneMore() {
    LoopTasks tasks = new LoopTasks(failure -> {});
    Late late = new Late();
    tasks.addLate(late);
    long now = System.nanoTime();
    assertThat(tasks.isLateDue(now + TimeUnit.MILLISECONDS.toNanos(10))).isTrue();
    tasks.doLate(now, false);
    assertThat(late.times).hasValue(0);
    assertThat(tasks.isLateDue(now)).isFalse();
    tasks.doLate(now, false);
    assertThat(late.times).hasValue(1);
    assertThat(tasks.hasLate()).isFalse();
  }
}
