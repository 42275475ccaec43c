package io.arraywire.engine;

import io.arraywire.ErrorCode;
import io.arraywire.NoRoomException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * What the inboxes of all connections may hold together, and who makes room when that is used up:
 * the connection that holds most, where what nobody takes weighs more. So peers that fill their
 * inboxes and stay cost those nothing whose arrays are taken. Any thread.
 */
final class InboxBudget {
  private final MemoryBudget budget;

  /** Those that hold much, or did a while ago. */
  private final Set<InboxShare> large = ConcurrentHashMap.newKeySet();

  /** One that was told to make room. One at a time: what it has makes room for several. */
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
   * Whether another connection makes room, or is about to, for one that needs some.
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

  /** The heaviest of those that are heavier than one that needs room. */
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

  /** What a connection ends with that has to make room, or finds none. */
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
