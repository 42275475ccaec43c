package io.arraywire.engine;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Counts the callers' arrays that no thread waits for: those of {@code sendAsync} and of replies,
 * from the call until the peer has them or they have failed. Where the user has set no budget they
 * take of the default one, or a peer that takes nothing would have the caller fill the heap.
 *
 * <p>A large array is counted once, however many peers it goes to. Small ones are counted for each
 * peer, as a part of what the connection's {@link BudgetShare} takes: that takes no lock that
 * connections share. Any thread; a share is guarded by the lock of its owner.
 */
final class HeldArrays {
  /** More of them are seldom counted at a time. */
  private static final int MOST_SPARES = 64;

  private static final class Held {
    long bytes;
    int sends;
  }

  private final MemoryBudget budget;

  @GuardedBy("this")
  private final Map<Object, Held> large = new IdentityHashMap<>();

  @GuardedBy("this")
  private final ArrayDeque<Held> spares = new ArrayDeque<>(1);

  HeldArrays(MemoryBudget budget) {
    this.budget = budget;
  }

  /** Whether anything is counted: a budget that the user has set counts what is queued instead. */
  boolean isCounting() {
    return budget.isDefault();
  }

  /**
   * Whether another array may be left with one that holds some already: together they may be as
   * large as what the budget has left, so peers that take nothing leave room for the others; see
   * {@link BudgetShare#hasRoomFor}. One is accepted in any case, or a connection would stand still
   * for the others.
   */
  boolean hasRoom(@Nullable BudgetShare share, long bytes) {
    if (!isCounting()) {
      return true;
    }
    long held = share == null ? 0 : share.callers();
    return held == 0 || held + bytes <= budget.leftByDefault();
  }

  /** Whether the owner of a share holds more than is left for all others. */
  boolean isCrowdedBy(@Nullable BudgetShare share) {
    return isCounting() && share != null && share.callers() > budget.leftByDefault();
  }

  /** An array is left with the owner of a share, which takes {@link Bookkeeping#ofCaller}. */
  void hold(BudgetShare share, Object array, long bytes) {
    share.holdsForCaller(bytes + Bookkeeping.ARRAY_BYTES);
    if (bytes >= Bookkeeping.LARGE) {
      holdLarge(array, bytes);
    }
  }

  /** The same for one that goes over a connection, if its caller does not wait. */
  void hold(BudgetShare share, OutboundArray array) {
    if (array.timed && isCounting()) {
      hold(share, array.slice.array(), array.encodedBytes);
      array.isHeld = true;
    }
  }

  private synchronized void holdLarge(Object array, long bytes) {
    Held held = large.get(array);
    if (held == null) {
      held = spares.isEmpty() ? new Held() : spares.pop();
      held.bytes = bytes;
      large.put(array, held);
      budget.takeAnyway(bytes);
    }
    held.sends++;
  }

  /** The array is its caller's again. */
  void release(BudgetShare share, Object array, long bytes) {
    share.holdsForCaller(-bytes - Bookkeeping.ARRAY_BYTES);
    if (bytes >= Bookkeeping.LARGE) {
      budget.giveBack(releaseLarge(array));
    }
  }

  /** The same for one that went over a connection, once; and what it took of the share. */
  void settle(BudgetShare share, OutboundArray array) {
    share.giveBack(array.charge);
    array.charge = 0;
    release(share, array);
  }

  /** The same for a chain, of which some may have given it back when they left. */
  void settleAll(@Nullable BudgetShare share, @Nullable OutboundArray chain) {
    for (OutboundArray array = chain; array != null && share != null; array = array.next) {
      if (array.isHeld) {
        settle(share, array);
      }
    }
  }

  /** The arrays are their callers' again: their connection has ended, and the share with it. */
  void releaseAll(BudgetShare share, List<OutboundArray> arrays) {
    arrays.forEach(array -> release(share, array));
  }

  private void release(BudgetShare share, OutboundArray array) {
    if (array.isHeld) {
      array.isHeld = false;
      release(share, array.slice.array(), array.encodedBytes);
    }
  }

  /** Returns what is to be given back. */
  private synchronized long releaseLarge(Object array) {
    Held held = large.get(array);
    if (held == null) {
      throw new IllegalStateException("an array that was not counted");
    }
    held.sends--;
    if (held.sends > 0) {
      return 0;
    }
    large.remove(array);
    if (spares.size() < MOST_SPARES) {
      spares.push(held);
    }
    return held.bytes;
  }
}
