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

  /** Waits until arrays of channel 0 wait to be received. */
  static void awaitWaiting(Connection connection, int arrays) {
    Eventually.until(
        () -> arrays + " arrays wait: " + connection.describe(),
        () -> number(connection, "waitingArrays") == arrays);
  }

  /** Waits until so many bytes have come, the handshake's included. */
  static void awaitReceived(Connection connection, long bytes) {
    Eventually.until(
        () -> bytes + " bytes have come: " + connection.describe(),
        () -> number(connection, "bytesReceived") >= bytes);
  }

  /** Credit with less than this is not worth a frame of a large array. */
  private static final long LITTLE_CREDIT = 128 << 10;

  /**
   * Waits until the peer can send no more, because nobody takes what has come. It has used up its
   * credit, or, in plain mode, the connection is not read.
   */
  static void awaitPeerHeldUp(Connection connection) {
    boolean credit = !connection.agreement().plain();
    Eventually.until(
        () -> "the peer is held up: " + connection.describe(),
        () ->
            credit
                ? number(connection, "peersCredit") < LITTLE_CREDIT
                : connection.describe().contains("reading stopped"));
  }
}
