package io.arraywire.nio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.lang.ref.Reference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** One thread at a time is the loop's, whatever the tasks do that it runs. */
class LoopThreadTest {
  private static final String NAME = "junit-loop";
  private static final long LONG_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final ExecutorService elsewhere = Executors.newCachedThreadPool();
  private final List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
  private final Queue<Offer> offers = new ConcurrentLinkedQueue<>();
  private final AtomicReference<@Nullable Thread> inside = new AtomicReference<>();
  private final AtomicLong turns = new AtomicLong();
  private final CountDownLatch over = new CountDownLatch(1);

  /** For how long the loop's thread is said to have had no processor, when it asks. */
  private final AtomicLong lost = new AtomicLong();

  private volatile boolean stopping;
  private LoopThread thread = loop(Long.MAX_VALUE);

  /** Tasks that the loop's thread offers itself in one turn. */
  private record Offer(List<Runnable> tasks, CompletableFuture<Boolean> taken) {}

  private LoopThread loop(long mostStalled) {
    return new LoopThread(NAME, this::run, failures::add, budget(mostStalled), lost::get);
  }

  @Test
  void theTasksBehindALongOneAreLeftToTheExecutor() throws Exception {
    thread.start();
    assertThat(threadOfTheTaskBehindALongOne()).doesNotStartWith(NAME);
  }

  /** The tasks have not taken the time that other threads had the processor. */
  @Test
  void theTasksBehindOneThatLostItsProcessorAreNotLeftToTheExecutor() throws Exception {
    lost.set(Long.MAX_VALUE);
    thread.start();
    assertThat(threadOfTheTaskBehindALongOne()).startsWith(NAME);
  }

  private String threadOfTheTaskBehindALongOne() throws Exception {
    while (true) {
      CompletableFuture<Thread> first = new CompletableFuture<>();
      CompletableFuture<String> behind = new CompletableFuture<>();
      boolean taken =
          offer(
              () -> {
                spin(TimeUnit.MILLISECONDS.toNanos(1));
                first.complete(Thread.currentThread());
              },
              () -> behind.complete(Thread.currentThread().getName()));
      String name = behind.get(60, TimeUnit.SECONDS);
      // The standby may have taken over, or the first come late, where this machine is busy.
      if (taken && first.get(60, TimeUnit.SECONDS).equals(thread.current())) {
        return name;
      }
    }
  }

  /** One that stays used up. */
  private static StallBudget budget(long most) {
    return new StallBudget(most, Long.MAX_VALUE);
  }

  /** A loop as the event loop is, whose turns nobody else may be in. */
  private void run() {
    while (!stopping) {
      if (!inside.compareAndSet(null, Thread.currentThread())) {
        failures.add(new AssertionError("two threads run the loop"));
      }
      turns.incrementAndGet();
      Offer offer = offers.poll();
      if (offer != null) {
        offer(offer);
      }
      if (!inside.compareAndSet(Thread.currentThread(), null)) {
        failures.add(new AssertionError("another thread came into a turn"));
      }
      if (!thread.work()) {
        return;
      }
      if (offers.isEmpty()) {
        LockSupport.parkNanos(20_000);
      }
    }
    thread.ends();
  }

  private void offer(Offer offer) {
    // What is offered rarely is not taken, and nobody knows how long this thread did not run.
    boolean unused = thread.takes(() -> {}, elsewhere);
    boolean taken = true;
    for (Runnable task : offer.tasks) {
      taken &= thread.takes(task, elsewhere);
    }
    offer.taken.complete(taken);
  }

  @AfterEach
  void end() throws Exception {
    over.countDown();
    stopping = true;
    assertThat(thread.awaitEnd(LONG_NANOS)).isTrue();
    elsewhere.shutdownNow();
    assertThat(failures).isEmpty();
    assertThat(threads()).isEmpty();
  }

