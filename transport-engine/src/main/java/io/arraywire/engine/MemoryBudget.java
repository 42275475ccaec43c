package io.arraywire.engine;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.arraywire.ErrorCode;
import io.arraywire.NoRoomException;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;

/**
 * What all connections of a transport may hold together; see {@link
 * io.arraywire.TransportOptions#memoryBudgetBytes()}. Any thread, with a connection's lock held or
 * not.
 */
final class MemoryBudget {
  /** The part of the heap that is the budget where the user sets none. */
  private static final int HEAP_PARTS = 4;

  /** The same for inboxes, which a budget that the user sets has reserved. */
  private static final int HEAP_PARTS_FOR_INBOXES = 2;

  private final long limit;

  /** Whether the user has set none. */
  private final boolean isDefault;

  /** Where there is no limit, nothing is counted, and no lock taken for every array. */
  private final boolean limited;

  /** Written with the monitor held. */
  private volatile long taken;

  /** What {@link HeldArrays} have taken, without the monitor. */
  private final LongAdder held = new LongAdder();

  @GuardedBy("this")
  private final Set<Link> waiting = new LinkedHashSet<>();

  /** Whether there are any. Set before waiting threads look again. */
  private volatile boolean awaited;

  /**
   * Makes a budget.
   *
   * @param bytes what the user has set; 0 for a part of the heap
   */
  MemoryBudget(long bytes) {
    this(bytes, HEAP_PARTS);
  }

  private MemoryBudget(long bytes, int heapParts) {
    isDefault = bytes == 0;
    limit = isDefault ? Runtime.getRuntime().maxMemory() / heapParts : bytes;
    limited = limit < Long.MAX_VALUE;
  }

  /** What the inboxes of all connections may hold where the user has set no budget. */
  static MemoryBudget ofInboxes(long bytes) {
    return new MemoryBudget(bytes == 0 ? 0 : Long.MAX_VALUE, HEAP_PARTS_FOR_INBOXES);
  }

  /**
   * Whether it is a part of the heap, which counts what is held; else it is the user's, which
   * counts what is promised.
   */
  boolean isDefault() {
    return isDefault;
  }

  /** What is left of the default budget, as much as anybody may want of another. */
  long leftByDefault() {
    return isDefault ? Math.max(0, left()) : Long.MAX_VALUE;
  }

  /** Reserves memory that a connection needs as long as it lives. */
  void reserve(long bytes) throws NoRoomException {
    if (!isDefault && !take(bytes)) {
      throw new NoRoomException(
          ErrorCode.MEMORY_BUDGET,
          "the transport's connections use all of their memory budget; raise memoryBudgetBytes, lower"
              + " connectionInboxBytes, or have fewer connections",
          "needed",
          bytes,
          "taken",
          limit - left(),
          "memoryBudgetBytes",
          limit);
    }
  }

  /** Reserves it though it may be too much. */
  void reserveAnyway(long bytes) {
    if (!isDefault) {
      takeAnyway(bytes);
    }
  }

  /** Gives back what was reserved. */
  void unreserve(long bytes) {
    if (!isDefault) {
      giveBack(bytes);
    }
  }

  boolean has(long bytes) {
    return !limited || bytes <= left();
  }

  boolean take(long bytes) {
    return !limited || takeOfLimit(bytes);
  }

  private synchronized boolean takeOfLimit(long bytes) {
    if (bytes > left()) {
      return false;
    }
    taken += bytes;
    return true;
  }

  /**
   * Whether memory may be taken for optional caches. A limited budget that the user has set is for
   * what is promised alone.
   */
  boolean allowsSpare() {
    return isDefault || !limited;
  }

  /** Takes it, unless that leaves less than half of the budget to what is needed. */
  boolean takeSpare(long bytes) {
    if (!limited) {
      return true;
    }
    synchronized (this) {
      return isDefault && bytes <= left() - limit / 2 && takeOfLimit(bytes);
    }
  }

  /** As {@link #take}; if it says no, the writer of the link is woken when there is more. */
  boolean takeOrAwait(long bytes, Link link) {
    if (!limited) {
      return true;
    }
    synchronized (this) {
      if (takeOfLimit(bytes)) {
        return true;
      }
      await(link);
      // HeldArrays release without the monitor, perhaps just before this link was seen to wait.
      return takeOfLimit(bytes);
    }
  }

  /** The writer of the link is woken when there is more. */
  void await(Link link) {
    if (limited) {
      synchronized (this) {
        waiting.add(link);
        awaited = true;
      }
    }
  }

  /** Takes what there must be room for, though it may be too much. */
  void takeAnyway(long bytes) {
    if (limited) {
      synchronized (this) {
        taken += bytes;
      }
    }
  }

  void giveBack(long bytes) {
    if (!limited) {
      return;
    }
    synchronized (this) {
      taken -= bytes;
    }
    wakeThoseWhoWait();
  }

  /** Takes what {@link HeldArrays} has found room for. */
  void hold(long bytes) {
    held.add(bytes);
  }

  /** Gives that back. */
  void release(long bytes) {
    held.add(-bytes);
    wakeThoseWhoWait();
  }

  private void wakeThoseWhoWait() {
    if (!awaited) {
      return;
    }
    Set<Link> woken;
    synchronized (this) {
      woken = new LinkedHashSet<>(waiting);
      waiting.clear();
      awaited = false;
    }
    woken.forEach(Link::wakeWriter);
  }

  long limit() {
    return limit;
  }

  /** For a user: the bytes that are left, or that there is no limit. */
  Object leftInWords() {
    return limited ? (Object) left() : "unlimited";
  }

  /** What is taken; 0 where there is no limit, and nothing is counted. */
  long taken() {
    return limited ? limit - left() : 0;
  }

  long left() {
    return limit - taken - held.sum();
  }
}
