package io.arraywire.engine;

import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.ElementType;
import io.arraywire.ErrorCode;
import java.lang.System.Logger.Level;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What an operator must know, through {@link System.Logger}; the logger's name is the package's.
 */
final class Log {
  private static final GuardedLogger LOGGER = GuardedLogger.of("io.arraywire");

  /** Any peer can have arrays refused, on as many connections as it may make. */
  private static final LogThrottle REPEATABLE = new LogThrottle(50, 10, System::nanoTime);

  /** Any peer can have sends wait. */
  private static final LogThrottle STALLED = new LogThrottle(50, 1, System::nanoTime);

  /** Codecs that have failed on a block: they may fail on each. */
  private static final Set<String> FAILED_CODECS = ConcurrentHashMap.newKeySet();

  private Log() {}

  /** The block travels raw, so nobody else is told. */
  static void blockNotEncoded(String codec, ElementType type, int elements, Throwable thrown) {
    if (FAILED_CODECS.add(codec)) {
      LOGGER.log(
          Level.WARNING,
          "a codec failed to encode a block, so the block travels raw; further failures of this"
              + " codec are not logged (codec="
              + codec
              + ", type="
              + type.typeName()
              + ", elements="
              + elements
              + ")",
          thrown);
    }
  }

  static void handlerFailed(Connection connection, Throwable thrown) {
    LOGGER.log(Level.WARNING, "onClosed of a handler threw" + of(connection), thrown);
  }

  /** Nobody else here is told, and the handler cannot say it. */
  static void handlerCannotRun(SocketAddress peer, Throwable refusal) {
    repeatable(
        "a handler cannot run, because the handler executor refuses its task; it may be shut down (peer="
            + peer
            + ")",
        refusal);
  }

  static void notDisposed(Connection connection, Object waited) {
    LOGGER.log(
        Level.WARNING,
        "a closed connection still holds memory: a codec, a pool or a target of yours does not"
            + " return (waited="
            + waited
            + ")"
            + of(connection));
  }

  static void notGivenBack(Connection connection, Throwable thrown) {
    LOGGER.log(Level.WARNING, "a pool did not take memory back" + of(connection), thrown);
  }

  /** What {@link RepeatedFailures} lets through. */
  static void repeatable(String line, @Nullable Throwable thrown) {
    repeatable(Level.WARNING, line, thrown);
  }

  /** A handler has refused an array or a request in words of its own. */
  static void refusedOnPurpose(String line) {
    repeatable(Level.INFO, line, null);
  }

  private static void repeatable(Level level, String line, @Nullable Throwable thrown) {
    if (!LOGGER.isLoggable(level)) {
      // A line that nobody logs must not hold back one that is logged later.
      return;
    }
    long before = REPEATABLE.before();
    if (before != LogThrottle.HELD_BACK) {
      LOGGER.log(level, before == 0 ? line : line + "; not logged before: " + before, thrown);
    }
  }

  /** Which connection it is; {@code describe()} is for those that look for more. */
  private static String of(Connection connection) {
    return " (local=" + connection.localAddress() + ", peer=" + connection.remoteAddress() + ")";
  }

  /** The peer is refused, as any peer can be as often as it likes. */
  static void authenticatorFailed(SocketAddress peer, Throwable thrown) {
    repeatable(
        "an authenticator threw; its peer was refused and may try again (peer=" + peer + ")",
        thrown);
  }

  /** What a peer may try as often as it likes. */
  static void denied(SocketAddress peer, ArraywireException denial) {
    repeatable(Level.INFO, denial.getMessage() + " (peer=" + peer + ")", null);
  }

  static void observerFailed(String transport, Throwable thrown) {
    LOGGER.log(
        Level.WARNING,
        "an observer threw; further failures of it are not logged (transport=" + transport + ")",
        thrown);
  }

  static void loopHeld(Object code, long nanos) {
    repeatable(
        "an event loop moved no bytes for "
            + TimeUnit.NANOSECONDS.toMillis(nanos)
            + " ms, because it ran "
            + code
            + "; leave out onLoop or stagesOnLoop where code takes long",
        null);
  }

  static void executorFailed(Throwable thrown) {
    LOGGER.log(
        Level.WARNING,
        "an executor failed to take a task; until it takes tasks again, stages complete on the"
            + " threads that move bytes (further failures are not logged)",
        thrown);
  }

  static void notConnectedAgain(Connection session, long attempts, Throwable failure) {
    LOGGER.log(
        Level.INFO,
        () ->
            "the connection of a session cannot be replaced for now (peer="
                + session.remoteAddress()
                + ", attempts="
                + attempts
                + "): "
                + failure.getMessage());
  }

  /** Once for each wait. */
  static void receiveWaits(String words) {
    LOGGER.log(Level.WARNING, words);
  }

