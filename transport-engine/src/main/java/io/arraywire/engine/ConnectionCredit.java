package io.arraywire.engine;

import org.jspecify.annotations.Nullable;

/**
 * What the peer may send on all channels of a connection together, and the connection's share of
 * the memory for arrays that nobody has taken. Guarded by the connection's lock.
 */
class ConnectionCredit extends Credit {
  /** What is held here of the budget for inboxes, once anything was. */
  private @Nullable InboxShare share;

  /** What arrays for handlers have taken here, once there was one. */
  private @Nullable ArrivalShare arrivals;

  ConnectionCredit(long window) {
    super(window);
  }

  /**
   * Charges the budget that all connections share, with negative bytes gives back.
   *
   * @param owner the connection
   */
  void charges(long more, InboxBudget inboxes, InboxShare.Owner owner, EngineRuntime clock) {
    if (inboxes.budget().isDefault()) {
      InboxShare own = share;
      if (own == null) {
        own = new InboxShare(inboxes, owner, clock);
        share = own;
      }
      own.changes(more);
    }
  }

  /** Handlers have so much more of that in hand, or with negative bytes less. */
  void inHand(long more) {
    if (share != null) {
      share.inHand(more);
    }
  }

  /** Whether what handlers have in hand finds room in the budget of arrays for them. */
  boolean handsOver(ArrivalShare toHands) {
    return share == null || share.handsOver(toHands);
  }

  /** What arrays for handlers have taken. */
  ArrivalShare arrivals(ArrivalBudget budget) {
    ArrivalShare own = arrivals;
    if (own == null) {
      own = new ArrivalShare(budget);
      arrivals = own;
    }
    return own;
  }

  /** A channel has told the peer of all that it may send, or there was nothing to tell. */
  void settled(Credit ofChannel) {}

  /** Whether the connection holds too much of the budget to hold more. */
  boolean isOverBudget() {
    return share != null && share.isInTheWay();
  }

  /** What it holds of the budget. */
  long heldOfBudget() {
    return share == null ? 0 : share.held();
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
