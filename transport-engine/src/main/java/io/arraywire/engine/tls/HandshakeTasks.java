package io.arraywire.engine.tls;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Where the costly steps of TLS handshakes run: signatures and the checks of certificates. A peer
 * causes them before it has said who it is. So they have half of the processors at most, and no
 * more than a thousand wait. One pool for all transports of the process.
 */
final class HandshakeTasks {
  private static final int MOST_WAITING = 1000;
  private static final long IDLE_SECONDS = 30;
  private static final Executor POOL = pool();

  private HandshakeTasks() {}

  /** Rejects tasks when too many wait. */
  static Executor pool() {
    int threads = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            threads,
            threads,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(MOST_WAITING),
            task -> {
              Thread thread = new Thread(task, "arraywire-tls-handshake");
              thread.setDaemon(true);
              return thread;
            });
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  static Executor shared() {
    return POOL;
  }
}
