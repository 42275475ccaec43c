package io.arraywire.engine;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Completes users' stages on an executor of theirs or of the process, never on an I/O thread, which
 * what depends on them could block. One task completes many. One acknowledgement may be that of
 * hundreds of small arrays, and a task for each costs more than everything else about them.
 *
 * <p>What depends on a stage may take its time, or wait for another stage. So a stage with
 * dependents has a task for itself, and the next task begins before they run. A dependent may come
 * between the question whether there are any and the completion. It then holds up the others until
 * the next {@linkplain #LOOK look}.
 *
 * <p>An executor may drop a task, as one that is shut down at once does. A task that does not begin
 * is therefore handed in again, ever more rarely, for the executor may as well be busy. Only if it
 * refuses are stages completed elsewhere: on the thread that found the outcome, or that of the
 * look.
 *
 * <p>A stage that nobody waits for and nothing depends on, such as that of a reply that its handler
 * has dropped, runs nobody's code. The thread that reads completes it where the {@link Link} lets
 * it: to wake another one costs more than the reply. So it does where what depends on stages has
 * been {@linkplain ShortCalls short} of late.
 *
 * <p>The user may say that what depends on stages does not block. Then a stage completes on the
 * thread that read its outcome, at the end of its {@link LoopTurn}.
 *
 * <p>Any thread.
 */
final class Completions {
  /** How long somebody's code can hold up the stages of others in the case above. */
  static final Duration LOOK = Duration.ofMillis(5);

  /** So many looks a task has to begin before another one is handed in, and then twice as many. */
  private static final long LOOKS_TO_BEGIN = 5;

  /** What there is of tasks that see to the stages that wait. */
  private enum Task {
    NONE,
    HANDED_IN,
    RUNS
  }

  private final Executor executor;
  private final Executor fallback;
  private final boolean onLoop;

  /** How long what depends on stages takes; null if the library does not choose its thread. */
  private final @Nullable ShortCalls dependents;

  private final Deadlines deadlines;
  private final ConcurrentLinkedQueue<Completion<?>> waiting = new ConcurrentLinkedQueue<>();
  private final AtomicReference<Task> task = new AtomicReference<>(Task.NONE);
  private final AtomicBoolean looking = new AtomicBoolean();
  private final AtomicBoolean complained = new AtomicBoolean();

  /** What {@link #executeElsewhere} was given and has not ended, by numbers of its own. */
  private final Map<Long, CompletableFuture<@Nullable Void>> elsewhere = new ConcurrentHashMap<>();

  private final AtomicLong elsewhereNumbers = new AtomicLong();

  /** Grows with each task that begins, and each stage that is completed. */
  private final AtomicInteger progress = new AtomicInteger();

  // Of the looks, which come one at a time.
  private int seen;
  private long unbegun;
  private long handInAt;

  /**
   * Makes one.
   *
   * @param onLoop whether stages complete where their outcome arrives, if that is possible
   * @param dependents of the stages, which the executor need not complete; null if it has to
   */
  Completions(
      Executor executor, boolean onLoop, @Nullable ShortCalls dependents, Deadlines deadlines) {
    this(executor, HandlerThreads.stages(), onLoop, dependents, deadlines);
  }

  /** Makes one whose executor completes all stages, or the thread where their outcome arrives. */
  Completions(Executor executor, boolean onLoop, Deadlines deadlines) {
    this(executor, onLoop, null, deadlines);
  }

  /**
   * Makes one for a test.
   *
   * @param fallback for what must not run in the calling thread and the executor does not take
   */
  Completions(Executor executor, Executor fallback, boolean onLoop, Deadlines deadlines) {
    this(executor, fallback, onLoop, null, deadlines);
  }

  private Completions(
      Executor executor,
      Executor fallback,
      boolean onLoop,
      @Nullable ShortCalls dependents,
      Deadlines deadlines) {
    this.executor = executor;
    this.fallback = fallback;
    this.onLoop = onLoop;
    this.dependents = dependents;
    this.deadlines = deadlines;
  }

  /** Whether stages complete where their outcome arrives. */
  boolean areOnLoop() {
    return onLoop;
  }

  /** Completes a stage, soon: with what it failed with if that is not null, or with a value. */
  <T> void add(CompletableFuture<T> stage, @Nullable T value, @Nullable Throwable thrown) {
    if (!(stage instanceof HelpedStage<T> helped)) {
      complete(stage, value, thrown);
    } else if (!helped.leaveToWaiter(value, thrown)
        && (dependents == null || onLoop || !leaveToReader(helped, dependents, value, thrown))) {
      complete(stage, value, thrown);
    }
  }

  /** Has the thread that reads complete it between its turns; returns whether it will. */
  private <T> boolean leaveToReader(
      HelpedStage<T> stage, ShortCalls calls, @Nullable T value, @Nullable Throwable thrown) {
    return (calls.areShort() || !stage.isDependedOn())
        && stage.runsOnReader(
            () -> {
              if (calls.areShort() || !stage.isDependedOn()) {
                settleTimed(stage, value, thrown);
              } else {
                // What depends on it came meanwhile, or others were not short.
                complete(stage, value, thrown);
              }
            },
            executor);
  }

  /** The same, even if a waiting caller could take it. */
  <T> void complete(CompletableFuture<T> stage, @Nullable T value, @Nullable Throwable thrown) {
    Completion<T> completion = new Completion<>(this, stage, value, thrown);
    if (!onLoop || !LoopTurn.runs(completion)) {
      waiting.add(completion);
      serve();
    }
  }

  /** Completes a stage at once, on this thread, with one or the other as in {@link #add}. */
  static <T> void settle(
      CompletableFuture<T> stage, @Nullable T value, @Nullable Throwable thrown) {
    if (thrown != null) {
      stage.completeExceptionally(thrown);
    } else {
      stage.complete(value);
    }
  }

  private <T> void settleTimed(
      CompletableFuture<T> stage, @Nullable T value, @Nullable Throwable thrown) {
    if (dependents == null || !runsOthersCode(stage)) {
      settle(stage, value, thrown);
      return;
    }
    long began = dependents.now();
    settle(stage, value, thrown);
    long unused = dependents.took(began);
  }

  private static boolean runsOthersCode(CompletableFuture<?> stage) {
    return stage instanceof HelpedStage<?> helped
        ? helped.isDependedOn()
        : stage.getNumberOfDependents() > 0;
  }

  /** Runs users' code that a handler may wait for, where stages complete. */
  void execute(Runnable code) {
    AtomicBoolean begun = new AtomicBoolean();
    Runnable once =
        () -> {
          if (begun.compareAndSet(false, true)) {
            code.run();
          }
        };
    try {
      executor.execute(once);
    } catch (RuntimeException | Error e) {
      // The user shut the executor down, it cannot start a thread, or it fails otherwise, perhaps
      // after it took the task. An I/O thread is better than what is never run.
      once.run();
    }
  }

  /**
   * As {@link #execute}, for a caller that holds a lock. The code runs in another thread; if the
   * process can start none, it runs in the calling thread. What it throws there is logged, so that
   * the caller can end the rest.
   */
  void executeElsewhere(Runnable code) {
    CompletableFuture<@Nullable Void> ended = new CompletableFuture<>();
    long number = elsewhereNumbers.incrementAndGet();
    elsewhere.put(number, ended);
    Elsewhere task =
        new Elsewhere(() -> {
          try {
            code.run();
          } finally {
            elsewhere.remove(number);
            ended.complete(null);
          }
        });
    try {
      executor.execute(task);
    } catch (Throwable e) { // As above.
      task.refused = true;
    }
    if (task.wasRefused()) {
      executeSomewhere(task);
    }
  }

  private void executeSomewhere(Runnable task) {
    try {
      fallback.execute(task);
    } catch (Throwable refusal) { // It is the same pool by default, which may be out of threads.
      try {
        Runnable unused = deadlines.after(Duration.ZERO, task);
      } catch (Throwable noTimer) {
        try {
          task.run();
        } catch (Throwable thrown) {
          Log.executorFailed(thrown);
        }
      }
    }
  }

  /**
   * Waits for what {@link #executeElsewhere} was given.
   *
   * @return whether all of it has ended; it has not if the executor dropped a task
   */
  boolean awaitElsewhere(long nanos) throws InterruptedException {
    try {
      CompletableFuture.allOf(elsewhere.values().toArray(CompletableFuture<?>[]::new))
          .get(nanos, TimeUnit.NANOSECONDS);
      return true;
    } catch (ExecutionException | TimeoutException e) {
      return false;
    }
  }

  /** Runs once, and not in the thread that hands it in. */
  private static final class Elsewhere implements Runnable {
    private final Runnable code;
    private final AtomicBoolean begun = new AtomicBoolean();
    private final Thread caller = Thread.currentThread();

    // The calling thread's.
    private boolean handingIn = true;
    private boolean refused;

    Elsewhere(Runnable code) {
      this.code = code;
    }

    /** Whether the executor did not take it; from now on any thread may run it. */
    boolean wasRefused() {
      handingIn = false;
      return refused;
    }

    @Override
    public void run() {
      if (Thread.currentThread().equals(caller) && handingIn) {
        refused = true;
      } else if (begun.compareAndSet(false, true)) {
        code.run();
      }
    }
  }

  private void serve() {
    if (waiting.isEmpty() || !task.compareAndSet(Task.NONE, Task.HANDED_IN)) {
      return;
    }
    beginLooks();
    try {
      executor.execute(this::run);
    } catch (Throwable e) { // Whatever it is, somebody waits for the stages.
      completeHere(e);
    }
  }

  /** The executor took no task; an I/O thread is better than a stage that never completes. */
  private void completeHere(Throwable refusal) {
    task.set(Task.NONE);
    for (Completion<?> next = waiting.poll(); next != null; next = waiting.poll()) {
      next.complete();
    }
    // That is what an executor that the user shut down is expected to throw.
    if (!(refusal instanceof RejectedExecutionException) && complained.compareAndSet(false, true)) {
      Log.executorFailed(refusal);
    }
  }

  private void run() {
    if (!task.compareAndSet(Task.HANDED_IN, Task.RUNS)) {
      // Another one was handed in meanwhile, and was faster.
      return;
    }
    progress.incrementAndGet();
    for (Completion<?> next = waiting.poll(); next != null; next = waiting.poll()) {
      if (next.runsOthersCode()) {
        task.set(Task.NONE);
        serve();
        next.complete();
        return;
      }
      next.complete();
      progress.incrementAndGet();
    }
    task.set(Task.NONE);
    serve();
  }

  private void beginLooks() {
    if (!looking.get() && looking.compareAndSet(false, true)) {
      goesOn(progress.get());
      lookLater();
    }
  }

  private void lookLater() {
    try {
      Runnable unused = deadlines.after(LOOK, this::look);
    } catch (RuntimeException | Error e) {
      // Out of threads, perhaps; the next stage begins anew.
      looking.set(false);
    }
  }

  private void look() {
    if (task.get() == Task.NONE) {
      looking.set(false);
      if (task.get() != Task.NONE) {
        beginLooks();
      }
      return;
    }
    int now = progress.get();
    if (now != seen || waiting.isEmpty()) {
      goesOn(now);
    } else if (task.compareAndSet(Task.RUNS, Task.NONE)) {
      serve();
    } else {
      unbegun++;
      if (unbegun >= handInAt) {
        handInAt = 2 * handInAt;
        handInAgain();
      }
    }
    lookLater();
  }

  private void goesOn(int now) {
    seen = now;
    unbegun = 0;
    handInAt = LOOKS_TO_BEGIN;
  }

  private void handInAgain() {
    try {
      executor.execute(this::run);
    } catch (Throwable e) { // As above.
      // Where its queue is full, the task that it has may be in there.
      if (!(executor instanceof ExecutorService service) || service.isShutdown()) {
        completeHere(e);
      }
    }
  }

  private record Completion<T>(
      Completions of, CompletableFuture<T> stage, @Nullable T value, @Nullable Throwable thrown)
      implements Runnable {
    boolean runsOthersCode() {
      return Completions.runsOthersCode(stage);
    }

    void complete() {
      of.settleTimed(stage, value, thrown);
    }

    @Override
    public void run() {
      complete();
    }

    @Override
    public String toString() {
      return "what depends on a stage";
    }
  }
}
