package io.arraywire.engine;

import io.arraywire.ArraywireException;
import java.lang.ref.WeakReference;
import java.util.concurrent.TimeUnit;

/**
 * What one connection holds of the {@link InboxBudget}. Guarded by the connection's lock, but for
 * what the budget asks of all connections when it is used up.
 */
final class InboxShare extends BudgetShare {
  /** Whose arrays they are. */
  interface Owner {
    /** Gives up the arrays that nobody has taken, and the connection. Later, on another thread. */
    void dropUntaken(ArraywireException cause);
  }

  /** After so long without an array taken, a connection makes no progress. */
  private static final long STILL_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** How much more what nobody takes weighs. */
  private static final int STILL_WEIGHT = 4;

  private final InboxBudget inboxes;

  /** Ended connections are dropped by their users, and this must not keep them. */
  private final WeakReference<Owner> owner;

  private final EngineRuntime clock;
  private boolean listed;

  // For any thread.

  /** What is held, if that is much; else 0. */
  private volatile long large;

  /** When an array was taken last, or this began. */
  private volatile long takenAt;

  private volatile boolean gone;

  InboxShare(InboxBudget inboxes, Owner owner, EngineRuntime clock) {
    super(inboxes.budget());
    this.inboxes = inboxes;
    this.owner = new WeakReference<>(owner);
    this.clock = clock;
    takenAt = clock.nanoTime();
  }

  @Override
  void changes(long bytes) {
    super.changes(bytes);
    long held = held();
    if (held > LEAST || large != 0) {
      large = held > LEAST ? held : 0;
      if (bytes < 0) {
        takenAt = clock.nanoTime();
      }
      if (!listed && held > LEAST) {
        listed = true;
        inboxes.add(this);
      }
    }
  }

  @Override
  void trim() {
    super.trim();
    if (isEmpty()) {
      unlist();
    }
  }

  @Override
  void end() {
    super.end();
    unlist();
  }

  private void unlist() {
    large = 0;
    if (listed) {
      listed = false;
      inboxes.remove(this);
    }
  }

  /** Whether it holds too much for more to come, and no other connection makes room. */
  boolean isInTheWay() {
    return isTooLarge() && !inboxes.makesRoomFor(this, clock.nanoTime());
  }

  // Asked by others, without the lock.

  long weight(long now) {
    return large * (now - takenAt > STILL_NANOS ? STILL_WEIGHT : 1);
  }

  /** Whether it has nothing left to make room with. */
  boolean hasGone() {
    return gone || large == 0;
  }

  /** Has its connection make room. */
  void makeRoom(ArraywireException cause) {
    Owner asked = owner.get();
    if (asked == null) {
      // What it held goes with the collector's next visit.
      gone = true;
      inboxes.remove(this);
    } else {
      asked.dropUntaken(cause);
    }
  }
}
