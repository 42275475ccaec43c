package io.arraywire.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What a client does in a process that has as many threads as it may have. */
class SystemRuntimeTest {
  /** Threads of a process that can have no further ones for some times. */
  private static ThreadFactory refusing(AtomicInteger times) {
    return task -> {
      if (times.getAndDecrement() > 0) {
        throw new OutOfMemoryError("unable to create native thread");
      }
      Thread thread = new Thread(task);
      thread.setDaemon(true);
      return thread;
    };
  }

  @Test
  void aTaskWithoutAThreadRunsOnceOneCanBeHad() throws Exception {
    AtomicInteger times = new AtomicInteger(3);
    SystemRuntime runtime = new SystemRuntime(refusing(new AtomicInteger()), refusing(times));
    CountDownLatch ran = new CountDownLatch(2);
    runtime.execute(ran::countDown);
    Runnable unused = runtime.after(1, ran::countDown);
    assertThat(ran.await(1, TimeUnit.MINUTES)).as("both ran").isTrue();
    assertThat(times.get()).isNegative();
  }

  @Test
  void aTaskForWhichNotEvenTheTimerHasAThreadIsTheCallers() {
    AtomicInteger always = new AtomicInteger(Integer.MAX_VALUE);
    SystemRuntime runtime = new SystemRuntime(refusing(always), refusing(always));
    assertThatThrownBy(() -> runtime.execute(() -> {})).isInstanceOf(OutOfMemoryError.class);
  }
}
