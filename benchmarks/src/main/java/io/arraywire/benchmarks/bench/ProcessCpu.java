package io.arraywire.benchmarks.bench;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** What this process has taken of the processors, user and system time of all threads. */
final class ProcessCpu {
  private static final OperatingSystemMXBean SYSTEM =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  private ProcessCpu() {}

  static long nanos() {
    return SYSTEM.getProcessCpuTime();
  }
}
