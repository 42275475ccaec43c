package io.arraywire.testkit;

import io.arraywire.Connection;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Waits for what a connection says of itself, where nothing else can be seen from outside. */
final class Described {
  private Described() {}

  /** A number in the connection's description. */
  static long number(Connection connection, String name) {
    String description = connection.describe();
    Matcher matcher = Pattern.compile("\\b" + name + "=(\\d+)").matcher(description);
    if (!matcher.find()) {
      throw new AssertionError("no " + name + " in: " + description);
    }
    return Long.parseLong(matcher.group(1));
  }

  /** Waits until receive calls wait for arrays. */
  static void awaitReceivers(Connection connection, int receivers) {
    Eventually.until(
        () -> receivers + " receivers wait: " + connection.describe(),
        () -> number(connection, "waitingReceivers") == receivers);
  }

  /** Waits until so many bytes have come, the handshake's included. */
  static void awaitReceived(Connection connection, long bytes) {
    Eventually.until(
        () -> bytes + " bytes have come: " + connection.describe(),
        () -> number(connection, "bytesReceived") >= bytes);
  }

  /** Waits until the connection reads no further, because nobody takes what has come. */
  static void awaitReadingStopped(Connection connection) {
    Eventually.until(
        () -> "reading stops: " + connection.describe(),
        () -> connection.describe().contains("reading stopped"));
  }
}
