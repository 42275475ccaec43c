package io.arraywire.engine;

import io.arraywire.ErrorCode;
import io.arraywire.NoRoomException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * What the inboxes of all connections may hold together. When that is used up, the connection that
 * holds most makes room; arrays of a connection whose user takes none weigh more. So a peer that
 * fills its inbox and stays cannot displace connections whose arrays are taken. Any thread.
 */
final class InboxBudget {
  private final MemoryBudget budget;

  /** The shares of connections that hold much, or did a while ago. */
  private final Set<InboxShare> large = ConcurrentHashMap.newKeySet();

  /** The share that was told last to make room. One at a time: it makes room for several others. */
  private final AtomicReference<@Nullable InboxShare> leaving = new AtomicReference<>();

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
   * Whether another connection makes room for this one, or is about to.
   *
   * @param now the time, of the engine's clock
   */
  boolean makesRoomFor(InboxShare needy, long now) {
    InboxShare going = leaving.get();
    if (going == null || going.hasGone()) {
      InboxShare greediest = greediest(needy, now);
      if (greediest == null) {
        return false;
      }
      if (leaving.compareAndSet(going, greediest)) {
        greediest.makeRoom(refusal());
      }
      going = greediest;
    }
    return !going.equals(needy) && going.weight(now) > needy.weight(now);
  }

  /** The heaviest share, if it is heavier than the one that needs room; else null. */
  private @Nullable InboxShare greediest(InboxShare needy, long now) {
    InboxShare greediest = null;
    long most = needy.weight(now);
    for (InboxShare each : large) {
      long weight = each.weight(now);
      if (weight > most && !each.hasGone()) {
        greediest = each;
        most = weight;
      }
    }
    return greediest;
  }

  /** The failure of a connection that has to make room, or finds none. */
  NoRoomException refusal(Object... facts) {
    Object[] all = new Object[facts.length + 2];
    System.arraycopy(facts, 0, all, 0, facts.length);
    all[facts.length] = "leftForInboxes";
    all[facts.length + 1] = budget.leftInWords();
    return new NoRoomException(
        ErrorCode.MEMORY_BUDGET,
        "the connections of this side hold more arrays that nobody has taken than there is memory"
            + " for, and this one holds most; take them faster, lower connectionInboxBytes, or have"
            + " fewer connections",
        all);
  }
}
