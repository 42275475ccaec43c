package io.arraywire.engine;

import io.arraywire.MemoryBudgetException;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * What all connections of a transport may hold together; see {@link
 * io.arraywire.TransportOptions#memoryBudgetBytes()}. Any thread, with a connection's lock held or
 * not.
 */
final class MemoryBudget {
  private final long limit;

  // Guarded by this.
  private long taken;
  private final Set<Link> waiting = new LinkedHashSet<>();

  MemoryBudget(long limit) {
    this.limit = limit;
  }

  /** Reserves memory that a connection needs as long as it lives. */
  synchronized void reserve(long bytes) throws MemoryBudgetException {
    if (bytes > limit - taken) {
      throw new MemoryBudgetException(
          "the transport's connections hold all that they may; raise memoryBudgetBytes, lower"
              + " connectionInboxBytes, or have fewer connections",
          "needed",
          bytes,
          "taken",
          taken,
          "memoryBudgetBytes",
          limit);
    }
    taken += bytes;
  }

  synchronized boolean has(long bytes) {
    return bytes <= limit - taken;
  }

  synchronized boolean take(long bytes) {
    if (!has(bytes)) {
      return false;
    }
    taken += bytes;
    return true;
  }

  /** As {@link #take}; if it says no, the writer of the link is woken when there is more. */
  synchronized boolean takeOrAwait(long bytes, Link link) {
    boolean took = take(bytes);
    if (!took) {
      waiting.add(link);
    }
    return took;
  }

  /** Takes what there must be room for, though it may be too much. */
  synchronized void takeAnyway(long bytes) {
    taken += bytes;
  }

  void giveBack(long bytes) {
    Set<Link> woken;
    synchronized (this) {
      taken -= bytes;
      if (waiting.isEmpty()) {
        return;
      }
      woken = new LinkedHashSet<>(waiting);
      waiting.clear();
    }
    woken.forEach(Link::wakeWriter);
  }

  synchronized long left() {
    return limit - taken;
  }
}