  static void closeWaits(Object peer, Object timeout) {
    LOGGER.log(
        Level.WARNING,
        "close waits for the peer to close, since plain mode has no other sign that the peer"
            + " has read everything; closeTimeout ends the wait (peer="
            + peer
            + ", closeTimeout="
            + timeout
            + ")");
  }

  static void sendStalls(String words) {
    stalled(words, "stalled");
  }

  static void peerSilent(String words) {
    stalled(words, "silent or stalled");
  }

  private static void stalled(String words, String others) {
    if (!LOGGER.isLoggable(Level.WARNING)) {
      return;
    }
    long before = STALLED.before();
    if (before != LogThrottle.HELD_BACK) {
      LOGGER.log(
          Level.WARNING,
          words + (before == 0 ? "" : "; " + others + " before and not logged: " + before));
    }
  }

  /** Once for each transport: an option that cannot be kept is not replaced in silence. */
  static void heartbeatTimeoutRaised(
      Duration wanted, Duration peersInterval, Duration used, SocketAddress peer) {
    LOGGER.log(
        Level.WARNING,
        "heartbeatTimeout is too short: silence ends this connection after three of the peer's"
            + " heartbeat intervals; set the peer's heartbeatInterval to a third of it (heartbeatTimeout="
            + wanted
            + ", peersInterval="
            + peersInterval
            + ", used="
            + used
            + ", peer="
            + peer
            + ")");
  }

  /** Once per listener: a server may wait for its first peer, a program may wait for itself. */
  static void nobodyConnects(Object address, Object waited) {
    LOGGER.log(
        Level.INFO,
        "accept() has waited and nobody has connected yet; a program that connects to itself does so on"
            + " another thread or before it accepts (address="
            + address
            + ", waited="
            + waited
            + ")");
  }

  /** A request that its handler left open and nobody has answered. */
  static void notAnswered(Connection connection, String words) {
    stalled(words + " (peer=" + connection.remoteAddress() + ")", "stalled or not answered");
  }

  static void broken(Connection session, Throwable cause, Object timeout) {
    LOGGER.log(
        Level.INFO,
        () ->
            "the connection of a session broke; it is to be replaced within sessionTimeout (peer="
                + session.remoteAddress()
                + ", sessionTimeout="
                + timeout
                + "): "
                + cause.getMessage());
  }

  static void resumed(Connection session, long resumes) {
    LOGGER.log(
        Level.INFO,
        () ->
            "a session goes on over another connection (peer="
                + session.remoteAddress()
                + ", resumes="
                + resumes
                + ")");
  }

  static void sessionEnded(Connection session, Throwable cause) {
    LOGGER.log(Level.WARNING, () -> "a session ended: " + cause.getMessage() + of(session));
  }

  /** Whether a peer that was not accepted is logged at all. */
  static boolean logsNotAccepted() {
    return LOGGER.isLoggable(Level.INFO);
  }

  /** Strangers can cause as many as they like, so the caller holds some of them back. */
  static void notAccepted(
      SocketAddress peer, SocketAddress listener, Throwable failure, long before) {
    LOGGER.log(
        Level.INFO,
        "a peer was not accepted (address="
            + listener
            + ", peer="
            + peer
            + "): "
            + failure.getMessage()
            + (before == 0 ? "" : "; not logged before this one: " + before));
  }

  /** In plain mode ends that differ in their type fail with what is only a consequence of it. */
  static void failed(
      Connection connection, @Nullable ElementType type, ArraywireException failure) {
    failed(connection, failure);
    if (type != null && ErrorCode.NEGOTIATION_FAILED.isOf(failure)) {
      // As of a peer whose handshake failed; this one was accepted before it said anything.
      repeatable(Level.INFO, String.valueOf(failure.getMessage()), null);
    } else if (type != null && comesOfOtherBytes(failure)) {
      // The failure itself reaches its caller; this is for a reader who looks for the cause.
      repeatable(
          Level.INFO,
          "a connection in plain mode failed on the bytes that came; check that both ends have"
              + " one element type, which plain mode does not tell (plainType="
              + type.typeName()
              + ", local="
              + connection.localAddress()
              + ", peer="
              + connection.remoteAddress()
              + "): "
              + failure.getMessage(),
          null);
    }
  }

  private static boolean comesOfOtherBytes(ArraywireException failure) {
    return ErrorCode.BAD_LENGTH.isOf(failure)
        || ErrorCode.FRAME_TOO_LARGE.isOf(failure)
        || ErrorCode.STALLED_ARRAY.isOf(failure)
        || ErrorCode.TRUNCATED.isOf(failure);
  }

  static void failed(Connection connection, Throwable failure) {
    LOGGER.log(
        Level.DEBUG,
        () -> "connection failed: " + failure.getMessage() + "; " + connection.describe());
  }
}
