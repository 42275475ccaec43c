package io.arraywire.nio;

import java.lang.reflect.Method;

/** What the JVM knows of its threads; by reflection, since the module needs no such thing. */
final class ThreadFigures {
  private static final Object THREADS;
  private static final Method ALLOCATED;
  private static final Method INFO;
  private static final Method WAITED;

  static {
    try {
      THREADS =
          Class.forName("java.lang.management.ManagementFactory")
              .getMethod("getThreadMXBean")
              .invoke(null);
      ALLOCATED =
          Class.forName("com.sun.management.ThreadMXBean")
              .getMethod("getCurrentThreadAllocatedBytes");
      INFO =
          Class.forName("java.lang.management.ThreadMXBean").getMethod("getThreadInfo", long.class);
      WAITED = Class.forName("java.lang.management.ThreadInfo").getMethod("getWaitedCount");
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private ThreadFigures() {}

  /** How many bytes the calling thread has allocated. */
  static long allocatedBytes() {
    try {
      return (long) ALLOCATED.invoke(THREADS);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /** How often a thread that lives has waited. */
  @SuppressWarnings("deprecation") // Thread.threadId is of JDK 19.
  static long waits(Thread thread) {
    try {
      return (long) WAITED.invoke(INFO.invoke(THREADS, thread.getId()));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }
}
