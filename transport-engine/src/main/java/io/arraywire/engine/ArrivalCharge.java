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

  /**
   * An array begins, with a limit or without one.
   *
   * @param trusted whether its peer is trusted with all that it announces
   * @return whether there is memory for all of it at once
   */
  boolean begin(@Nullable ArrivalShare limit, boolean trusted, long ofArray) {
    share = limit;
    if (limit == null || !trusted || !limit.budget.isDefault()) {
      return trusted && limit == null;
    }
    return grow(ofArray, ofArray) == null;
  }

  /**
   * An array that has begun without a limit has one from here on.
   *
   * @param bytes what it takes by now
   * @return why there is no room for that, or null
   */
  @Nullable ArraywireException limit(ArrivalShare limit, long bytes, long ofArray) {
    if (share != null) {
      return null;
    }
    share = limit;
    return grow(bytes, ofArray);
  }

  /**
   * Takes what an array is to have room for beside what it has; up to what it may begin with, that
   * is in the inbox.
   */
  @Nullable ArraywireException grow(long bytes, long ofArray) {
    return bytes <= ArrivalBudget.FIRST_BYTES ? null : take(bytes, ofArray);
  }

  /** Takes bytes beside those that are charged; returns why there is no room, or null. */
  @Nullable ArraywireException take(long bytes, long ofArray) {
    if (share == null) {
      return null;
    }
    long counted = share.budget.counted(bytes);
    if (!share.budget.take(share, counted)) {
      return share.budget.refusal(share, ofArray, counted);
    }
    charged += counted;
    return null;
  }

  /** Gives back all but so many bytes. */
  void keep(long bytes) {
    if (share != null) {
      long counted = bytes == 0 ? 0 : share.budget.counted(bytes);
      if (charged > counted) {
        share.budget.giveBack(share, charged - counted);
        charged = counted;
      }
    }
  }

  /** Gives everything back. Nothing limits the array from here on. */
  void end() {
    keep(0);
    share = null;
  }
}
