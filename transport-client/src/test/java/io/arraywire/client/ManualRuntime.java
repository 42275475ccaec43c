package io.arraywire.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongUnaryOperator;

/** A clock that the test moves, and threads that are the test's own. */
final class ManualRuntime implements ClientRuntime {
  private final List<Task> tasks = new ArrayList<>();
  private long now = 1;
  private long order;
  private LongUnaryOperator draw = bound -> bound - 1;
  private volatile boolean hasThreads = true;

  private record Task(long due, long order, Runnable work) {}

  /** What is drawn below a bound; the highest number unless the test says otherwise. */
  synchronized void draws(LongUnaryOperator numbers) {
    draw = numbers;
  }

  /** Whether the process can have further threads. */
  void hasThreads(boolean can) {
    hasThreads = can;
  }

  @Override
  public synchronized long nanoTime() {
    return now;
  }

  @Override
  public synchronized Runnable after(long nanos, Runnable work) {
    Task task = new Task(now + Math.max(0, nanos), order++, work);
    tasks.add(task);
    return () -> forget(task);
  }

  private synchronized void forget(Task task) {
    tasks.remove(task);
  }

  @Override
  public void execute(Runnable task) {
    if (!hasThreads) {
      throw new OutOfMemoryError("unable to create native thread");
    }
    task.run();
  }

  @Override
  public synchronized long below(long bound) {
    return draw.applyAsLong(bound);
  }

  /** When the next task is due, from now; null if there is none. */
  synchronized Duration next() {
    return tasks.stream()
        .min(Comparator.comparingLong(Task::due))
        .map(task -> Duration.ofNanos(task.due - now))
        .orElse(null);
  }

  /** Lets time pass, and runs what becomes due, in order, at its moment. */
  void advance(Duration time) {
    long end = nanoTime() + time.toNanos();
    for (Task due = due(end); due != null; due = due(end)) {
      due.work.run();
    }
    synchronized (this) {
      now = end;
    }
  }

  private synchronized Task due(long end) {
    Task first =
        tasks.stream()
            .filter(task -> task.due <= end)
            .min(Comparator.comparingLong(Task::due).thenComparingLong(Task::order))
            .orElse(null);
    if (first != null) {
      tasks.remove(first);
      now = Math.max(now, first.due);
    }
    return first;
  }
}
