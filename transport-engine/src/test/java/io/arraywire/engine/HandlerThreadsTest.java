package io.arraywire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class HandlerThreadsTest {

  /** Whatever the peers ask for: here four times as many tasks as there may be threads. */
  @Test
  void hangingTasksHaveBoundedThreadsAndTheOthersRunWhenTheyEnd() throws InterruptedException {
    int most = HandlerThreads.most();
    assertBounded(new ReusedThreads("junit-handler", most, Duration.ofMillis(1)), most);
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
    ReusedThreads pool = new ReusedThreads("junit-handler", 3, Duration.ofMillis(1));
    CountDownLatch daemons = new CountDownLatch(9);
    for (int i = 0; i < 9; i++) {
      pool.execute(() -> {
        if (Thread.currentThread().isDaemon()) {
          daemons.countDown();
        }
      });
    }
    assertThat(daemons.await(30, TimeUnit.SECONDS)).isTrue();
    await().atMost(Duration.ofSeconds(30)).until(() -> pool.threads() == 0);
  }

  /** A task that comes when another is over does not start a thread; one that comes before does. */
  @Test
  void aThreadThatIsIdleIsUsedAgain() throws Exception {
    ReusedThreads pool = new ReusedThreads("junit-handler", 256, Duration.ofMinutes(5));
    for (int i = 0; i < 100; i++) {
      CountDownLatch release = new CountDownLatch(1);
      CountDownLatch both = new CountDownLatch(2);
      for (int k = 0; k < 2; k++) {
        pool.execute(() -> {
          both.countDown();
          hang(release);
        });
      }
      assertThat(both.await(30, TimeUnit.SECONDS)).as("two run at the same time").isTrue();
      release.countDown();
      await().atMost(Duration.ofSeconds(30)).until(() -> pool.idle() == pool.threads());
    }
    assertThat(pool.threads()).isEqualTo(2);
  }

  @Test
  void aTaskThatThrowsTakesNoOtherWithIt() throws InterruptedException {
    ReusedThreads pool = new ReusedThreads("junit-handler", 1, Duration.ofMinutes(5));
    CountDownLatch release = new CountDownLatch(1);
    CountDownLatch done = new CountDownLatch(1);
    pool.execute(() -> {
      Thread.currentThread().setUncaughtExceptionHandler((thread, thrown) -> {});
      hang(release);
      throw new IllegalStateException("of a task");
    });
    pool.execute(done::countDown);
    release.countDown();
    assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
    await().atMost(Duration.ofSeconds(30)).until(() -> pool.threads() == 1);
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
    assertThat(((ReusedThreads) executor).threads()).isEqualTo(most);
    assertThat(done.getCount()).isEqualTo(tasks);

    release.countDown();
    assertThat(done.await(30, TimeUnit.SECONDS)).as("those that waited ran").isTrue();
    assertThat(threads).hasSize(most);
  }

  private static void hang(CountDownLatch release) {
    try {
      release.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
