package io.arraywire.engine;

import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what an inbox has done with and uses it again. So an array that goes into memory of a
 * caller's costs no garbage in the long run. Guarded by the connection's lock, but for {@link
 * #offer}; an idle connection has none.
 */
final class InboxPool {
  /** What is kept where a budget limits what connections hold. */
  private static final int FEW_BYTES = 64 << 10;

  /** More threads than that seldom wait for arrays of one channel. */
  private static final int MOST_RECEIVES = 64;

  private final long mostBytes;
  private final ArrayDeque<InboundArray> arrays = new ArrayDeque<>();
  private long bytes;

  /** One pending receive, which its caller can put here without the lock. */
  private final AtomicReference<@Nullable PendingReceive> atHand = new AtomicReference<>();

  private final ArrayDeque<PendingReceive> receives = new ArrayDeque<>(1);

  private InboxPool(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  /** An empty one, which keeps no more than may come before anybody asks for it. */
  static InboxPool of(EngineContext context) {
    return new InboxPool(context.hasSetBudget() ? FEW_BYTES : context.options().inboxBytes());
  }

  @Nullable InboundArray takeArray() {
    InboundArray array = arrays.poll();
    if (array != null) {
      bytes -= array.spareBytes();
    }
    return array;
  }

  /** An array was put where it was wanted, and nobody else knows this one any more. */
  void giveBack(InboundArray array) {
    array.clear();
    int more = array.spareBytes();
    if (bytes + more <= mostBytes) {
      bytes += more;
      arrays.push(array);
    }
  }

  @Nullable PendingReceive takeReceive() {
    PendingReceive receive = atHand.getAndSet(null);
    return receive == null ? receives.poll() : receive;
  }

  /**
   * A caller has what it waited for, and nobody else knows its pending receive any more. Without
   * the lock.
   *
   * @return whether there was a place; if not, {@link #giveBack(PendingReceive)} has one
   */
  boolean offer(PendingReceive receive) {
    receive.clear();
    return atHand.compareAndSet(null, receive);
  }

  /** The same, with the lock. */
  void giveBack(PendingReceive receive) {
    if (!offer(receive) && receives.size() < MOST_RECEIVES) {
      receives.push(receive);
    }
  }
}
