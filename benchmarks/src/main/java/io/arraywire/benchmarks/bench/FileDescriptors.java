package io.arraywire.benchmarks.bench;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import org.jspecify.annotations.Nullable;

/** How many connections a process may have. */
final class FileDescriptors {
  /** For jars, selectors, pipes and what else a JVM has open. */
  private static final int OTHERS = 200;

  private FileDescriptors() {}

  /** The limit of this process, which its children inherit; as good as none where it is unknown. */
  static long limit() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
        ? unix.getMaxFileDescriptorCount()
        : Long.MAX_VALUE;
  }

  /** Why there cannot be so many connections, or null if there can. */
  static @Nullable String shortage(int connections, long limit) {
    long needed = (long) connections + OTHERS;
    return needed <= limit
        ? null
        : "not enough file descriptors; raise the limit with 'ulimit -n' or take fewer"
            + " --connections (needed="
            + needed
            + ", limit="
            + limit
            + ")";
  }
}
