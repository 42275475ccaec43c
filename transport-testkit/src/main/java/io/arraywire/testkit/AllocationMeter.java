package io.arraywire.testkit;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** Counts the heap bytes that the calling thread allocates. */
final class AllocationMeter {
  /** What every object takes, with the smallest headers that a JVM has. */
  static final int SMALLEST_OBJECT = 8;

  private static final int WARM_UP = 3;
  private static final int ROUNDS = 5;

  private AllocationMeter() {}

  /** Work to be measured. */
  @FunctionalInterface
  interface Work {
    void run() throws Exception;
  }

  /** Whether this JVM can count. */
  static boolean isSupported() {
    return ManagementFactory.getThreadMXBean() instanceof ThreadMXBean threads
        && threads.isThreadAllocatedMemorySupported()
        && threads.isThreadAllocatedMemoryEnabled();
  }

  /**
   * The bytes that one run allocates: the least of a few runs, after some that may load classes and
   * fill caches.
   */
  static long bytesPerRun(Work work) throws Exception {
    return bytesPerRun(() -> {}, work);
  }

  /** The same of a run that something comes before each time, which may allocate. */
  static long bytesPerRun(Work before, Work work) throws Exception {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long least = Long.MAX_VALUE;
    for (int i = 0; i < WARM_UP + ROUNDS; i++) {
      before.run();
      long begin = threads.getCurrentThreadAllocatedBytes();
      work.run();
      long bytes = threads.getCurrentThreadAllocatedBytes() - begin;
      least = i < WARM_UP ? least : Math.min(least, bytes);
    }
    return least;
  }
}
