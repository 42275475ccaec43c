package io.arraywire.client;

import io.arraywire.Connection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** The connections of one address that have not ended. Any thread, without a lock. */
final class OpenConnections {
  private final List<OpenConnection> all = new CopyOnWriteArrayList<>();

  void add(OpenConnection connection) {
    all.add(connection);
  }

  void remove(OpenConnection connection) {
    all.remove(connection);
  }

  /** The one with the fewest calls in flight; null if none takes calls. */
  @Nullable OpenConnection available() {
    OpenConnection best = null;
    for (OpenConnection each : all) {
      if (each.takesCalls() && (best == null || each.inFlight() < best.inFlight())) {
        best = each;
      }
    }
    return best;
  }

  /** How many take calls. */
  int open() {
    int open = 0;
    for (OpenConnection each : all) {
      open += each.takesCalls() ? 1 : 0;
    }
    return open;
  }

  /** Whether one of them shows that the address is good; those that drain count, too. */
  boolean haveProved(long now) {
    for (OpenConnection each : all) {
      if (each.hasProved(now)) {
        return true;
      }
    }
    return false;
  }

  /** Calls in flight, over those that drain, too. */
  int inFlight() {
    int calls = 0;
    for (OpenConnection each : all) {
      calls += each.inFlight();
    }
    return calls;
  }

  /** Those that drain, too. */
  List<Connection> connections() {
    return all.stream().map(each -> each.connection).toList();
  }
}
