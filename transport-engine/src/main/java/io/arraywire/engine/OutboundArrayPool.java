package io.arraywire.engine;

import io.arraywire.frame.FrameLayout;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The arrays of one connection that went well and that nobody else knows any more, to be used
 * again. One that failed or was withdrawn may be known to a thread that is about to find out, and
 * is left to the collector.
 *
 * <p>Any thread gives back, without a lock. Only a thread that holds the connection's lock takes:
 * so what it is about to take does not come back meanwhile with another successor.
 */
final class OutboundArrayPool {
  /** As many small arrays as may be in flight at the same time. */
  private static final int MOST = 16 << 10;

  /** The same where the user has limited what connections may hold. */
  private static final int FEW = 256;

  private final AtomicReference<@Nullable OutboundArray> first = new AtomicReference<>();
  private final int most;

  /** Makes an empty pool. It will keep no more arrays than may wait to be sent at the same time. */
  OutboundArrayPool(EngineContext context) {
    long queued = context.options().sendQueueBytes() / FrameLayout.ARRAY_COST;
    most = (int) Math.min(context.hasSetBudget() ? FEW : MOST, Math.max(1, queued));
  }

  /** One that is free; null if there is none. Under the lock. */
  @Nullable OutboundArray take() {
    OutboundArray taken = first.get();
    while (taken != null && !first.compareAndSet(taken, taken.next)) {
      taken = first.get();
    }
    if (taken != null) {
      taken.next = null;
    }
    return taken;
  }

  /** Takes back an array that is {@linkplain OutboundArray#clear cleared}. */
  void giveBack(OutboundArray array) {
    OutboundArray before;
    do {
      before = first.get();
      array.free = before == null ? 1 : before.free + 1;
      if (array.free > most) {
        return;
      }
      array.next = before;
    } while (!first.compareAndSet(before, array));
  }
}
