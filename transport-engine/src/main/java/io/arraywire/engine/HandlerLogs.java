package io.arraywire.engine;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The {@link HandlerLog} of each connection that has one. Beside the connections, of which most
 * never need one and each has to be small. Any thread.
 */
final class HandlerLogs {
  private final Deadlines deadlines;
  private final Map<ConnectionScope, HandlerLog> logs = new ConcurrentHashMap<>();

  HandlerLogs(Deadlines deadlines) {
    this.deadlines = deadlines;
  }

  /**
   * The log of a connection.
   *
   * @param over whether it has ended
   */
  HandlerLog of(ConnectionScope connection, boolean over) {
    HandlerLog log =
        logs.computeIfAbsent(
            connection, key -> new HandlerLog(deadlines, connection.remoteAddress()));
    if (over) {
      // Nobody else would forget it.
      ended(connection);
    }
    return log;
  }

  /** A connection has ended: what was counted for it is told. */
  void ended(ConnectionScope connection) {
    HandlerLog log = logs.remove(connection);
    if (log != null) {
      log.end();
    }
  }
}
