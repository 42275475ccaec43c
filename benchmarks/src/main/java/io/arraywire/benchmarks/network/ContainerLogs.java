package io.arraywire.benchmarks.network;

import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * What the library for containers logs: by default nothing, since each failure is thrown, too; on
 * request what it does, but not every byte.
 */
final class ContainerLogs {
  /** Kept, for the JDK forgets what was set of a logger that nobody holds. */
  private static final List<Logger> LOGGERS =
      List.of(
          Logger.getLogger("org.testcontainers"),
          Logger.getLogger("tc"),
          Logger.getLogger("com.github.dockerjava"));

  private ContainerLogs() {}

  static void limit(boolean verbose) {
    LOGGERS.forEach(each -> each.setLevel(verbose ? Level.INFO : Level.OFF));
  }
}
