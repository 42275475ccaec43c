package io.arraywire.engine;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * What an inbox has done with and uses again, so that in the long run an array that goes into
 * memory of a caller's costs no garbage. Guarded by the connection's lock; an idle connection has
 * none.
 */
final class InboxPool {
  /** More threads than that seldom wait for arrays of one channel. */
  private static final int MOST_CLAIMS = 64;

  private final long mostBytes;
  private final ArrayDeque<InboundArray> arrivals = new ArrayDeque<>();
  private final ArrayDeque<PendingReceive> claims = new ArrayDeque<>(1);
  private long bytes;

  /**
   * Makes it, empty.
   *
   * @param mostBytes what the arrivals may keep; no more than may come before anybody asks for it
   */
  InboxPool(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  @Nullable InboundArray takeArrival() {
    InboundArray arrival = arrivals.poll();
    if (arrival != null) {
      bytes -= arrival.spareBytes();
    }
    return arrival;
  }

  /** An array was put where it was wanted, and nobody else knows its arrival any more. */
  void giveBack(InboundArray arrival) {
    arrival.clear();
    int more = arrival.spareBytes();
    if (bytes + more <= mostBytes) {
      bytes += more;
      arrivals.push(arrival);
    }
  }

  @Nullable PendingReceive takeClaim() {
    return claims.poll();
  }

  /** A caller has what it waited for, and nobody else knows its claim any more. */
  void giveBack(PendingReceive claim) {
    claim.clear();
    if (claims.size() < MOST_CLAIMS) {
      claims.push(claim);
    }
  }
}
