package io.arraywire.benchmarks;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/** Counts the heap bytes that all threads of this JVM have allocated. For any thread. */
public final class HeapAllocations {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** JDK 21 and later: threads that have ended count, too. */
  private static final @Nullable Method TOTAL = total();

  private HeapAllocations() {}

  private static @Nullable Method total() {
    try {
      return ThreadMXBean.class.getMethod("getTotalThreadAllocatedBytes");
    } catch (NoSuchMethodException e) {
      return null;
    }
  }

  /**
   * The bytes until now. Before JDK 21 those of threads that have ended are missing.
   *
   * @return bytes; what this call itself allocates is less than 1 KiB
   */
  public static long bytes() {
    if (TOTAL != null) {
      try {
        return (long) TOTAL.invoke(THREADS);
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException("allocations cannot be counted", e);
      }
    }
    long sum = 0;
    for (long bytes : THREADS.getThreadAllocatedBytes(THREADS.getAllThreadIds())) {
      // Less than zero for a thread that has just ended.
      sum += Math.max(0, bytes);
    }
    return sum;
  }
}
