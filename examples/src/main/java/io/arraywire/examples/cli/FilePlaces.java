package io.arraywire.examples.cli;

import io.arraywire.Connection;
import java.util.HashMap;
import java.util.Map;

/**
 * Places for arrays that go straight into files. No connection takes more than its share, so that
 * one that declares arrays and sends nothing of them leaves places for others. Any thread.
 */
final class FilePlaces {
  private final int most;
  private final int share;

  // Guarded by this.
  private final Map<Connection, Integer> taken = new HashMap<>();
  private int all;

  /**
   * All are free.
   *
   * @param most how many there are
   * @param share how many of them one connection may have
   */
  FilePlaces(int most, int share) {
    this.most = most;
    this.share = share;
  }

  /** Takes one; returns false if there is none for this connection. */
  synchronized boolean take(Connection connection) {
    if (all == most || hasItsShare(connection)) {
      return false;
    }
    all++;
    taken.merge(connection, 1, Integer::sum);
    return true;
  }

  /** Whether a connection has as many as it may have. */
  synchronized boolean hasItsShare(Connection connection) {
    return taken.getOrDefault(connection, 0) == share;
  }

  /** Gives one back, unless {@link #giveBackAll} did. */
  synchronized void giveBack(Connection connection) {
    if (taken.containsKey(connection)) {
      all--;
      taken.computeIfPresent(connection, (key, count) -> count == 1 ? null : count - 1);
    }
  }

  /** Gives back what a connection has that is closed. */
  synchronized void giveBackAll(Connection connection) {
    Integer count = taken.remove(connection);
    if (count != null) {
      all -= count;
    }
  }
}
