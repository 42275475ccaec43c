package io.arraywire.engine;

import org.jspecify.annotations.Nullable;

/**
 * What the peer may send on all channels of a connection together, and the connection's share of
 * the memory for arrays that nobody has taken. Guarded by the connection's lock.
 */
class ConnectionCredit extends Credit {
  /** What is held here of the budget for inboxes, once anything was. */
  private @Nullable InboxShare share;

  ConnectionCredit(long window) {
    super(window);
  }

  /**
   * As {@link #holds(long)}; a budget that all connections share is charged, too.
   *
   * @param owner the connection
   */
  void holds(long more, InboxBudget inboxes, InboxShare.Owner owner, EngineRuntime clock) {
    holds(more);
    if (inboxes.budget().isDefault()) {
      InboxShare own = share;
      if (own == null) {
        own = new InboxShare(inboxes, owner, clock);
        share = own;
      }
      own.changes(more);
    }
  }

  /** A channel has told the peer of all that it may send, or there was nothing to tell. */
  void settled(Credit ofChannel) {}

  /** Whether the connection holds too much of the budget to hold more. */
  boolean isOverBudget() {
    return share != null && share.isInTheWay();
  }

  /** Gives back what the budget has to have back: the connection is at rest. */
  void trim() {
    if (share != null) {
      share.trim();
    }
  }

  /**
   * The connection has ended. What has come of it is counted until it is taken, or until nobody has
   * the connection any more.
   */
  void end(Object connection) {
    InboxShare own = share;
    if (own != null && own.ending() && !own.isEmpty()) {
      Unreachables.watch(connection, own::end);
    }
  }
}
