package io.arraywire.engine;

import io.arraywire.ArraywireException;
import org.jspecify.annotations.Nullable;

/**
 * What one array that arrives has taken of a budget, if one limits it. While it moves to a larger
 * one both are charged. One thread at a time.
 */
final class ArrivalCharge {
  private @Nullable ArrivalShare share;
  private long charged;

  void begin(@Nullable ArrivalShare limit) {
    share = limit;
  }

  boolean isLimited() {
    return share != null;
  }

  /** Takes bytes beside those that are charged; returns why there is no room, or null. */
  @Nullable ArraywireException take(long bytes, long ofArray) {
    if (share == null) {
      return null;
    }
    if (!share.budget.take(share, bytes)) {
      return share.budget.refusal(ofArray, bytes);
    }
    charged += bytes;
    return null;
  }

  /** Gives back all but so many bytes. */
  void keep(long bytes) {
    if (share != null && charged > bytes) {
      share.budget.giveBack(share, charged - bytes);
      charged = bytes;
    }
  }

  /** Gives everything back. Nothing limits the array from here on. */
  void end() {
    keep(0);
    share = null;
  }
}
