package io.arraywire.benchmarks.bench;

import java.lang.reflect.InvocationTargetException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * A thread for each connection: a virtual one where the JDK has them, otherwise one of the system
 * with a small stack.
 */
final class ConnectionThreads {
  private static final long STACK_BYTES = 256 << 10;

  private ConnectionThreads() {}

  /** Whether there are virtual threads: from JDK 21 on. */
  static boolean virtual() {
    ExecutorService executor = virtualExecutor();
    if (executor == null) {
      return false;
    }
    executor.shutdown();
    return true;
  }

  /** Why there are no virtual threads, or null if there are. */
  static @Nullable String missing() {
    return virtual()
        ? null
        : "no virtual threads (java=" + Runtime.version().feature() + ", needed=21)";
  }

  /** A thread for each task, virtual or of the system. */
  static ExecutorService executor(boolean virtual) {
    return virtual ? executor() : ofTheSystem();
  }

  /** A thread for each task, none of which keeps the process alive. */
  static ExecutorService executor() {
    ExecutorService virtual = virtualExecutor();
    return virtual != null ? virtual : ofTheSystem();
  }

  /** The same with threads of the system on every JDK. */
  static ExecutorService ofTheSystem() {
    return Executors.newCachedThreadPool(ConnectionThreads::daemonOfTheSystem);
  }

  /** A thread of the system with a small stack, which does not keep the process alive. */
  static Thread daemonOfTheSystem(Runnable task) {
    Thread thread = new Thread(null, task, "connection", STACK_BYTES);
    thread.setDaemon(true);
    return thread;
  }

  /** By name, because this code is compiled for a JDK that does not know virtual threads. */
  private static @Nullable ExecutorService virtualExecutor() {
    try {
      return (ExecutorService)
          Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException e) {
      // Before JDK 19 there are none, in 19 and 20 only as a preview.
      return null;
    }
  }
}
