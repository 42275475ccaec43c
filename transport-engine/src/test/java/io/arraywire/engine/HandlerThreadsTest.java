package io.arraywire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.time.Duration;
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
    assumeTrue(Runtime.version().feature() < 21, "virtual threads have no bound");

    assertThat(HandlerThreads.stages()).isNotSameAs(HandlerThreads.handlers());
    assertBounded(HandlerThreads.handlers(), HandlerThreads.most());
    assertBounded(HandlerThreads.stages(), HandlerThreads.most());
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

      await().atMost(Duration.ofSeconds(30)).until(() -> pool.getPoolSize() == 0);
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
    // A pool makes threads only in execute(), so one too many would be counted by now.
    assertThat(((ThreadPoolExecutor) executor).getPoolSize()).isEqualTo(most);
    assertThat(done.getCount()).isEqualTo(tasks);

    release.countDown();
    assertThat(done.await(30, TimeUnit.SECONDS)).as("those that waited ran").isTrue();
    assertThat(threads).hasSize(most);
  }
}
