package io.arraywire.engine;

import io.arraywire.ArraywireException;
import org.jspecify.annotations.Nullable;

/**
 * The receive calls of one channel that wait for an array, in the order in which they came. Guarded
 * by the connection's lock, but for what the reading thread asks without it.
 */
final class PendingReceives {
  private static final long UNKNOWN = 0;
  private static final long LEASE = -1;

  private LazyQueue<PendingReceive> all = LazyQueue.empty();

  /**
   * How large the memory is that the first has for its array; {@link #LEASE} if the array will be
   * lent out; {@link #UNKNOWN} if neither is known. For the reading thread, which asks with every
   * read how far it should go, and needs no lock for that. A receive that comes a moment too late
   * for a read does not count.
   */
  private volatile long nextTarget = UNKNOWN;

  /** For how many looks nothing has come for the first of them. */
  private int looks;

  void add(PendingReceive receive) {
    all = all.plus(receive);
    changed();
  }

  void addFirst(PendingReceive receive) {
    all = all.plusFirst(receive);
    changed();
  }

  PendingReceive removeFirst() {
    PendingReceive first = all.remove();
    looks = 0;
    changed();
    return first;
  }

  void remove(PendingReceive receive) {
    all.remove(receive);
    changed();
  }

  boolean isEmpty() {
    return all.isEmpty();
  }

  int size() {
    return all.size();
  }

  /** The first that an array fits; those before it that it does not fit fail. */
  @Nullable PendingReceive firstFor(InboundArray array) {
    while (!all.isEmpty()) {
      PendingReceive first = all.element();
      if (first.fits(array)) {
        return first;
      }
      removeFirst();
    }
    return null;
  }

  /** One look; returns for how many something has waited, and nothing has come. */
  int look() {
    looks = all.isEmpty() ? 0 : looks + 1;
    return looks;
  }

  /** None of them gets an array. */
  void end(ArraywireException cause) {
    all.forEach(receive -> receive.result.completeExceptionally(cause));
    all.clear();
    changed();
  }

  private void changed() {
    PendingReceive first = all.peek();
    long next = UNKNOWN;
    if (first != null && first.kind == PendingReceive.Kind.LEASE) {
      next = LEASE;
    } else if (first != null && first.target != null) {
      next = first.target.bytes();
    }
    if (next != nextTarget) {
      nextTarget = next;
    }
  }

  /** Whether the next array will be lent out. Any thread, without the lock. */
  boolean leaseIsNext() {
    return nextTarget == LEASE;
  }

  /** How large the memory is that the next array goes into; 0 if that is not known. As above. */
  long bytesOfNextTarget() {
    return Math.max(UNKNOWN, nextTarget);
  }
}
