package io.arraywire.client;

import io.arraywire.Connection;
import java.util.concurrent.atomic.AtomicInteger;

/** A connection of a client, and how many calls it carries. Any thread. */
final class OpenConnection {
  /** A connection that ended earlier, and served nothing, counts as a failed attempt. */
  static final long PROVED = 1_000_000_000;

  final Connection connection;

  /** When it was opened. */
  final long opened;

  private final AtomicInteger inFlight = new AtomicInteger();
  private volatile boolean retired;
  private volatile boolean used;

  OpenConnection(Connection connection, long opened) {
    this.connection = connection;
    this.opened = opened;
  }

  /** Whether it takes further calls: false from the peer's goodbye on. */
  boolean takesCalls() {
    return !retired && connection.isOpen();
  }

  /**
   * The peer takes no more calls, though it has not yet said goodbye. What is in flight goes on.
   */
  void retire() {
    retired = true;
  }

  void begin() {
    inFlight.incrementAndGet();
  }

  void end(boolean served) {
    inFlight.decrementAndGet();
    if (served) {
      used = true;
    }
  }

  int inFlight() {
    return inFlight.get();
  }

  /** Whether the far side has done something over it, or has kept it for a time. */
  boolean hasProved(long now) {
    return used || now - opened >= PROVED;
  }
}
