package io.arraywire.engine;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What one thread waits for: a value or a failure, once. Unlike a {@link CompletableFuture} it
 * costs nothing to wait for, and can be {@linkplain #reset() used again}; where stages must depend
 * on it there is {@link #stage()}.
 *
 * <p>Any thread completes it; one at a time waits.
 */
final class ReusableFuture<T> implements Future<T> {
  // Not an AtomicReference of its own: each array has one of these.
  @SuppressWarnings("rawtypes")
  private static final AtomicReferenceFieldUpdater<ReusableFuture, @Nullable Object> STATE =
      AtomicReferenceFieldUpdater.newUpdater(ReusableFuture.class, Object.class, "state");

  /** The value or a {@link Failed} at the end; before, a {@link Stage} or null. */
  private volatile @Nullable Object state;

  private volatile @Nullable Thread waiting;

  private record Failed(Throwable cause) {}

  /** What depends on it, while it is not complete. */
  private static final class Stage<T> extends CompletableFuture<T> {}

  /** Completes it with a value; returns whether it was not complete before. */
  boolean complete(T value) {
    return end(value);
  }

  /** Completes it with a failure; returns whether it was not complete before. */
  boolean completeExceptionally(Throwable cause) {
    return end(new Failed(cause));
  }

  @SuppressWarnings("unchecked") // A stage of this type is the only one there is.
  private boolean end(Object with) {
    Object before = state;
    while (!isEnd(before)) {
      if (STATE.compareAndSet(this, before, with)) {
        // From here on it may be in use for something else: a thread that waits then looks again.
        nudge();
        if (before != null) {
          tell((Stage<T>) before, with);
        }
        return true;
      }
      before = state;
    }
    return false;
  }

  private static boolean isEnd(@Nullable Object state) {
    return state != null && !(state instanceof Stage);
  }

  @SuppressWarnings("unchecked") // It is what complete was given.
  private static <T> void tell(CompletableFuture<T> told, Object end) {
    if (end instanceof Failed failed) {
      told.completeExceptionally(failed.cause);
    } else {
      told.complete((T) end);
    }
  }

  /** The same as a stage, for those that depend on it. */
  @SuppressWarnings("unchecked") // As above.
  CompletableFuture<T> stage() {
    Stage<T> made = new Stage<>();
    if (STATE.compareAndSet(this, null, made)) {
      return made;
    }
    Object now = state;
    if (!isEnd(now)) {
      return (Stage<T>) Objects.requireNonNull(now);
    }
    tell(made, Objects.requireNonNull(now));
    return made;
  }

  /**
   * To be used again: no thread waits for it or is about to complete it, and the next user learns
   * of it with a lock.
   */
  void reset() {
    state = null;
  }

  @Override
  public boolean isDone() {
    return isEnd(state);
  }

  /** Whether it is done, and went well. */
  boolean isSuccess() {
    Object now = state;
    return isEnd(now) && !(now instanceof Failed);
  }

  /** Whether a thread waits for it now. */
  boolean isAwaitedBy(@Nullable Thread thread) {
    return thread != null && thread.equals(waiting);
  }

  /** Has a thread that waits look again at what else it waits for. */
  void nudge() {
    Thread woken = waiting;
    if (woken != null) {
      LockSupport.unpark(woken);
    }
  }

  /**
   * Waits for the outcome, or for something else that {@link #nudge()} is called for.
   *
   * @param other what else ends the waiting, or null
   * @return whether either has happened in time
   */
  boolean await(@Nullable BooleanSupplier other, long nanos) throws InterruptedException {
    if (isOver(other)) {
      return true;
    }
    long start = System.nanoTime();
    waiting = Thread.currentThread();
    try {
      while (!isOver(other)) {
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
        long left = nanos - (System.nanoTime() - start);
        if (left <= 0) {
          return false;
        }
        LockSupport.parkNanos(this, left);
      }
      return true;
    } finally {
      waiting = null;
    }
  }

  private boolean isOver(@Nullable BooleanSupplier other) {
    return isEnd(state) || (other != null && other.getAsBoolean());
  }

  @Override
  public T get() throws InterruptedException, ExecutionException {
    while (!await(null, Long.MAX_VALUE)) {
      // Centuries have passed.
    }
    return report();
  }

  @Override
  public T get(long timeout, TimeUnit unit)
      throws InterruptedException, ExecutionException, TimeoutException {
    if (!await(null, unit.toNanos(timeout))) {
      throw new TimeoutException();
    }
    return report();
  }

  /** What it was completed with; null if it was not, or with a failure. */
  @SuppressWarnings("unchecked") // It is what complete was given.
  @Nullable T value() {
    return isSuccess() ? (T) state : null;
  }

  @SuppressWarnings("unchecked") // It is what complete was given.
  private T report() throws ExecutionException {
    Object now = state;
    if (now == null || !isEnd(now)) {
      throw new IllegalStateException("there is no outcome yet");
    }
    if (now instanceof Failed failed) {
      throw new ExecutionException(failed.cause);
    }
    return (T) now;
  }

  /** Not supported: what it is the outcome of is withdrawn instead. */
  @Override
  public boolean cancel(boolean mayInterruptIfRunning) {
    return false;
  }

  @Override
  public boolean isCancelled() {
    return false;
  }
}
