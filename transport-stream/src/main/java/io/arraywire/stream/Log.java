package io.arraywire.stream;

import io.arraywire.engine.Refusals;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.SocketAddress;
import java.nio.file.Path;

/**
 * What an operator must know, through {@link System.Logger}; the logger's name is the package's.
 */
final class Log {
  private static final Logger LOGGER = System.getLogger("io.arraywire.stream");

  private Log() {}

  /** Has the JDK configure its logging, which it would otherwise do with the first message. */
  static void touch() {
    var unused = LOGGER.isLoggable(Level.WARNING);
  }

  static void acceptFails(SocketAddress address, Throwable cause) {
    LOGGER.log(
        Level.WARNING,
        "peers cannot be accepted for now; further attempts follow at intervals (address="
            + address
            + ", cause="
            + cause
            + ")"
            + Refusals.hint(cause));
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
