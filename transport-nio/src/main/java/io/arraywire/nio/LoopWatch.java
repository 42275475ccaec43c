package io.arraywire.nio;

import java.util.concurrent.atomic.AtomicReference;

/**
 * Whether a watcher looks after the tasks of an event loop's thread. That thread counts a task in
 * its {@link LoopShift} before it asks here. A watcher that goes to sleep says so here before it
 * looks at the count. So one of both sees the other, and no task runs while its watcher sleeps.
 */
final class LoopWatch {
  /** What the watcher does. */
  enum State {
    /** There is none. */
    NONE,
    /** It sleeps until it is woken. */
    SLEEPS,
    LOOKS
  }

  private final AtomicReference<State> state;

  LoopWatch(State first) {
    state = new AtomicReference<>(first);
  }

  /**
   * The loop's thread has begun a task, and wants it to be looked after; returns what the watcher
   * did before. The caller sees to it that one looks from now on.
   */
  State wanted() {
    return state.get() == State.LOOKS ? State.LOOKS : state.getAndSet(State.LOOKS);
  }

  /**
   * The watcher goes to sleep where the shift is still so far; returns whether it does.
   *
   * @param count with no task
   */
  boolean sleeps(LoopShift shift, long count) {
    state.set(State.SLEEPS);
    return shift.count() == count || !state.compareAndSet(State.SLEEPS, State.LOOKS);
  }

  /** Whether the watcher was not woken since. */
  boolean isAsleep() {
    return state.get() == State.SLEEPS;
  }

  /** The watcher ends, unless it was woken; returns whether it does. */
  boolean ends() {
    return state.compareAndSet(State.SLEEPS, State.NONE);
  }

  /** There is no watcher any more, or it could not start. */
  void none() {
    state.set(State.NONE);
  }
}
