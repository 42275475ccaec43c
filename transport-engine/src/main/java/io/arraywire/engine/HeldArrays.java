package io.arraywire.engine;

import io.arraywire.ErrorCode;
import io.arraywire.NoRoomException;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;

/**
 * The callers' arrays of one connection, or session, that no thread waits for. They are those of
 * {@code sendAsync} and of replies, from the call until the stage is done. They take of the default
 * {@link MemoryBudget}, or a peer that takes nothing would have this side fill its heap with
 * answers. Any thread, without a lock.
 */
final class HeldArrays {
  private static final AtomicLongFieldUpdater<HeldArrays> HELD =
      AtomicLongFieldUpdater.newUpdater(HeldArrays.class, "held");

  /** Stands for the arrays of a peer for which none are held; nothing is taken of it. */
  static final HeldArrays NONE = new HeldArrays(new MemoryBudget(Long.MAX_VALUE));

  private final MemoryBudget budget;

  /** Bytes, with the bookkeeping. */
  private volatile long held;

  HeldArrays(MemoryBudget budget) {
    this.budget = budget;
  }

  /**
   * Takes what an array needs. All that is held for one peer may be as large as what is left for
   * all others; see {@link BudgetShare#hasRoomFor}. One array, or {@link BudgetShare#LEAST}, may be
   * held in any case, or a connection would stand still for the others.
   *
   * @throws NoRoomException if there is too little; nothing is taken then
   */
  void take(long arrayBytes, int channel) throws NoRoomException {
    long bytes = arrayBytes + Bookkeeping.ARRAY_BYTES;
    long before = held;
    if (before > 0
        && before + bytes > BudgetShare.LEAST
        && before + bytes > budget.leftByDefault()) {
      throw new NoRoomException(
          ErrorCode.SEND_QUEUE_FULL,
          "too many bytes wait for this peer to read them; wait for some of them, use send,"
              + " which waits, or raise the heap or memoryBudgetBytes",
          "bytes",
          arrayBytes,
          "heldForPeer",
          before,
          "leftOfMemoryBudget",
          budget.leftInWords(),
          "channel",
          channel);
    }
    HELD.addAndGet(this, bytes);
    budget.hold(bytes);
  }

  /** The array is its caller's again. */
  void giveBack(long arrayBytes) {
    long bytes = arrayBytes + Bookkeeping.ARRAY_BYTES;
    HELD.addAndGet(this, -bytes);
    budget.release(bytes);
  }

  boolean isEmpty() {
    return held == 0;
  }
}
