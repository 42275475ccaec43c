package io.arraywire.client;

import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The JVM's clock, and threads that all clients of the process share. One hands on what is due; as
 * many others as needed connect or call back. All are daemons, and end when they had nothing to do
 * for ten seconds.
 */
final class SystemRuntime implements ClientRuntime {
  static final SystemRuntime INSTANCE = new SystemRuntime();

  private static final int IDLE_SECONDS = 10;

  /** When a task is tried again for which the process could have no thread. */
  private static final long NO_THREAD_MILLIS = 100;

  private final ScheduledThreadPoolExecutor timer;

  /** Connecting blocks, so each attempt has a thread while it lasts. */
  private final ThreadPoolExecutor workers;

  private SystemRuntime() {
    this(daemons("arraywire-client-timer"), daemons("arraywire-client"));
  }

  /** With threads of a test. */
  SystemRuntime(ThreadFactory timers, ThreadFactory working) {
    timer = new ScheduledThreadPoolExecutor(1, timers);
    workers =
        new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            working);
    timer.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
    timer.allowCoreThreadTimeOut(true);
    timer.setRemoveOnCancelPolicy(true);
  }

  private static ThreadFactory daemons(String name) {
    return task -> {
      Thread thread = new Thread(task, name);
      thread.setDaemon(true);
      return thread;
    };
  }

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }

  @Override
  public Runnable after(long nanos, Runnable task) {
    ScheduledFuture<?> due =
        timer.schedule(() -> execute(task), Math.max(0, nanos), TimeUnit.NANOSECONDS);
    return () -> due.cancel(false);
  }

  @Override
  public void execute(Runnable task) {
    try {
      workers.execute(task);
    } catch (OutOfMemoryError e) {
      // The process has as many threads as it may have. That passes, and clients must outlive it.
      ScheduledFuture<?> unused =
          timer.schedule(() -> execute(task), NO_THREAD_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  @Override
  public long below(long bound) {
    return ThreadLocalRandom.current().nextLong(bound);
  }
}
