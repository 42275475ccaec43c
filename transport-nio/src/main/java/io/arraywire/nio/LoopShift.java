package io.arraywire.nio;

import java.util.ArrayDeque;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The time of one thread as that of an event loop, and its tasks of handlers. It ends when the
 * thread is at a task and another one takes its place. What is first, the end of the task or the
 * other thread, is decided by one word.
 */
final class LoopShift {
  /** What {@link #count} is once another thread is the loop's: odd, for the task goes on. */
  private static final long LEFT_BEHIND = -1;

  private final Thread thread;

  /** How many tasks have begun and ended: odd while the thread is at one. */
  private final AtomicLong count = new AtomicLong();

  /** The tasks that have not begun. The loop's thread uses the list, and the next one takes it. */
  private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();

  /** What runs each of them if this thread does not: they go in and out with their tasks. */
  private final ArrayDeque<Executor> executors = new ArrayDeque<>();

  /** That of the task that was taken out last: an object for both would be one for each task. */
  private @Nullable Executor executorOfLast;

  LoopShift(Thread thread) {
    this.thread = thread;
  }

  Thread thread() {
    return thread;
  }

  boolean isCallers() {
    return Thread.currentThread().equals(thread);
  }

  boolean isAtTask() {
    return isAtTask(count.get());
  }

  /** How far it is. */
  long count() {
    return count.get();
  }

  /** Whether it is at a task where it is so far. */
  static boolean isAtTask(long count) {
    return (count & 1) != 0;
  }

  // The loop's thread.

  void add(Runnable task, Executor otherwise) {
    tasks.add(task);
    executors.add(otherwise);
  }

  boolean hasTasks() {
    return !tasks.isEmpty();
  }

  /** Takes out the next task; there has to be one. */
  Runnable next() {
    executorOfLast = executors.remove();
    return tasks.remove();
  }

  /** What runs the task that was taken out last if this thread does not. */
  Executor executorOfLast() {
    return Objects.requireNonNull(executorOfLast, "no task was taken out");
  }

  // The thread.

  /** A task begins. */
  long begins() {
    return count.incrementAndGet();
  }

  /**
   * The task that began with this count is over; returns whether the thread is still the loop's.
   */
  boolean ends(long begun) {
    return count.compareAndSet(begun, begun + 1);
  }

  // Another thread.

  /** Takes the thread's place, unless the task is over by now; returns whether it has. */
  boolean leavesBehind(long begun) {
    return begun != LEFT_BEHIND && count.compareAndSet(begun, LEFT_BEHIND);
  }
}
