package io.arraywire.engine;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Daemon threads up to a number, which end when idle, with any number of tasks behind them, in
 * order. A task starts a thread only if none is idle and fewer than that number are there. A {@link
 * java.util.concurrent.ThreadPoolExecutor} either starts one for each task until it has them all,
 * or none until its queue is full. Any thread.
 */
final class ReusedThreads implements Executor {
  private final String name;
  private final int most;
  private final long idleNanos;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition taskCame = lock.newCondition();

  @GuardedBy("lock")
  private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();

  @GuardedBy("lock")
  private int threads;

  /** How many of the threads wait for a task. */
  @GuardedBy("lock")
  private int idle;

  /**
   * Makes an executor without a thread.
   *
   * @param name of each thread
   * @param most how many threads there may be
   * @param idleTime after how long without a task a thread ends
   */
  ReusedThreads(String name, int most, Duration idleTime) {
    this.name = name;
    this.most = most;
    idleNanos = idleTime.toNanos();
  }

  /** How many threads there are. */
  int threads() {
    lock.lock();
    try {
      return threads;
    } finally {
      lock.unlock();
    }
  }

  /** How many of them wait for a task. */
  int idle() {
    lock.lock();
    try {
      return idle;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Runs a task as soon as a thread has time for it.
   *
   * @throws OutOfMemoryError if the system has no further thread; the task does not run then
   */
  @Override
  public void execute(Runnable task) {
    lock.lock();
    try {
      tasks.add(task);
      if (tasks.size() <= idle) {
        // There is an idle thread for each task that waits.
        taskCame.signal();
      } else if (threads < most) {
        boolean started = false;
        try {
          start();
          started = true;
        } finally {
          if (!started) {
            tasks.removeLast();
          }
        }
      }
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private void start() {
    Thread thread = new Thread(this::work, name);
    thread.setDaemon(true);
    thread.start();
    threads++;
  }

  private void work() {
    boolean ended = false;
    try {
      for (Runnable task = next(); task != null; task = next()) {
        task.run();
      }
      ended = true;
    } finally {
      if (!ended) {
        // The task threw, which is for the thread's handler of uncaught exceptions.
        replace();
      }
    }
  }

  /**
   * Returns null if no task has come for so long that the thread ends, and is no longer counted.
   */
  private @Nullable Runnable next() {
    lock.lock();
    try {
      long left = idleNanos;
      while (tasks.isEmpty()) {
        if (left <= 0) {
          threads--;
          return null;
        }
        idle++;
        try {
          left = taskCame.awaitNanos(left);
        } catch (InterruptedException ignored) {
          // Meant for the task before, which is over: the wait goes on.
        } finally {
          idle--;
        }
      }
      return tasks.poll();
    } finally {
      lock.unlock();
    }
  }

  private void replace() {
    lock.lock();
    try {
      threads--;
      if (tasks.size() > idle) {
        start();
      }
    } finally {
      lock.unlock();
    }
  }
}
