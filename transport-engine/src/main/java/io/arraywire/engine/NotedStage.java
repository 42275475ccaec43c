package io.arraywire.engine;

import java.lang.ref.WeakReference;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A user's stage, or one that was derived from it. A handler that waits for it is noted, see {@link
 * HandlerWait}. Stages that {@code CompletableFuture.allOf} and {@code anyOf} return are not noted.
 */
abstract class NotedStage<T> extends CompletableFuture<T> {
  /** A stage that a user may keep for longer than its connection lives. */
  private static final class OfUser<T> extends NotedStage<T> {
    private final WeakReference<WaitNotes> notes;
    private final String awaited;

    OfUser(WeakReference<WaitNotes> notes, String awaited) {
      this.notes = notes;
      this.awaited = awaited;
    }

    @Override
    @Nullable WaitNotes notes() {
      return notes.get();
    }

    @Override
    String awaited() {
      return awaited;
    }

    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
      return new OfUser<>(notes, awaited);
    }
  }

  /**
   * Makes a stage.
   *
   * @param awaited what a thread waits for, for {@link WaitNotes#callerWaits}
   */
  static <T> NotedStage<T> of(WaitNotes notes, String awaited) {
    return new OfUser<>(new WeakReference<>(notes), awaited);
  }

  /** Where waiting handlers are noted; null if the connection is gone. */
  abstract @Nullable WaitNotes notes();

  /** What a thread waits for, for {@link WaitNotes#callerWaits}. */
  abstract String awaited();

  @Override
  public <U> CompletableFuture<U> newIncompleteFuture() {
    WaitNotes present = notes();
    return present == null ? new CompletableFuture<>() : of(present, awaited());
  }

  @Override
  public T join() {
    HandlerWait wait = noteWait(Long.MAX_VALUE);
    try {
      return super.join();
    } finally {
      HandlerWait.ended(wait);
    }
  }

  @Override
  public T get() throws InterruptedException, ExecutionException {
    HandlerWait wait = noteWait(Long.MAX_VALUE);
    try {
      return super.get();
    } finally {
      HandlerWait.ended(wait);
    }
  }

  @Override
  public T get(long timeout, TimeUnit unit)
      throws InterruptedException, ExecutionException, TimeoutException {
    long nanos = unit.toNanos(timeout);
    long start = System.nanoTime();
    HandlerWait wait = noteWait(nanos);
    try {
      return super.get(nanos - (System.nanoTime() - start), TimeUnit.NANOSECONDS);
    } finally {
      HandlerWait.ended(wait);
    }
  }

  /**
   * Waits for a moment. A handler of the connection that has to wait for longer is noted, until it
   * says that it no longer does; otherwise null.
   */
  private @Nullable HandlerWait noteWait(long nanos) {
    if (isDone()) {
      return null;
    }
    LoopTurn.checkMayWait("join or get");
    try {
      if (isDoneWithin(Math.min(nanos, HandlerWait.PATIENCE_NANOS))) {
        return null;
      }
    } catch (InterruptedException e) {
      // The wait that follows sees it.
      Thread.currentThread().interrupt();
      return null;
    }
    WaitNotes present = nanos <= HandlerWait.PATIENCE_NANOS ? null : notes();
    return present == null ? null : present.callerWaits(awaited());
  }

  /** Waits for the stage to be complete, whatever with; returns whether it is. */
  boolean isDoneWithin(long nanos) throws InterruptedException {
    try {
      var unused = super.get(nanos, TimeUnit.NANOSECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException | CancellationException e) {
      // The wait that follows sees that, too.
      return true;
    }
  }
}
