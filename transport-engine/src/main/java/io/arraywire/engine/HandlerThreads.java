package io.arraywire.engine;

import java.lang.reflect.InvocationTargetException;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * Where handlers run, and where stages complete, unless the user says otherwise; one for all
 * transports of the process. From JDK 21 on each task has a virtual thread. Before, there are two
 * pools of at most {@link #most()} daemon threads each, which end when idle. The peer chooses how
 * many channels there are, so it must not choose how many threads.
 *
 * <p>When all threads of a pool hang, further tasks wait, without limit and in order. Other
 * handlers are not called, and after a while the peers have no more credit. Nothing is lost, and no
 * I/O thread waits. Stages have a pool of their own so that handlers that wait for them, all at the
 * same time, do not wait for ever.
 */
final class HandlerThreads {
  private static final Duration IDLE = Duration.ofSeconds(60);
  private static final @Nullable Executor VIRTUAL = virtual();

  private static final Executor HANDLERS =
      VIRTUAL == null ? new ReusedThreads("arraywire-handler", most(), IDLE) : VIRTUAL;
  private static final Executor STAGES =
      VIRTUAL == null ? new ReusedThreads("arraywire-stage", most(), IDLE) : VIRTUAL;

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

  /** By name, because this code is compiled for a JDK that does not know virtual threads. */
  private static @Nullable Executor virtual() {
    try {
      return (Executor) Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException e) {
      return null;
    }
  }
}
