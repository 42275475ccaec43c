package io.arraywire.nio;

import java.lang.reflect.Method;

/** What the calling thread has allocated; by reflection, since the module needs no such thing. */
final class AllocatedBytes {
  private static final Method GET;
  private static final Object THREADS;

  static {
    try {
      THREADS =
          Class.forName("java.lang.management.ManagementFactory")
              .getMethod("getThreadMXBean")
              .invoke(null);
      GET =
          Class.forName("com.sun.management.ThreadMXBean")
              .getMethod("getCurrentThreadAllocatedBytes");
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private AllocatedBytes() {}

  static long get() {
    try {
      return (long) GET.invoke(THREADS);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }
}
