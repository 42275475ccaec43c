package io.arraywire.engine;

import org.jspecify.annotations.Nullable;

/**
 * What this side allows its peer to send, on one channel or on all together, in bytes of ARRAY and
 * CHUNK frames. Guarded by the connection's lock.
 *
 * <p>The peer may send as much as there is room for: the window, less what is held of arrays that
 * nobody has asked for, and the rest of those that somebody has, since they need no room here.
 */
final class Credit {
  private final long window;
  private long granted;
  private long received;
  private long held;
  private long wanted;

  /** With that of a connection: what is held here of the budget for inboxes, once anything was. */
  private @Nullable BudgetShare share;

  Credit(long window) {
    this.window = window;
    granted = window;
  }

  boolean allows(long bytes) {
    return received + bytes <= granted;
  }

  long window() {
    return window;
  }

  long left() {
    return granted - received;
  }

  void received(long bytes) {
    received += bytes;
  }

  /** What is here of arrays that nobody has asked for changes. */
  void holds(long more) {
    held += more;
  }

  /** The same with that of a connection. */
  void holds(long more, MemoryBudget budget) {
    holds(more);
    if (budget.isDefault()) {
      BudgetShare own = share;
      if (own == null) {
        own = new BudgetShare(budget);
        share = own;
      }
      own.changes(more);
    }
  }

  /** Whether the connection holds too much of the budget to hold more. */
  boolean isOverBudget() {
    return share != null && share.isTooLarge();
  }

  /** Gives back what the budget has to have back: the connection is at rest. */
  void trim() {
    if (share != null) {
      share.trim();
    }
  }

  /**
   * The connection has ended. What has come of it is counted until it is taken.
   *
   * @return what is to be ended when nobody can take it any more; null if nothing is held, or it
   *     was returned before
   */
  @Nullable BudgetShare end() {
    BudgetShare own = share;
    if (own == null || !own.ending()) {
      return null;
    }
    return own.isEmpty() ? null : own;
  }

  /** What is still to come of arrays that somebody has asked for changes. */
  void wants(long more) {
    wanted += more;
  }

  private long target() {
    return received + Math.max(0, window - held) + wanted;
  }

  /**
   * Whether to tell the peer: half of the window can be given back, or the peer would stop in the
   * middle of an array that is waited for.
   */
  boolean isDue() {
    long due = target() - granted;
    return due >= window / 2 || (due > 0 && left() < wanted);
  }

  /** Allows as much as there is room for; returns the total since the beginning. */
  long grant() {
    granted = Math.max(granted, target());
    return granted;
  }

  long held() {
    return held;
  }
}
