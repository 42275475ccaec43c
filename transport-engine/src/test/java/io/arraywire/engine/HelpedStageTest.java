package io.arraywire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.SocketAddress;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class HelpedStageTest {
  private static final Deadlines NO_LOOKS = (delay, task) -> () -> {};

  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private final Completions completions = new Completions(tasks::add, false, NO_LOOKS);
  private final HelpfulLink link = new HelpfulLink();
  private final HelpedStage<String> stage = new HelpedStage<>(around(link), completions);

  @Test
  void aHelpingCallerTakesTheResultItself() {
    link.help =
        result -> {
          assertThat(result.isDone()).isFalse();
          completions.add(stage, "value", null);
          assertThat(result.isDone()).isTrue();
        };
    assertThat(stage.join()).isEqualTo("value");
    assertThat(tasks).isEmpty();
    assertThat(stage).isCompletedWithValue("value");
  }

  @Test
  void whatIsLeftInTheLastMomentIsTakenToo() throws Exception {
    link.help = result -> completions.add(stage, "value", null);
    assertThat(stage.get()).isEqualTo("value");
    assertThat(tasks).isEmpty();
  }

  @Test
  void aFailureIsTakenAsItIs() {
    IOException failure = new IOException("text");
    link.help = result -> completions.add(stage, null, failure);
    assertThatThrownBy(stage::join).isInstanceOf(CompletionException.class).hasCause(failure);
    assertThatThrownBy(stage::get).isInstanceOf(ExecutionException.class).hasCause(failure);
    assertThat(tasks).isEmpty();
  }

  @Test
  void othersCodeRunsOnTheExecutor() {
    AtomicReference<Thread> ranOn = new AtomicReference<>();
    CompletableFuture<Void> dependent =
        stage.thenAccept(value -> ranOn.set(Thread.currentThread()));
    link.help =
        result -> {
          completions.add(stage, "value", null);
          assertThat(result.isDone()).isFalse();
          runTasks();
          assertThat(result.isDone()).isTrue();
        };
    assertThat(stage.join()).isEqualTo("value");
    assertThat(dependent).succeedsWithin(30, TimeUnit.SECONDS);
    assertThat(ranOn.get()).isNotNull().isNotSameAs(Thread.currentThread());
  }

  /** While somebody helps, he runs the channels of others; afterwards he waits for himself. */
  @Test
  void othersCodeThatComesAMomentLaterRunsOnTheExecutor() {
    AtomicReference<Thread> ranOn = new AtomicReference<>();
    link.help =
        result -> {
          completions.add(stage, "value", null);
          CompletableFuture<Void> unused =
              stage.thenAccept(value -> ranOn.set(Thread.currentThread()));
          assertThat(result.isDone()).isTrue();
          assertThat(ranOn.get()).isNull();
          assertThat(tasks).isEmpty();
        };
    CompletableFuture<String> joined = CompletableFuture.supplyAsync(stage::join);
    await().atMost(60, TimeUnit.SECONDS).until(() -> !tasks.isEmpty());
    assertThat(ranOn.get()).isNull();
    tasks.remove().run();
    assertThat(joined).succeedsWithin(30, TimeUnit.SECONDS).isEqualTo("value");
    // Here, or in the thread that joined: the JDK has both do it, and by now neither runs anybody's
    // channels.
    await().atMost(60, TimeUnit.SECONDS).until(() -> ranOn.get() != null);
  }

  @Test
  void aHelpingCallerCompletesNothingBeforeItsHelpIsOver() {
    link.help =
        result -> {
          completions.add(stage, "value", null);
          assertThat(result.isDone()).isTrue();
          assertThat(stage.getNow("none yet")).isEqualTo("none yet");
        };
    assertThat(stage.join()).isEqualTo("value");
  }

  @Test
  void aCallerThatHelpedInVainIsToldAsOthersAre() {
    link.help = result -> {};
    CompletableFuture<String> joined = CompletableFuture.supplyAsync(stage::join);
    while (stage.getNumberOfDependents() == 0) {
      Thread.onSpinWait(); // Until it waits.
    }
    completions.add(stage, "value", null);
    assertThat(tasks).hasSize(1);
    tasks.remove().run();
    assertThat(joined).succeedsWithin(30, TimeUnit.SECONDS).isEqualTo("value");
  }

  @Test
  void aThreadThatSleepsTakesTheResultWithoutTheExecutor() throws Exception {
    for (Wait wait :
        List.<Wait>of(
            HelpedStage::join, HelpedStage::get, each -> each.get(60, TimeUnit.SECONDS))) {
      HelpedStage<String> each = new HelpedStage<>(around(link), completions);
      FutureTask<String> taken = new FutureTask<>(() -> wait.on(each));
      sleepsOn(each, taken);
      completions.add(each, "value", null);
      assertThat(taken.get(30, TimeUnit.SECONDS)).isEqualTo("value");
      assertThat(tasks).isEmpty();
    }
  }

  @Test
  void aThreadThatSleepsHearsOfEveryEnd() throws Exception {
    FutureTask<String> cancelled = new FutureTask<>(stage::get);
    sleepsOn(stage, cancelled);
    assertThat(stage.cancel(true)).isTrue();
    assertThatThrownBy(() -> cancelled.get(30, TimeUnit.SECONDS))
        .hasCauseInstanceOf(CancellationException.class);

    HelpedStage<String> other = new HelpedStage<>(around(link), completions);
    FutureTask<String> interrupted = new FutureTask<>(other::get);
    sleepsOn(other, interrupted).interrupt();
    assertThatThrownBy(() -> interrupted.get(30, TimeUnit.SECONDS))
        .hasCauseInstanceOf(InterruptedException.class);
    completions.add(other, "value", null);
    // Nobody waits any more.
    assertThat(tasks).hasSize(1);
    assertThatThrownBy(() -> other.get(1, TimeUnit.MILLISECONDS))
        .isInstanceOf(TimeoutException.class);
    runTasks();
    assertThat(other).isCompletedWithValue("value");
  }

  /** It is for the stage to tell the pool that it blocks. */
  @Test
  void aThreadOfAPoolThatStartsOthersMeanwhileWaitsAsForAnyStage() {
    CompletableFuture<String> joined =
        CompletableFuture.supplyAsync(stage::join, ForkJoinPool.commonPool());
    while (stage.getNumberOfDependents() == 0) {
      Thread.onSpinWait();
    }
    completions.add(stage, "value", null);
    runTasks();
    assertThat(joined).succeedsWithin(30, TimeUnit.SECONDS).isEqualTo("value");
  }

  private interface Wait {
    String on(HelpedStage<String> stage) throws Exception;
  }

  /** Has a thread wait, and returns it once it sleeps. */
  private static Thread sleepsOn(HelpedStage<String> stage, Runnable wait) {
    Thread caller = new Thread(wait, "caller");
    caller.setDaemon(true);
    caller.start();
    while (!stage.equals(LockSupport.getBlocker(caller))) {
      Thread.onSpinWait();
    }
    return caller;
  }

  @Test
  void anotherWhoWaitsIsToldToo() {
    CompletableFuture<CompletableFuture<String>> second = new CompletableFuture<>();
    link.help =
        result -> {
          second.complete(CompletableFuture.supplyAsync(stage::join));
          while (stage.getNumberOfDependents() == 0) {
            Thread.onSpinWait();
          }
          completions.add(stage, "value", null);
          runTasks();
        };
    assertThat(stage.join()).isEqualTo("value");
    assertThat(second.join()).succeedsWithin(30, TimeUnit.SECONDS).isEqualTo("value");
  }

  @Test
  void aCallerThatOnlyLooksSeesWhatWasLeft() {
    link.help =
        result -> {
          completions.add(stage, "value", null);
          assertThat(CompletableFuture.supplyAsync(stage::isDone))
              .succeedsWithin(30, TimeUnit.SECONDS)
              .isEqualTo(true);
        };
    assertThat(stage.join()).isEqualTo("value");
  }

  @Test
  void aLinkThatFailsLosesNothing() {
    link.help =
        result -> {
          completions.add(stage, "value", null);
          throw new IllegalStateException("for the test");
        };
    assertThatThrownBy(stage::join).isInstanceOf(IllegalStateException.class);
    assertThat(stage).isCompletedWithValue("value");
  }

  /** One thread helps for a moment and leaves, another one finds the result at about that time. */
  @Test
  void inWhateverOrderTheyMeetNothingIsLost() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      Completions ofThreads = new Completions(threads, false, NO_LOOKS);
      for (int i = 0; i < 20_000; i++) {
        int helps = i % 64;
        int finds = i / 64 % 64;
        HelpfulLink busy = new HelpfulLink();
        busy.help = result -> spin(helps, result);
        HelpedStage<Integer> each = new HelpedStage<>(around(busy), ofThreads);
        int value = i;
        Future<?> found =
            threads.submit(() -> {
              spin(finds, each);
              ofThreads.add(each, value, null);
            });
        assertThat(each.get()).isEqualTo(i);
        found.get(60, TimeUnit.SECONDS);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  /** A connection that has no handlers. */
  private static WaitScope around(Link link) {
    return new WaitScope() {
      @Override
      public Link link() {
        return link;
      }

      @Override
      public @Nullable HandlerWait callerWaits(String call) {
        return null;
      }
    };
  }

  private static void spin(int times, Future<?> result) {
    for (int i = 0; i < times && !result.isDone(); i++) {
      Thread.onSpinWait();
    }
  }

  private void runTasks() {
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try {
      for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
        assertThat(thread.submit(task)).succeedsWithin(30, TimeUnit.SECONDS);
      }
    } finally {
      thread.shutdownNow();
    }
  }

  /** While somebody waits, something happens. */
  private static final class HelpfulLink implements Link {
    Consumer<Future<?>> help = result -> {};

    @Override
    public void help(Future<?> result) {
      help.accept(result);
    }

    @Override
    public void wakeWriter() {}

    @Override
    public void resumeReading() {}

    @Override
    public void close() {}

    @Override
    public SocketAddress localAddress() {
      throw new UnsupportedOperationException();
    }

    @Override
    public SocketAddress remoteAddress() {
      throw new UnsupportedOperationException();
    }
  }
}
