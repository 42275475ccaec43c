package io.arraywire.engine;

/**
 * What one connection has taken of the transport's {@link MemoryBudget}. With the default budget it
 * takes somewhat more than it needs. So small arrays that come and go need no lock but the
 * connection's. Guarded by the connection's lock.
 */
class BudgetShare {
  /** The least that is taken beyond the need, where anything is. */
  private static final long LEAST_SLACK = 4 << 10;

  /** What may come, whatever others hold. */
  static final long LEAST = 64 << 10;

  /** What comes may be so many times what is left; see {@link #isTooLarge}. */
  private static final int TIMES_LEFT = 4;

  private final MemoryBudget budget;

  /** What is needed, and what is taken. */
  private long held;

  private long taken;

  /** The part of the send queues that subscribers have yet to take; see {@link #hasRoomFor}. */
  private long published;

  /** The connection has ended, but what has come of it is still here. */
  private boolean ending;

  private boolean ended;

  BudgetShare(MemoryBudget budget) {
    this.budget = budget;
  }

  final boolean isEmpty() {
    return held == 0;
  }

  final long held() {
    return held;
  }

  private long slack() {
    return budget.isDefault() && !ending ? Math.max(LEAST_SLACK, held / 8) : 0;
  }

  /** Takes memory; returns false, and takes nothing, if there is too little. */
  boolean take(long bytes) {
    long needed = held + bytes - taken;
    if (needed > 0) {
      long slack = slack();
      if (slack > 0 && budget.take(needed + slack)) {
        taken += needed + slack;
      } else if (budget.take(needed)) {
        taken += needed;
      } else {
        return false;
      }
    }
    held += bytes;
    return true;
  }

  /** As {@link #take}; if it says no, the writer of the link is woken when there is more. */
  boolean takeOrAwait(long bytes, Link link) {
    if (take(bytes)) {
      return true;
    }
    long needed = held + bytes - taken;
    if (!budget.takeOrAwait(needed, link)) {
      return false;
    }
    taken += needed;
    held += bytes;
    return true;
  }

  /** Takes what there must be room for, though it may be too much. */
  void takeAnyway(long bytes) {
    if (!take(bytes)) {
      long needed = held + bytes - taken;
      budget.takeAnyway(needed);
      taken += needed;
      held += bytes;
    }
  }

  void giveBack(long bytes) {
    held -= bytes;
    long slack = slack();
    long kept = Math.max(2 * slack, ending ? 0 : kept());
    if (taken - held > kept) {
      giveBackBeyond(Math.max(slack, kept / 2));
    }
  }

  /** Bytes that stay taken for what comes next, until the connection is at rest. */
  long kept() {
    return 0;
  }

  /** Gives back what it took beyond the need: the connection is at rest. */
  void trim() {
    giveBackBeyond(0);
  }

  /**
   * The connection has ended. What it holds stays counted until somebody takes it or nobody can:
   * otherwise peers that fill an inbox and leave would fill the heap.
   *
   * @return false if that was known
   */
  boolean ending() {
    if (ending) {
      return false;
    }
    ending = true;
    trim();
    return true;
  }

  /** Gives everything back: the connection has ended, and nothing of it is left. */
  void end() {
    ended = true;
    held = 0;
    published = 0;
    giveBackBeyond(0);
  }

  private void giveBackBeyond(long slack) {
    long back = taken - held - slack;
    if (back > 0) {
      taken -= back;
      budget.giveBack(back);
    }
  }

  /**
   * Whether a published array may be queued beside the others that wait for this peer's
   * subscriptions. Together they may have as many bytes as one send queue, or as the budget has
   * left if that is less. So connections that take nothing leave room for the others, however many
   * they are (dynamic thresholds: Choudhury and Hahne, 1998). The policy of each slow subscription
   * acts long before the budget is used up.
   */
  boolean hasRoomFor(long bytes, long sendQueueBytes) {
    return published == 0 || published + bytes <= Math.min(sendQueueBytes, budget.leftByDefault());
  }

  /** More is held, or with negative bytes less, without being asked. */
  void changes(long bytes) {
    if (ended) {
      return;
    }
    if (bytes > 0) {
      takeAnyway(bytes);
    } else {
      giveBack(-bytes);
    }
  }

  /**
   * Whether so much is held, against what is left, that no more may come. The peer has kept to its
   * credit, but all peers together have more credit than there is memory.
   */
  boolean isTooLarge() {
    return held > LEAST && held / TIMES_LEFT > budget.leftByDefault();
  }

  /** The most that a connection may hold before {@link #isTooLarge}, as much as is left now. */
  static long mayHold(MemoryBudget budget) {
    return Math.max(LEAST, TIMES_LEFT * budget.leftByDefault());
  }

  /** A published array is queued, or with negative bytes has left the queue. */
  void publishes(long bytes) {
    published += bytes;
  }
}
