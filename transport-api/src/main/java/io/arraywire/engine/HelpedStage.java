package io.arraywire.engine;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * What a user gets who does not wait at once, and may do so later: {@code join} and {@code get}
 * without a limit then move bytes as a waiting {@code send} does, and take the result from whoever
 * finds it. Another thread need not be woken to complete the stage, which takes longer than all
 * else about small arrays. Where anything depends on the stage, it is completed as any other:
 * {@link Completions} has the rules.
 */
class HelpedStage<T> extends CompletableFuture<T> {
  @SuppressWarnings("rawtypes") // There is no class of HelpedStage<T>.
  private static final AtomicReferenceFieldUpdater<HelpedStage, @Nullable Object> STATE =
      AtomicReferenceFieldUpdater.newUpdater(HelpedStage.class, Object.class, "state");

  /** Somebody moves bytes, and will take the result. */
  private static final Object AWAITED = new Object();

  private final Link link;
  private final Completions completions;

  /** {@link #AWAITED}, or what was left to who waits: a value or a {@link Failed}. */
  private volatile @Nullable Object state;

  private record Failed(Throwable cause) {}

  HelpedStage(Link link, Completions completions) {
    this.link = link;
    this.completions = completions;
  }

  /** Whether a completion would run what somebody had depend on this. */
  boolean isDependedOn() {
    return getNumberOfDependents() > 0;
  }

  /**
   * Leaves the result to a thread that waits and is awake; returns whether there is one. From one
   * thread only, and once.
   */
  boolean leaveToWaiter(@Nullable T value, @Nullable Throwable thrown) {
    return AWAITED.equals(state)
        && !isDependedOn()
        && STATE.compareAndSet(this, AWAITED, thrown == null ? value : new Failed(thrown));
  }

  /** What depends on it must get a stage that nobody takes for one of these. */
  @Override
  public <U> CompletableFuture<U> newIncompleteFuture() {
    return new CompletableFuture<>();
  }

  @Override
  public boolean isDone() {
    if (!super.isDone() && state != null) {
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

  private void help() {
    if (super.isDone() || !STATE.compareAndSet(this, null, AWAITED)) {
      return;
    }
    try {
      link.help(this);
    } finally {
      if (!STATE.compareAndSet(this, AWAITED, null)) {
        settle();
      }
    }
  }

  /** Completes it with what was left. */
  @SuppressWarnings("unchecked") // It is what was left, or a failure.
  private void settle() {
    Object left = state;
    if (left == null || AWAITED.equals(left) || !STATE.compareAndSet(this, left, null)) {
      return;
    }
    T value = left instanceof Failed ? null : (T) left;
    Throwable thrown = left instanceof Failed failed ? failed.cause : null;
    if (isDependedOn()) {
      // Somebody's code, which came a moment later.
      completions.add(this, value, thrown);
    } else if (thrown == null) {
      complete(value);
    } else {
      completeExceptionally(thrown);
    }
  }
}
