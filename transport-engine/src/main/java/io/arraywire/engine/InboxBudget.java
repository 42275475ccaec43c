package io.arraywire.engine;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.arraywire.ErrorCode;
import io.arraywire.NoRoomException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What the inboxes of all connections may hold together. When that is used up, the connection that
 * holds most makes room; arrays of a connection whose user takes none weigh more. So a peer that
 * fills its inbox and stays cannot displace connections whose arrays are taken. Any thread.
 */
final class InboxBudget {
  /** The part of the budget that may be missing until those go that were told. */
  private static final int MISSING_PART = 8;

  private final MemoryBudget budget;

  /** The shares of connections that hold much, or did a while ago. */
  private final Set<InboxShare> large = ConcurrentHashMap.newKeySet();

  /** Shares that were told to make room, and still hold something. */
  @GuardedBy("this")
  private final Set<InboxShare> leaving = new HashSet<>();

  InboxBudget(MemoryBudget budget) {
    this.budget = budget;
  }

  /** What inboxes may hold. */
  MemoryBudget budget() {
    return budget;
  }

  void add(InboxShare share) {
    large.add(share);
  }

  void remove(InboxShare share) {
    large.remove(share);
  }

  /**
   * Whether other connections make room for this one, or are about to: those that were told to hold
   * more than what is missing. If they hold less, the greediest one is told, too.
   *
   * @param needy the share that needs room; its connection's lock is held
   * @param now the time, of the engine's clock
   */
  boolean makesRoomFor(InboxShare needy, long now) {
    List<InboxShare> told = new ArrayList<>();
    boolean room = choose(needy, now, told);
    for (InboxShare each : told) {
      each.makeRoom(refusal(each.bytesToGo()));
    }
    return room;
  }

  private synchronized boolean choose(InboxShare needy, long now, List<InboxShare> told) {
    leaving.removeIf(InboxShare::hasGone);
    if (leaving.contains(needy)) {
      return false;
    }
    while (!isCovered()) {
      InboxShare greediest = greediest(needy, now);
      if (greediest == null) {
        return false;
      }
      leaving.add(greediest);
      told.add(greediest);
    }
    // Where threads are starved, those that were told take long to go, and the heap has an end.
    return -budget.left() <= budget.limit() / MISSING_PART;
  }

  /**
   * What others take meanwhile must not be more than what is to go, or all of it fills the heap.
   */
  @GuardedBy("this")
  private boolean isCovered() {
    long toGo = 0;
    for (InboxShare each : leaving) {
      toGo += each.bytesToGo();
    }
    // The last of what a share holds is not in its sum.
    return toGo > 0 && -budget.left() <= toGo + BudgetShare.LEAST;
  }

  /** The heaviest share that stays, if it is heavier than the one that needs room; else null. */
  @GuardedBy("this")
  private @Nullable InboxShare greediest(InboxShare needy, long now) {
    InboxShare greediest = null;
    long most = needy.weight(now);
    for (InboxShare each : large) {
      long weight = each.weight(now);
      if (weight > most && !each.hasGone() && !leaving.contains(each)) {
        greediest = each;
        most = weight;
      }
    }
    return greediest;
  }

  /**
   * The failure of a connection that has to make room, or finds none.
   *
   * @param held what it holds
   */
  NoRoomException refusal(long held, Object... facts) {
    List<Object> all = new ArrayList<>(Arrays.asList(facts));
    Collections.addAll(
        all,
        "heldByConnection",
        held,
        "mayHold",
        BudgetShare.mayHold(budget),
        "leftForInboxes",
        budget.left(),
        "inboxLimit",
        budget.limit());
    return new NoRoomException(
        ErrorCode.MEMORY_BUDGET,
        "unreceived arrays fill the memory that all connections here share, and this one holds most;"
            + " receive faster, lower connectionInboxBytes, or have fewer connections",
        all.toArray());
  }
}
