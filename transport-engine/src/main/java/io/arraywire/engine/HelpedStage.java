package io.arraywire.engine;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The stage of a caller that does not wait at once, and may do so later. {@code join} and {@code
 * get} without a limit then move bytes as a waiting {@code send} does, and take the result from the
 * thread that finds it. So does a thread that parks, in {@code get} with a limit too. The thread
 * that finds the result wakes the one that waits directly. Another thread that completes the stage
 * and wakes it then would take longer than all else about small arrays. Where anything depends on
 * the stage, it is completed as any other: {@link Completions} has the rules.
 */
class HelpedStage<T> extends NotedStage<T> {
  @SuppressWarnings("rawtypes") // There is no class of HelpedStage<T>.
  private static final AtomicReferenceFieldUpdater<HelpedStage, @Nullable Object> STATE =
      AtomicReferenceFieldUpdater.newUpdater(HelpedStage.class, Object.class, "state");

  /** A thread moves bytes or sleeps, and will take the result. */
  private static final Object AWAITED = new Object();

  private final Completions completions;

  /** Not kept by a stage that is complete, which a user may keep. */
  private @Nullable WaitScope connection;

  /** Moves bytes. */
  private volatile @Nullable Thread helper;

  /** The thread that sleeps until there is a result; null while none does. */
  private volatile @Nullable Thread sleeper;

  /** {@link #AWAITED}, or what was left to the waiting caller: a value or a {@link Failed}. */
  private volatile @Nullable Object state;

  private record Failed(Throwable cause) {}

  HelpedStage(WaitScope connection, Completions completions) {
    this.connection = connection;
    this.completions = completions;
  }

  @Override
  final @Nullable WaitNotes notes() {
    return connection;
  }

  @Override
  String awaited() {
    return "for the stage of sendAsync";
  }

  /** Whether a completion would run what somebody had depend on this. */
  boolean isDependedOn() {
    return getNumberOfDependents() > 0;
  }

  /**
   * Leaves the result to a thread that waits; returns whether there is one. From one thread only,
   * and once.
   */
  boolean leaveToWaiter(@Nullable T value, @Nullable Throwable thrown) {
    boolean left =
        AWAITED.equals(state)
            && !isDependedOn()
            && STATE.compareAndSet(this, AWAITED, thrown == null ? value : new Failed(thrown));
    if (left) {
      wakeSleeper();
    }
    return left;
  }

  /** Has the thread that reads run a task between its turns; returns whether it will. */
  boolean runsOnReader(Runnable task, Executor otherwise) {
    WaitScope lent = connection;
    return lent != null && lent.link().runsTask(task, otherwise);
  }

  private void wakeSleeper() {
    Thread asleep = sleeper;
    if (asleep != null) {
      LockSupport.unpark(asleep);
    }
  }

  /**
   * For a helping caller it is done as soon as there is a result. It is completed when the help is
   * over: before, the thread runs the channels of others, too, and must run nobody's code.
   */
  @Override
  public boolean isDone() {
    if (!super.isDone() && isLeft(state)) {
      if (Thread.currentThread().equals(helper)) {
        return true;
      }
      settle();
    }
    return super.isDone();
  }

  @Override
  public T join() {
    help();
    return super.join();
  }

  @Override
  public T get() throws InterruptedException, ExecutionException {
    help();
    return super.get();
  }

  @Override
  public boolean complete(@Nullable T value) {
    return completed(super.complete(value));
  }

  @Override
  public boolean completeExceptionally(Throwable thrown) {
    return completed(super.completeExceptionally(thrown));
  }

  @Override
  public boolean cancel(boolean mayInterruptIfRunning) {
    return completed(super.cancel(mayInterruptIfRunning));
  }

  private boolean completed(boolean first) {
    connection = null;
    wakeSleeper();
    onCompleted();
    return first;
  }

  /** It is complete, and what depends on it has run. */
  void onCompleted() {}

  /** Moves bytes as long as that may bring the result. */
  private void help() {
    WaitScope lent = connection;
    if (!super.isDone()) {
      LoopTurn.checkMayWait("join or get");
    }
    if (lent == null || !beginsWait()) {
      return;
    }
    helper = Thread.currentThread();
    try {
      lent.link().help(this);
    } finally {
      helper = null;
      endWait();
    }
  }

  /** Sleeps where the result can be left to this thread. */
  @Override
  boolean isDoneWithin(long nanos) throws InterruptedException {
    Thread caller = Thread.currentThread();
    // A pool that blocks on stages starts other threads meanwhile, which a stage as such has it do.
    if (caller instanceof ForkJoinWorkerThread || !beginsWait()) {
      return super.isDoneWithin(nanos);
    }
    sleeper = caller;
    try {
      long end = System.nanoTime() + nanos;
      for (long left = nanos;
          left > 0 && !isLeft(state) && !super.isDone();
          left = end - System.nanoTime()) {
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
        LockSupport.parkNanos(this, left);
      }
    } finally {
      sleeper = null;
      endWait();
    }
    return super.isDone();
  }

  /** Whether the result may be left to this thread from now on. */
  private boolean beginsWait() {
    return !super.isDone() && STATE.compareAndSet(this, null, AWAITED);
  }

  private void endWait() {
    if (!STATE.compareAndSet(this, AWAITED, null)) {
      settle();
    }
  }

  private static boolean isLeft(@Nullable Object state) {
    return state != null && !AWAITED.equals(state);
  }

  /** Completes it with what was left. Twice is no harm. */
  @SuppressWarnings("unchecked") // It is what was left, or a failure.
  private void settle() {
    Object left = state;
    if (!isLeft(left)) {
      return;
    }
    T value = left instanceof Failed ? null : (T) left;
    Throwable thrown = left instanceof Failed failed ? failed.cause : null;
    if (isDependedOn()) {
      // Somebody's code, which came a moment later.
      completions.complete(this, value, thrown);
    } else {
      Completions.settle(this, value, thrown);
    }
    // Not before: with no stack or memory left the result must not get lost.
    STATE.compareAndSet(this, left, null);
  }
}
