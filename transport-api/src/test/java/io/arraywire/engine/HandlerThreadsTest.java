package io.arraywire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class HandlerThreadsTest {

  /** Whatever the peers ask for: here four times as many tasks as there may be threads. */
  @Test
  void hangingTasksHaveBoundedThreadsAndTheOthersRunWhenTheyEnd() throws InterruptedException {
    int most = HandlerThreads.most();
    ThreadPoolExecutor pool = HandlerThreads.bounded("junit-handler", most);
    try {
      assertBounded(pool, most);
      assertThat(pool.getLargestPoolSize()).isEqualTo(most);
    } finally {
      pool.shutdownNow();
    }
  }

  /** The ones that there are, where they are not virtual. */
  @Test
  void theDefaultsOfHandlersAndOfStagesAreBoundedEachForItself() throws InterruptedException {
    assumeThat(Runtime.version().feature()).as("virtual threads").isLessThan(21);

    assertThat(HandlerThreads.stages()).isNotSameAs(HandlerThreads.handlers());
    assertBounded(HandlerThreads.handlers(), HandlerThreads.most());
    assertBounded(HandlerThreads.stages(), HandlerThreads.most());
  }

  @Test
  void anIdleThreadIsTakenBeforeThereIsAnother() throws Exception {
    ThreadPoolExecutor pool = HandlerThreads.bounded("junit-handler", 9);
    try {
      Thread first = pool.submit(Thread::currentThread).get(30, TimeUnit.SECONDS);
      for (int i = 0; i < 20; i++) {
        awaitIdle(first);
        assertThat(pool.submit(Thread::currentThread).get(30, TimeUnit.SECONDS)).isSameAs(first);
      }
      awaitIdle(first);
      CountDownLatch release = new CountDownLatch(1);
      pool.execute(() -> awaitUninterrupted(release));
      assertThat(pool.submit(Thread::currentThread).get(30, TimeUnit.SECONDS)).isNotSameAs(first);
      release.countDown();
    } finally {
      pool.shutdownNow();
    }
  }

  /** It has come back to wait for a task: then it has nothing else to wait for. */
  private static void awaitIdle(Thread thread) throws InterruptedException {
    for (int i = 0; i < 30_000 && thread.getState() != Thread.State.TIMED_WAITING; i++) {
      Thread.sleep(1);
    }
    assertThat(thread.getState()).isEqualTo(Thread.State.TIMED_WAITING);
  }

  private static void awaitUninterrupted(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void threadsEndWhenIdleAndKeepNoJvmAlive() throws InterruptedException {
    ThreadPoolExecutor pool = HandlerThreads.bounded("junit-handler", 3);
    try {
      CountDownLatch daemons = new CountDownLatch(9);
      for (int i = 0; i < 9; i++) {
        pool.execute(() -> {
          if (Thread.currentThread().isDaemon()) {
            daemons.countDown();
          }
        });
      }
      assertThat(daemons.await(30, TimeUnit.SECONDS)).isTrue();
      assertThat(pool.getKeepAliveTime(TimeUnit.SECONDS)).isPositive();

      pool.setKeepAliveTime(1, TimeUnit.MILLISECONDS);

      for (int i = 0; i < 3000 && pool.getPoolSize() > 0; i++) {
        Thread.sleep(10);
      }
      assertThat(pool.getPoolSize()).isZero();
    } finally {
      pool.shutdownNow();
    }
  }

  private static void assertBounded(Executor executor, int most) throws InterruptedException {
    int tasks = 4 * most;
    Set<Thread> threads = ConcurrentHashMap.newKeySet();
    CountDownLatch hanging = new CountDownLatch(most);
    CountDownLatch release = new CountDownLatch(1);
    CountDownLatch done = new CountDownLatch(tasks);
    for (int i = 0; i < tasks; i++) {
      executor.execute(() -> {
        threads.add(Thread.currentThread());
        hanging.countDown();
        try {
          release.await();
        } catch (InterruptedException e) {
          return;
        }
        done.countDown();
      });
    }
    assertThat(hanging.await(30, TimeUnit.SECONDS)).isTrue();
    Thread.sleep(50); // Time for one too many to begin.

    assertThat(threads).hasSize(most);
    assertThat(done.getCount()).isEqualTo(tasks);

    release.countDown();
    assertThat(done.await(30, TimeUnit.SECONDS)).as("those that waited ran").isTrue();
    assertThat(threads).hasSize(most);
  }
}
