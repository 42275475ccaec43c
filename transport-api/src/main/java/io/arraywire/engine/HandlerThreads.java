package io.arraywire.engine;

import java.lang.reflect.InvocationTargetException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;

/** Where handlers run unless the user says otherwise. */
final class HandlerThreads {
  private static final Executor STANDARD = make();

  private HandlerThreads() {}

  static Executor standard() {
    return STANDARD;
  }

  /**
   * A virtual thread per task from JDK 21 on, which this code, compiled for 17, can only find by
   * name.
   */
  private static Executor make() {
    ThreadFactory daemons =
        task -> {
          Thread thread = new Thread(task, "arraywire-handler");
          thread.setDaemon(true);
          return thread;
        };
    try {
      return (ExecutorService)
          Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException e) {
      // Before JDK 21. One task per connection at a time, so the number of threads is bounded by
      // that.
      return Executors.newCachedThreadPool(daemons);
    }
  }
}
