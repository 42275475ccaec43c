package io.arraywire.benchmarks.bench;

import com.sun.management.OperatingSystemMXBean;
import io.arraywire.benchmarks.HeapAllocations;
import java.lang.management.ManagementFactory;

/**
 * What a process has taken beside time.
 *
 * @param cpuNanos of the processors, user and system time of all threads
 * @param allocatedBytes on the heap, by all threads
 */
record Expense(long cpuNanos, long allocatedBytes) {
  static final Expense NONE = new Expense(0, 0);

  private static final OperatingSystemMXBean SYSTEM =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  /** That of this process until now. */
  static Expense now() {
    return new Expense(SYSTEM.getProcessCpuTime(), HeapAllocations.bytes());
  }

  /** What this process has taken since then. */
  static Expense since(Expense then) {
    return now().minus(then);
  }

  /** For {@link #parse}. */
  String[] words() {
    return new String[] {Long.toString(cpuNanos), Long.toString(allocatedBytes)};
  }

  static Expense parse(String... words) {
    return new Expense(Long.parseLong(words[0]), Long.parseLong(words[1]));
  }

  Expense plus(Expense other) {
    return new Expense(cpuNanos + other.cpuNanos, allocatedBytes + other.allocatedBytes);
  }

  /** None of it is below 0: before JDK 21 what threads allocated is forgotten when they end. */
  Expense minus(Expense other) {
    return new Expense(
        Math.max(0, cpuNanos - other.cpuNanos), Math.max(0, allocatedBytes - other.allocatedBytes));
  }

  /** What falls to some of the arrays. */
  Expense part(long some, long all) {
    return new Expense(
        Math.round((double) cpuNanos * some / all),
        Math.round((double) allocatedBytes * some / all));
  }
}
