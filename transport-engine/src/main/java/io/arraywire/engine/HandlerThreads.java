package io.arraywire.engine;

import java.lang.reflect.InvocationTargetException;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Where handlers run, and where stages complete, unless the user says otherwise; one for all
 * transports of the process. From JDK 21 on each task has a virtual thread. Before, there are two
 * pools of at most {@link #most()} daemon threads each, which end when idle. The peer chooses how
 * many channels there are, so it must not choose how many threads.
 *
 * <p>When all threads of a pool hang, further tasks wait, without limit and in order: other
 * handlers are not called, and by and by the peers have no more credit. Nothing is lost, and no I/O
 * thread waits. Stages have a pool of their own so that handlers that wait for them, all at the
 * same time, do not wait for ever.
 */
final class HandlerThreads {
  private static final long IDLE_SECONDS = 60;
  private static final @Nullable Executor VIRTUAL = virtual();

  private static final Executor HANDLERS =
      VIRTUAL == null ? bounded("arraywire-handler", most()) : VIRTUAL;
  private static final Executor STAGES =
      VIRTUAL == null ? bounded("arraywire-stage", most()) : VIRTUAL;

  private HandlerThreads() {}

  /** For handlers. */
  static Executor handlers() {
    return HANDLERS;
  }

  /** For the completion of users' stages. */
  static Executor stages() {
    return STAGES;
  }

  /** The most threads of a pool: so many handlers may hang before others have to wait. */
  static int most() {
    return Math.max(256, 8 * Runtime.getRuntime().availableProcessors());
  }

  /** Daemon threads up to a number, with any number of tasks behind them. */
  static ThreadPoolExecutor bounded(String name, int most) {
    // A LinkedTransferQueue would spare threads where others are idle, but on JDK 17 a thread that
    // waits at one may spin for ever (JDK-8301341).
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            most,
            most,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task -> {
              Thread thread = new Thread(task, name);
              thread.setDaemon(true);
              return thread;
            });
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  /** By name, because this code is compiled for a JDK that does not know virtual threads. */
  private static @Nullable Executor virtual() {
    try {
      return (Executor) Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException e) {
      return null;
    }
  }
}
