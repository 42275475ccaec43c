package io.arraywire.nio;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.Map;

/** What the JVM knows of its threads; by reflection, since the module needs no such thing. */
final class ThreadFigures {
  private static final Object THREADS;

  /** A call of it makes no object, so that what it counts can be of any size. */
  private static final MethodHandle ALLOCATED;

  private static final Method ALL;
  private static final Method ALLOCATED_BY;
  private static final Method INFO;
  private static final Method WAITED;

  static {
    try {
      THREADS =
          Class.forName("java.lang.management.ManagementFactory")
              .getMethod("getThreadMXBean")
              .invoke(null);
      ALLOCATED =
          MethodHandles.publicLookup()
              .unreflect(
                  Class.forName("com.sun.management.ThreadMXBean")
                      .getMethod("getCurrentThreadAllocatedBytes"))
              .bindTo(THREADS);
      ALL = Class.forName("java.lang.management.ThreadMXBean").getMethod("getAllThreadIds");
      ALLOCATED_BY =
          Class.forName("com.sun.management.ThreadMXBean")
              .getMethod("getThreadAllocatedBytes", long[].class);
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
      return (long) ALLOCATED.invokeExact();
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  /** How many bytes each platform thread that lives has allocated, by the thread's number. */
  static Map<Long, Long> allocatedBytesOfAll() {
    try {
      long[] ids = (long[]) ALL.invoke(THREADS);
      long[] bytes = (long[]) ALLOCATED_BY.invoke(THREADS, (Object) ids);
      Map<Long, Long> all = new HashMap<>();
      for (int i = 0; i < ids.length; i++) {
        if (bytes[i] >= 0) {
          all.put(ids[i], bytes[i]);
        }
      }
      return all;
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
