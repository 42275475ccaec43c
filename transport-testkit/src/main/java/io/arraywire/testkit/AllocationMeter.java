package io.arraywire.testkit;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** Counts the heap bytes that the calling thread allocates. */
final class AllocationMeter {
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
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    for (int i = 0; i < WARM_UP; i++) {
      work.run();
    }
    long least = Long.MAX_VALUE;
    for (int i = 0; i < ROUNDS; i++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      work.run();
      least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
    }
    return least;
  }
}
