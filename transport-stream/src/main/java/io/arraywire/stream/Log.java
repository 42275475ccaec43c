package io.arraywire.stream;

import io.arraywire.engine.AcceptPauses;
import io.arraywire.engine.GuardedLogger;
import java.lang.System.Logger.Level;
import java.net.SocketAddress;
import java.nio.file.Path;

/**
 * What an operator must know, through {@link System.Logger}; the logger's name is the package's.
 */
final class Log {
  private static final GuardedLogger LOGGER = GuardedLogger.of("io.arraywire.stream");

  private Log() {}

  /** Has the JDK prepare its logging, which it would otherwise do with the first message. */
  static void touch() {
    LOGGER.touch();
  }

  /** What a listener says when it cannot accept. */
  static AcceptPauses acceptPauses(SocketAddress address) {
    return new AcceptPauses(address, LOGGER);
  }

  static void fileNotRemoved(Path path, Throwable cause) {
    LOGGER.log(
        Level.WARNING,
        "the file of a Unix domain socket could not be removed (path="
            + path
            + ", cause="
            + cause
            + ")");
  }

  static void notTouched(Throwable cause) {
    LOGGER.log(
        Level.DEBUG,
        "what the JDK loads with the first socket could not be loaded in advance",
        cause);
  }
}
