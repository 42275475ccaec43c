package io.arraywire.engine;

import io.arraywire.Connection;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/**
 * What an operator must know, through {@link System.Logger}; the logger's name is the package's.
 */
final class Log {
  private static final Logger LOGGER = System.getLogger("io.arraywire");

  private Log() {}

  static void handlerFailed(Connection connection, Throwable thrown) {
    LOGGER.log(Level.WARNING, "onClosed of a handler threw; " + connection.describe(), thrown);
  }

  static void rejected(
      Connection connection, long sequence, Throwable refusal, boolean senderTold) {
    LOGGER.log(
        Level.WARNING,
        (senderTold
                ? "array refused and its sender told (sequence="
                : "array refused; plain mode cannot tell its sender (sequence=")
            + sequence
            + ", peer="
            + connection.remoteAddress()
            + "): "
            + refusal.getMessage());
  }

  static void failed(Connection connection, Throwable failure) {
    LOGGER.log(
        Level.DEBUG,
        () -> "connection failed: " + failure.getMessage() + "; " + connection.describe());
  }
}
