package io.arraywire.stream;

import java.util.concurrent.ThreadFactory;

/**
 * Makes the threads that read and write. Nobody interrupts them: they end when their socket is
 * closed.
 */
@FunctionalInterface
interface Threads {

  /**
   * A thread that is not started and does not keep the process alive.
   *
   * @throws OutOfMemoryError here or in {@link Thread#start()}, if the system has no more threads
   */
  Thread unstarted(String name, Runnable task);

  /** Virtual threads where the JDK has them, else platform threads. */
  static Threads best() {
    return Best.THREADS;
  }

  /** Platform threads. */
  static Threads platform() {
    return (name, task) -> {
      Thread thread = new Thread(task, name);
      thread.setDaemon(true);
      return thread;
    };
  }

  /** Whether a thread is virtual; by name, since this code is compiled for a JDK without them. */
  static boolean isVirtual(Thread thread) {
    return thread.getClass().getName().equals("java.lang.VirtualThread");
  }

  /** Looked for once. */
  final class Best {
    private static final Threads THREADS = find();

    private Best() {}

    /** By name, because this code is compiled for a JDK that does not know virtual threads. */
    private static Threads find() {
      try {
        Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
        ThreadFactory factory =
            (ThreadFactory)
                Class.forName("java.lang.Thread$Builder").getMethod("factory").invoke(builder);
        return (name, task) -> {
          Thread thread = factory.newThread(task);
          thread.setName(name);
          return thread;
        };
      } catch (ReflectiveOperationException e) {
        // Before JDK 19 there are none, in 19 and 20 only as a preview.
        return platform();
      }
    }
  }
}
