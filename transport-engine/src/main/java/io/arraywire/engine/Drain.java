package io.arraywire.engine;

import io.arraywire.ArraywireException;
import io.arraywire.ConnectionClosedException;
import io.arraywire.ErrorCode;
import io.arraywire.TimedOutException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Closes connections in order, for callers that wait until they have ended. Any thread. */
final class Drain {
  private Drain() {}

  /**
   * Closes connections, all at the same time, each within its {@code closeTimeout}; but does not
   * wait for those whose handler it is that calls.
   */
  @SuppressWarnings(
      "ReferenceEquality") // An exception cannot suppress itself; an equal one, it can.
  static void closeAll(Collection<? extends EngineConnection> connections)
      throws ArraywireException {
    if (connections.isEmpty()) {
      return;
    }
    checkMayWait(connections);
    Map<ConnectionCore, Boolean> begun = new LinkedHashMap<>();
    List<ConnectionCore> cores = connections.stream().map(ConnectionCore.class::cast).toList();
    EngineRuntime runtime = cores.get(0).context.runtime();
    long start = runtime.nanoTime();
    for (ConnectionCore connection : cores) {
      begun.put(connection, connection.termination().beginsClose());
    }
    ArraywireException failure = null;
    for (Map.Entry<ConnectionCore, Boolean> each : begun.entrySet()) {
      ConnectionCore connection = each.getKey();
      // The peer may wait for the acknowledgement of the very array that the handler has in hand.
      if (!connection.isHandlerThread()) {
        try {
          long left =
              SystemDeadlines.nanos(connection.context.options().closeTimeout())
                  - (runtime.nanoTime() - start);
          awaitEnd(connection, each.getValue(), left);
        } catch (ArraywireException e) {
          if (failure == null) {
            failure = e;
          } else {
            failure.addSuppressed(e);
          }
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  /** A handler's own connection is not waited for. */
  private static void checkMayWait(Collection<? extends EngineConnection> connections) {
    if (!connections.stream().allMatch(EngineConnection::isHandlerThread)) {
      LoopTurn.checkMayWait("close");
    }
  }

  /** Closes one connection for its caller. */
  static void close(ConnectionCore connection) throws ArraywireException {
    boolean first = !connection.isBeingClosed();
    closeAll(List.of(connection));
    ArraywireException untold = first ? untold(connection) : null;
    if (untold != null) {
      throw untold.forCaller();
    }
  }

  /**
   * A failure that was there before close began and that close reports all the same. In plain mode
   * nothing else says that the peer may not have the arrays that the kernel took. Null if there is
   * none.
   */
  private static @Nullable ArraywireException untold(ConnectionCore connection) {
    connection.lock.lock();
    try {
      ArraywireException failure = connection.failure();
      boolean tells =
          connection.context.options().plainType() != null
              && connection.outbound.arraysSent() > 0
              && !(failure instanceof ConnectionClosedException);
      return tells ? failure : null;
    } finally {
      connection.lock.unlock();
    }
  }

  /** Closes a connection within a time. */
  static void closeWithin(ConnectionCore connection, long nanos) throws ArraywireException {
    boolean begins = connection.termination().beginsClose();
    awaitEnd(connection, begins, nanos);
  }

  private static void awaitEnd(ConnectionCore connection, boolean closedHere, long nanos)
      throws ArraywireException {
    boolean failedBefore = connection.failure() != null;
    try {
      await(connection, nanos);
    } catch (TimeoutException e) {
      TimedOutException timeout =
          new TimedOutException(
              ErrorCode.CLOSE_TIMEOUT,
              missing(connection),
              "closeTimeout",
              connection.context.options().closeTimeout(),
              "unacknowledgedArrays",
              connection.face.load().unacknowledgedArrays(),
              "openRequests",
              openRequests(connection),
              "peer",
              connection.remoteAddress());
      timeout.describing(connection.describe());
      // A peer in plain mode is promised nothing but what the kernel took.
      boolean lost =
          connection.context.options().plainType() == null || !connection.outbound.isEnded();
      connection.fail(lost ? timeout : Failures.closedHere(connection.remoteAddress()), lost);
      awaitDisposed(connection);
      if (lost && !failedBefore) {
        // The connection keeps that object, and other callers get it as their cause.
        throw timeout.forCaller();
      }
    } catch (InterruptedException e) {
      connection.closeNow();
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      throw Failures.of(e);
    }
    ArraywireException cause = connection.failure();
    if (closedHere && cause != null && !(cause instanceof ConnectionClosedException)) {
      throw cause.forCaller();
    }
  }

  /** Waits for the end. In plain mode it is the peer that ends, whenever it likes: that is said. */
  private static void await(ConnectionCore connection, long nanos)
      throws InterruptedException, ExecutionException, TimeoutException {
    EngineRuntime runtime = connection.context.runtime();
    long brief = Math.min(nanos, HandlerWait.PATIENCE_NANOS);
    if (connection.context.options().plainType() != null && brief < nanos) {
      try {
        runtime.await(connection.ended(), brief);
        return;
      } catch (TimeoutException e) {
        Log.closeWaits(connection.remoteAddress(), connection.context.options().closeTimeout());
      }
      runtime.await(connection.ended(), nanos - brief);
    } else {
      runtime.await(connection.ended(), nanos);
    }
  }

  /** Waits until the failed connection has given everything back, but for no user's code. */
  private static void awaitDisposed(ConnectionCore connection) {
    try {
      connection.context.runtime().await(connection.ended(), Shutdown.LINGER.toNanos());
    } catch (TimeoutException e) {
      Log.notDisposed(connection.face, Shutdown.LINGER);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      throw new AssertionError("the stage of the end never fails", e);
    }
  }

  /** What the end of the connection has waited for in vain. */
  private static String missing(ConnectionCore connection) {
    connection.lock.lock();
    try {
      return OutboundReport.missing(connection.outbound);
    } finally {
      connection.lock.unlock();
    }
  }

  /** How many requests of both sides are not answered. */
  private static int openRequests(ConnectionCore connection) {
    connection.lock.lock();
    try {
      return connection.outbound.openRequests;
    } finally {
      connection.lock.unlock();
    }
  }
}
