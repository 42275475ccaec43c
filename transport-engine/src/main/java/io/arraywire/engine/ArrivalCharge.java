package io.arraywire.engine;

import io.arraywire.ArraywireException;
import org.jspecify.annotations.Nullable;

/**
 * What one array that arrives has taken of a budget, if one limits it. While it moves to a larger
 * one both are charged. One thread at a time.
 */
final class ArrivalCharge {
  private @Nullable ArrivalBudget budget;
  private long charged;

  void begin(@Nullable ArrivalBudget limit) {
    budget = limit;
  }

  boolean isLimited() {
    return budget != null;
  }

  /** Takes bytes beside those that are charged; returns why there is no room, or null. */
  @Nullable ArraywireException take(long bytes, long ofArray) {
    if (budget == null) {
      return null;
    }
    if (!budget.take(bytes)) {
      return budget.refusal(ofArray, bytes);
    }
    charged += bytes;
    return null;
  }

  /** Gives back all but so many bytes. */
  void keep(long bytes) {
    if (budget != null && charged > bytes) {
      budget.giveBack(charged - bytes);
      charged = bytes;
    }
  }

  /** Gives everything back. Nothing limits the array from here on. */
  void end() {
    keep(0);
    budget = null;
  }
}
