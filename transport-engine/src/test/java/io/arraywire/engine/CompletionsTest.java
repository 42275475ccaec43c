package io.arraywire.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CompletionsTest {
  /** Nothing is ever late, however long a test takes. */
  private static final Deadlines NO_LOOKS = (delay, task) -> () -> {};

  private final ExecutorService threads = Executors.newCachedThreadPool();

  @AfterEach
  void end() {
    threads.shutdownNow();
  }

  @Test
  void manyStagesTakeOneTask() {
    ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    Completions completions = new Completions(tasks::add, false, NO_LOOKS);
    List<CompletableFuture<Integer>> stages = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      CompletableFuture<Integer> stage = new CompletableFuture<>();
      stages.add(stage);
      completions.add(stage, i, null);
    }
    assertThat(stages).noneMatch(CompletableFuture::isDone);
    assertThat(tasks).hasSize(1);
    tasks.remove().run();
    for (int i = 0; i < 100; i++) {
      assertThat(stages.get(i)).isCompletedWithValue(i);
    }
    assertThat(tasks).isEmpty();
  }

  @Test
  void whatComesLaterIsCompletedToo() {
    ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    Completions completions = new Completions(tasks::add, false, NO_LOOKS);
    for (int i = 0; i < 3; i++) {
      CompletableFuture<String> stage = new CompletableFuture<>();
      completions.add(stage, "value", null);
      tasks.remove().run();
      assertThat(stage).isCompletedWithValue("value");
    }
  }

  @Test
  void aFailureIsPassedAsItIs() {
    Completions completions = new Completions(Runnable::run, false, NO_LOOKS);
    CompletableFuture<String> stage = new CompletableFuture<>();
    IOException failure = new IOException("text");
    completions.add(stage, null, failure);
    assertThat(stage.handle((value, thrown) -> thrown)).isCompletedWithValue(failure);
  }

  @Test
  void whatDependsOnAStageMayWaitForTheNext() {
    Completions completions = new Completions(threads, false, NO_LOOKS);
    List<CompletableFuture<Integer>> stages = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      stages.add(new CompletableFuture<>());
    }
    CompletableFuture<?>[] waiting = new CompletableFuture<?>[19];
    for (int i = 0; i < 19; i++) {
      CompletableFuture<Integer> next = stages.get(i + 1);
      waiting[i] = stages.get(i).thenAccept(value -> next.join());
    }
    stages.forEach(stage -> completions.add(stage, 1, null));
    assertThat(CompletableFuture.allOf(waiting)).succeedsWithin(30, TimeUnit.SECONDS);
  }

  /** It looks as if it had no dependents, as one to which they are added a moment later. */
  private static final class Surprising extends CompletableFuture<Integer> {
    @Override
    public int getNumberOfDependents() {
      return 0;
    }
  }

  @Test
  void aCallerInTheWrongMomentHoldsUpNobodyForLong() {
    Completions completions = new Completions(threads, false, Deadlines.system());
    CompletableFuture<Integer> last = new CompletableFuture<>();
    CompletableFuture<?>[] all = new CompletableFuture<?>[5];
    List<CompletableFuture<Integer>> surprising = new ArrayList<>();
    for (int i = 0; i < all.length; i++) {
      Surprising stage = new Surprising();
      surprising.add(stage);
      all[i] = stage.thenAccept(value -> last.join());
    }
    surprising.forEach(stage -> completions.add(stage, 1, null));
    completions.add(last, 1, null);
    assertThat(CompletableFuture.allOf(all)).succeedsWithin(30, TimeUnit.SECONDS);
  }

  /** Looks come when the test says so. */
  private static final class ManualLooks implements Deadlines {
    private final ArrayDeque<Runnable> due = new ArrayDeque<>();

    @Override
    public Runnable after(Duration delay, Runnable task) {
      due.add(task);
      return () -> due.remove(task);
    }

    void look(int times) {
      for (int i = 0; i < times && !due.isEmpty(); i++) {
        due.remove().run();
      }
    }
  }

  private static CompletableFuture<Integer> added(Completions completions, int value) {
    CompletableFuture<Integer> stage = new CompletableFuture<>();
    completions.add(stage, value, null);
    return stage;
  }

  @Test
  void anExecutorThatFailsOnceHoldsUpNobody() {
    for (Throwable failure :
        List.of(
            // Not OutOfMemoryError, which is the same here: JUnit would give up over it.
            new InternalError("unable to create native thread"),
            new IllegalStateException("for the test"),
            new RejectedExecutionException("for the test"))) {
      ArrayDeque<Runnable> tasks = new ArrayDeque<>();
      ArrayDeque<Throwable> failures = new ArrayDeque<>(List.of(failure));
      Completions completions =
          new Completions(
              task -> {
                if (!failures.isEmpty()) {
                  throw CompletionsTest.<RuntimeException>unchecked(failures.remove());
                }
                tasks.add(task);
              },
              false,
              new ManualLooks());
      assertThat(added(completions, 1)).isCompletedWithValue(1);
      CompletableFuture<Integer> second = added(completions, 2);
      assertThat(second).isNotDone();
      tasks.remove().run();
      assertThat(second).isCompletedWithValue(2);
    }
  }

  @SuppressWarnings("unchecked")
  private static <T extends Throwable> T unchecked(Throwable thrown) throws T {
    throw (T) thrown;
  }

  /** As the queue of an executor that its user shut down at once. */
  @Test
  void aTaskThatIsDroppedHoldsUpNobody() {
    ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    AtomicBoolean refuses = new AtomicBoolean();
    ManualLooks looks = new ManualLooks();
    Completions completions =
        new Completions(
            task -> {
              if (refuses.get()) {
                throw new RejectedExecutionException("for the test");
              }
              tasks.add(task);
            },
            false,
            looks);
    CompletableFuture<Integer> first = added(completions, 1);
    tasks.clear();
    refuses.set(true);
    CompletableFuture<Integer> second = added(completions, 2);
    looks.look(20);
    assertThat(first).succeedsWithin(30, TimeUnit.SECONDS);
    assertThat(second).succeedsWithin(30, TimeUnit.SECONDS);
    assertThat(added(completions, 3)).isCompletedWithValue(3);
    looks.look(20);
    assertThat(looks.due).isEmpty();
  }

  @Test
  void aTaskThatIsDroppedIsReplaced() {
    ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    ManualLooks looks = new ManualLooks();
    Completions completions = new Completions(tasks::add, false, looks);
    CompletableFuture<Integer> stage = added(completions, 1);
    tasks.clear();
    looks.look(20);
    assertThat(tasks).isNotEmpty();
    tasks.remove().run();
    assertThat(stage).isCompletedWithValue(1);
  }

  /** Its threads may be busy for minutes; then nothing runs elsewhere, and little is handed in. */
  @Test
  void anExecutorThatIsBusyIsNotBypassed() {
    ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    ManualLooks looks = new ManualLooks();
    Completions completions = new Completions(tasks::add, false, looks);
    List<CompletableFuture<Integer>> stages = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      stages.add(added(completions, i));
    }
    looks.look(100_000);
    assertThat(stages).noneMatch(CompletableFuture::isDone);
    assertThat(tasks).hasSizeLessThan(20);
    tasks.remove().run();
    assertThat(stages).allMatch(CompletableFuture::isDone);
    CompletableFuture<Integer> later = added(completions, 7);
    while (!tasks.isEmpty()) {
      tasks.remove().run();
    }
    assertThat(later).isCompletedWithValue(7);
    looks.look(5);
    assertThat(looks.due).isEmpty();
  }

  @Test
  void anExecutorThatIsBusyAndFullIsNotBypassed() throws Exception {
    ThreadPoolExecutor full =
        new ThreadPoolExecutor(1, 1, 1, TimeUnit.MINUTES, new ArrayBlockingQueue<>(1));
    ManualLooks looks = new ManualLooks();
    CountDownLatch goOn = new CountDownLatch(1);
    try {
      full.execute(() -> {
        try {
          goOn.await();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      });
      Completions completions = new Completions(full, false, looks);
      CompletableFuture<Integer> stage = added(completions, 1);
      looks.look(1_000);
      assertThat(stage).isNotDone();
      goOn.countDown();
      assertThat(stage).succeedsWithin(30, TimeUnit.SECONDS);
    } finally {
      full.shutdownNow();
    }
  }

  @Test
  void withoutAnExecutorTheyAreCompletedAllTheSame() {
    Completions completions =
        new Completions(
            task -> {
              throw new RejectedExecutionException("shut down");
            },
            false,
            Deadlines.system());
    CompletableFuture<Integer> stage = new CompletableFuture<>();
    completions.add(stage, 7, null);
    assertThat(stage).isCompletedWithValue(7);
  }

  /** The caller holds a lock, which the code or what it calls may need. */
  @Test
  void codeForElsewhereNeverRunsInTheCallersThread() throws Exception {
    AtomicBoolean twice = new AtomicBoolean();
    List<Executor> executors =
        List.of(
            threads,
            Runnable::run,
            task -> {
              throw new RejectedExecutionException("for the test");
            },
            task -> {
              // Took it, and says that it did not.
              threads.execute(task);
              throw new IllegalStateException("for the test");
            });
    for (Executor each : executors) {
      Completions completions = new Completions(each, false, NO_LOOKS);
      CompletableFuture<Thread> ran = new CompletableFuture<>();
      completions.executeElsewhere(() -> {
        if (!ran.complete(Thread.currentThread())) {
          twice.set(true);
        }
      });
      assertThat(ran.get(60, TimeUnit.SECONDS)).isNotSameAs(Thread.currentThread());
    }
    threads.shutdown();
    assertThat(threads.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
    assertThat(twice).isFalse();
  }

  /** The process can start no thread, so its pool refuses too. The caller still carries on. */
  @Test
  void codeForElsewhereRunsThoughNoPoolTakesIt() {
    Executor refuses =
        task -> {
          throw new InternalError("unable to create native thread");
        };
    ManualLooks looks = new ManualLooks();
    AtomicBoolean ran = new AtomicBoolean();
    new Completions(refuses, refuses, false, looks).executeElsewhere(() -> ran.set(true));
    assertThat(ran).as("not in the calling thread").isFalse();
    looks.look(1);
    assertThat(ran).isTrue();
    AtomicBoolean inPlace = new AtomicBoolean();
    new Completions(
            refuses,
            refuses,
            false,
            (delay, task) -> {
              throw new InternalError("unable to create native thread");
            })
        .executeElsewhere(() -> {
          inPlace.set(true);
          throw new IllegalStateException("for the test");
        });
    assertThat(inPlace).isTrue();
  }
}
