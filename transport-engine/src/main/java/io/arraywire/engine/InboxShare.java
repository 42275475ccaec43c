package io.arraywire.engine;

import io.arraywire.ArraywireException;
import java.lang.ref.WeakReference;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What one connection holds of the {@link InboxBudget}. Guarded by the connection's lock; only what
 * the budget asks of every connection, when it is used up, is for any thread.
 */
final class InboxShare extends BudgetShare {
  /** The connection that the arrays have come over. */
  interface Owner {
    /** Gives up the arrays that nobody has taken, and the connection. Later, on another thread. */
    void dropUntaken(ArraywireException cause);
  }

  /** A connection makes no progress if its user has taken no array for so long. */
  private static final long STILL_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** How many times more the arrays of a connection without progress weigh. */
  private static final int STILL_WEIGHT = 4;

  /** Small arrays that come and go do not ask what others hold. */
  private static final int LITTLE = 4 << 10;

  /**
   * What stays taken for arrays that come and go, as long as there is much for everybody: some that
   * are as large as arrays begin. So they need no lock but the connection's.
   */
  private static final long KEPT = 8L * ArrivalBudget.FIRST_BYTES;

  /**
   * What handlers have in hand goes over to their own budget in pieces, so that few take a lock.
   */
  private static final long PIECE = ArrivalBudget.FIRST_BYTES;

  private final InboxBudget inboxes;

  /** Weak: the budget must not keep an ended connection that its user has dropped. */
  private final WeakReference<Owner> owner;

  private final EngineRuntime clock;
  private boolean listed;

  /** What handlers have in hand, which stays though the connection goes. */
  private long inHand;

  /** The part of it that counts in the budget of arrays for handlers, and not here. */
  private long handedOver;

  /** What counts there; null before anything did. */
  private @Nullable ArrivalShare hands;

  // For any thread.

  /** What is held and would go with the connection, if that is much; else 0. */
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
    look(bytes < 0);
  }

  /** Handlers have so much more of it in hand, or with negative bytes less. */
  void inHand(long bytes) {
    inHand += bytes;
    if (handedOver > inHand) {
      takeBack(pieces(handedOver - inHand));
    }
    if (bytes > 0) {
      look(true);
    }
    // Otherwise it is given back next. A look at this moment would count it as untaken.
  }

  /**
   * Counts the bytes that handlers have in hand in their own budget, but for a small allowance. A
   * peer cannot free these bytes, so the budget of inboxes must not fill up with them. Returns
   * whether the handlers' budget has room.
   */
  boolean handsOver(ArrivalShare toHands) {
    long more = inHand - handedOver;
    if (more <= LEAST || more <= kept()) {
      return true;
    }
    long bytes = pieces(more - LEAST);
    if (!toHands.budget.take(toHands, bytes)) {
      return false;
    }
    hands = toHands;
    handedOver += bytes;
    super.changes(-bytes);
    return true;
  }

  /** So much of that counts here again. */
  private void takeBack(long bytes) {
    if (hands != null) {
      hands.budget.giveBack(hands, bytes);
      handedOver -= bytes;
      super.changes(bytes);
    }
  }

  private static long pieces(long bytes) {
    return (bytes + PIECE - 1) / PIECE * PIECE;
  }

  @Override
  long kept() {
    MemoryBudget all = inboxes.budget();
    return all.left() > all.limit() - all.limit() / 8 ? KEPT : 0;
  }

  private void look(boolean taken) {
    long untaken = held() - (inHand - handedOver);
    if (untaken > LEAST || large != 0) {
      large = untaken > LEAST ? untaken : 0;
      if (taken) {
        takenAt = clock.nanoTime();
      }
      if (!listed && untaken > LEAST) {
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
    takeBack(handedOver);
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

  /**
   * Whether it holds too much for more to come, and no other connection makes room. One that holds
   * little may go on in any case. But once more is held than there is, larger ones make room for
   * it, too: small ones are many.
   */
  boolean isInTheWay() {
    if (isTooLarge()) {
      // Others may have gone since it was looked at, and then nobody has to make room any more.
      return !inboxes.makesRoomFor(this, clock.nanoTime()) && isTooLarge();
    }
    if (held() > LITTLE && inboxes.budget().left() < 0) {
      inboxes.makesRoomFor(this, clock.nanoTime());
    }
    return false;
  }

  // Other connections ask this, without the lock.

  long weight(long now) {
    return large * (now - takenAt > STILL_NANOS ? STILL_WEIGHT : 1);
  }

  /** What there will be room for once it has made room. */
  long bytesToGo() {
    return gone ? 0 : large;
  }

  /** Whether there is nothing left to give up. */
  boolean hasGone() {
    return gone || large == 0;
  }

  /** Has its connection make room. */
  void makeRoom(ArraywireException cause) {
    Owner asked = owner.get();
    if (asked == null) {
      // The connection is garbage; the collector frees what it held.
      gone = true;
      inboxes.remove(this);
    } else {
      asked.dropUntaken(cause);
    }
  }
}