  private static List<Thread> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(each -> each.getName().startsWith(NAME) && !each.getName().endsWith("-handler"))
        .toList();
  }

  private boolean offer(Runnable... tasks) throws Exception {
    CompletableFuture<Boolean> taken = new CompletableFuture<>();
    offers.add(new Offer(List.of(tasks), taken));
    return taken.get(60, TimeUnit.SECONDS);
  }

  /** Has a task run on the loop's thread, which may take a few attempts. */
  private Thread runs(Runnable task) throws Exception {
    long start = System.nanoTime();
    while (true) {
      CompletableFuture<Thread> at = new CompletableFuture<>();
      boolean taken =
          offer(() -> {
            at.complete(Thread.currentThread());
            // What was before it may have taken long, where this machine is busy.
            if (isLoops(Thread.currentThread())) {
              task.run();
            }
          });
      if (taken && isLoops(at.get(60, TimeUnit.SECONDS))) {
        return at.get();
      }
      assertThat(System.nanoTime() - start).isLessThan(LONG_NANOS);
    }
  }

  /** Or was, until it was left behind. */
  private static boolean isLoops(Thread thread) {
    return thread.getName().startsWith(NAME);
  }

  private void blocks() {
    awaits(over);
  }

  private void awaits(CountDownLatch latch) {
    try {
      assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      failures.add(e);
    }
  }

  /** Has a task block on the loop's thread, until that is another one. */
  private Thread leavesBehind() throws Exception {
    Thread left = runs(this::blocks);
    await().atMost(Duration.ofSeconds(60)).until(() -> !thread.current().equals(left));
    return left;
  }

  private void awaitTurns() {
    long before = turns.get();
    await().atMost(Duration.ofSeconds(60)).until(() -> turns.get() > before + 1);
  }

  @Test
  void tasksRunOnTheLoopsThread() throws Exception {
    thread.start();
    for (int i = 0; i < 100; i++) {
      assertThat(isLoops(runs(() -> {}))).isTrue();
    }
  }

  @Test
  void whatATaskThrowsIsToldAndTheLoopGoesOn() throws Exception {
    thread.start();
    IllegalStateException thrown = new IllegalStateException("a task");
    Thread unused =
        runs(() -> {
          throw thrown;
        });
    await().atMost(Duration.ofSeconds(60)).until(() -> failures.contains(thrown));
    failures.clear();
    awaitTurns();
  }

  @Test
  void anInterruptOfATaskIsNotTheLoops() throws Exception {
    thread.start();
    Thread unused = runs(() -> Thread.currentThread().interrupt());
    CompletableFuture<Boolean> flag = new CompletableFuture<>();
    Thread next = runs(() -> flag.complete(Thread.currentThread().isInterrupted()));
    assertThat(isLoops(next)).isTrue();
    assertThat(flag.get(60, TimeUnit.SECONDS)).isFalse();
  }

  @Test
  void aTaskThatBlocksIsLeftBehind() throws Exception {
    thread.start();
    Thread left = leavesBehind();
    awaitTurns();
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(() -> {
          assertThat(thread.current().getName()).isEqualTo(NAME);
          assertThat(left.getName()).isEqualTo(NAME + "-handler");
        });
    assertThat(runs(() -> {})).isNotEqualTo(left);
    over.countDown();
    left.join(60_000);
    assertThat(left.isAlive()).isFalse();
    awaitTurns();
  }

  /** They may block, too: each would cost others the time until it is left behind. */
  @Test
  void theTasksBehindItAreLeftToTheExecutor() throws Exception {
    thread.start();
    long start = System.nanoTime();
    while (!areLeftToTheExecutor()) {
      assertThat(System.nanoTime() - start).isLessThan(LONG_NANOS);
    }
  }

  /** Returns false if not all of them were taken. */
  private boolean areLeftToTheExecutor() throws Exception {
    CountDownLatch blocks = new CountDownLatch(1);
    List<CompletableFuture<Thread>> at =
        List.of(new CompletableFuture<>(), new CompletableFuture<>());
    boolean taken =
        offer(
            () -> awaits(blocks),
            () -> at.get(0).complete(Thread.currentThread()),
            () -> at.get(1).complete(Thread.currentThread()));
    try {
      if (taken) {
        for (CompletableFuture<Thread> each : at) {
          assertThat(each.get(60, TimeUnit.SECONDS).getName()).doesNotStartWith(NAME);
        }
      }
      return taken;
    } finally {
      blocks.countDown();
    }
  }

  @Test
  void noMoreThanSomeAreLeftBehind() throws Exception {
    thread.start();
    List<Thread> left = new ArrayList<>();
    for (int i = 0; i < LoopThread.MOST_LEFT_BEHIND; i++) {
      left.add(leavesBehind());
    }
    assertThat(left).doesNotHaveDuplicates().allMatch(Thread::isAlive);
    for (int i = 0; i < 100; i++) {
      assertThat(offer(() -> {})).isFalse();
    }
    over.countDown();
    for (Thread each : left) {
      each.join(60_000);
      assertThat(each.isAlive()).isFalse();
    }
    assertThat(runs(() -> {})).isNotIn(left);
  }

  @Test
  void whereTheBudgetIsUsedNoneIsTaken() throws Exception {
    thread = loop(0);
    thread.start();
    Thread unused = leavesBehind();
    over.countDown();
    for (int i = 0; i < 100; i++) {
      assertThat(offer(() -> {})).isFalse();
    }
  }

  /** It uses a processor, or waits where Java does not see it. */
  @Test
  void aTaskThatRunsForLongIsLeftBehind() throws Exception {
    thread.start();
    AtomicBoolean runs = new AtomicBoolean(true);
    Thread left =
        runs(() -> {
          while (runs.get()) {
            Thread.onSpinWait();
          }
        });
    await().atMost(Duration.ofSeconds(60)).until(() -> !thread.current().equals(left));
    awaitTurns();
    runs.set(false);
    left.join(60_000);
    assertThat(left.isAlive()).isFalse();
  }

  /** The collector stops the thread that looks, too: however long it takes, that is one look. */
  @Test
  @Tag("alone") // On a busy machine the task often has no processor.
  void aTaskThatTheCollectorStopsIsNotLeftBehind() throws Exception {
    thread.start();
    Object chain = chain();
    long start = System.nanoTime();
    for (int stayed = 0; stayed < 5; ) {
      assertThat(System.nanoTime() - start).isLessThan(LONG_NANOS);
      CompletableFuture<Long> took = new CompletableFuture<>();
      Thread at =
          runs(() -> {
            // Long enough to be seen before, and far too short to be left behind.
            spin(LoopStandby.LOOK * 3 / 2);
            long begun = System.nanoTime();
            System.gc();
            long end = System.nanoTime();
            spin(LoopStandby.LOOK / 2);
            took.complete(end - begun);
          });
      if (took.get(60, TimeUnit.SECONDS) > 4 * LoopStandby.LONGEST) {
        // Now and then the task has no processor for some looks.
        stayed = runs(() -> {}).equals(at) ? stayed + 1 : 0;
      }
    }
    Reference.reachabilityFence(chain);
  }

  private static void spin(long nanos) {
    long start = System.nanoTime();
    while (System.nanoTime() - start < nanos) {
      Thread.onSpinWait();
    }
  }

  /** The collector goes from each object to the next. */
  private static Object chain() {
    Object[] last = {null};
    for (int i = 0; i < 2_000_000; i++) {
      last = new Object[] {last};
    }
    return last;
  }

  /** A look that comes late because of the collector is a look all the same. */
  @Test
  void aTaskThatBlocksIsLeftBehindWhileTheCollectorStopsAll() throws Exception {
    thread.start();
    Object chain = chain();
    AtomicBoolean collects = new AtomicBoolean(true);
    Future<?> collector =
        elsewhere.submit(() -> {
          while (collects.get()) {
            System.gc();
            // Else this test is the collector's alone where processors are few.
            LockSupport.parkNanos(LoopStandby.LOOK);
          }
        });
    for (int i = 0; i < 5; i++) {
      CountDownLatch blocks = new CountDownLatch(1);
      Thread left = runs(() -> awaits(blocks));
      await().atMost(Duration.ofSeconds(60)).until(() -> !thread.current().equals(left));
      assertThat(left.isAlive()).isTrue();
      awaitTurns();
      // It waits for no longer than its own turn takes, however slow this machine is.
      blocks.countDown();
    }
    collects.set(false);
    collector.get(60, TimeUnit.SECONDS);
    Reference.reachabilityFence(chain);
  }

  @Test
  void whatIsOfferedRarelyIsNotTaken() throws Exception {
    CompletableFuture<Boolean> any = new CompletableFuture<>();
    LoopThread rare =
        new LoopThread(
            NAME + "-rare",
            () -> {
              boolean taken = false;
              for (int i = 0; i < 20; i++) {
                LockSupport.parkNanos(2 * LoopStandby.LOOK);
                long start = System.nanoTime();
                while (System.nanoTime() - start < 2 * LoopStandby.LOOK) {
                  Thread.onSpinWait();
                }
                taken |= thread.takes(() -> {}, elsewhere);
              }
              any.complete(taken);
              thread.ends();
            },
            failures::add,
            budget(Long.MAX_VALUE));
    thread = rare;
    rare.start();
    assertThat(any.get(60, TimeUnit.SECONDS)).isFalse();
  }

  @Test
  void othersAndTasksThemselvesAreNotTakenFor() throws Exception {
    thread.start();
    assertThat(thread.takes(() -> {}, elsewhere)).isFalse();
    CompletableFuture<Boolean> taken = new CompletableFuture<>();
    Thread unused =
        runs(() -> {
          boolean first = thread.takes(() -> {}, elsewhere);
          taken.complete(first | thread.takes(() -> {}, elsewhere));
        });
    assertThat(taken.get(60, TimeUnit.SECONDS)).isFalse();
  }

  /** A loop that ends does not run what it has taken: that could block for ever. */
  @Test
  void whatIsLeftAtTheEndIsLeftToTheExecutor() throws Exception {
    CompletableFuture<Thread> at = new CompletableFuture<>();
    thread =
        new LoopThread(
            NAME,
            () -> {
              long start = System.nanoTime();
              while (!thread.takes(() -> at.complete(Thread.currentThread()), elsewhere)
                  && System.nanoTime() - start < LONG_NANOS) {
                Thread.onSpinWait();
              }
              thread.ends();
            },
            failures::add,
            budget(Long.MAX_VALUE));
    thread.start();
    assertThat(at.get(60, TimeUnit.SECONDS).getName()).doesNotStartWith(NAME);
  }

  @Test
  void aLoopWhoseThreadIsAtATaskEnds() throws Exception {
    thread.start();
    Thread left = runs(this::blocks);
    stopping = true;
    assertThat(thread.awaitEnd(LONG_NANOS)).isTrue();
    assertThat(left.isAlive()).isTrue();
  }

  /** As one that closes its transport does. */
  @Test
  void aTaskMayWaitForTheEndOfTheLoop() throws Exception {
    thread.start();
    CompletableFuture<Boolean> ended = new CompletableFuture<>();
    Thread left =
        runs(() -> {
          stopping = true;
          try {
            ended.complete(thread.awaitEnd(LONG_NANOS));
          } catch (InterruptedException e) {
            ended.completeExceptionally(e);
          }
        });
    assertThat(ended.get(60, TimeUnit.SECONDS)).isTrue();
    left.join(60_000);
    assertThat(left.isAlive()).isFalse();
  }

  @Test
  void theThreadThatStandsBySleepsWhenThereAreNoTasks() throws Exception {
    thread.start();
    Thread unused = runs(() -> {});
    await().atMost(Duration.ofSeconds(60)).until(() -> standby() != null);
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> {
          Thread standby = standby();
          if (standby == null) {
            return true;
          }
          long before = ThreadFigures.waits(standby);
          // Many looks long.
          TimeUnit.MILLISECONDS.sleep(100);
          return ThreadFigures.waits(standby) == before;
        });
    // And looks again when there are.
    Thread left = leavesBehind();
    assertThat(left.isAlive()).isTrue();
  }

  private static @Nullable Thread standby() {
    return threads().stream()
        .filter(each -> each.getName().equals(NAME + "-standby"))
        .findFirst()
        .orElse(null);
  }

  /** Tasks end just as another thread takes over, again and again. */
  @Test
  void eachTaskRunsOnceAndOneThreadRunsTheLoop() throws Exception {
    thread.start();
    int count = 3000;
    Random random = new Random(7);
    Set<Thread> at = ConcurrentHashMap.newKeySet();
    AtomicInteger[] ran = new AtomicInteger[count];
    for (int i = 0; i < count; i++) {
      AtomicInteger times = new AtomicInteger();
      ran[i] = times;
      long nanos = random.nextInt(10) > 0 ? 0 : random.nextInt(4_000_000);
      Runnable task =
          () -> {
            at.add(Thread.currentThread());
            if (nanos > 0) {
              LockSupport.parkNanos(nanos);
            }
            times.incrementAndGet();
          };
      if (!offer(task)) {
        task.run();
      }
    }
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(() -> assertThat(ran).allMatch(each -> each.get() == 1));
    // Loops whose tasks never were left behind would show nothing.
    assertThat(at.stream().filter(each -> each.getName().startsWith(NAME)).count())
        .isGreaterThan(2);
  }
}
