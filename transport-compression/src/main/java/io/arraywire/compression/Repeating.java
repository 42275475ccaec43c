package io.arraywire.compression;

import io.arraywire.ElementType;
import org.jspecify.annotations.Nullable;

/**
 * Remembers in which layout elements that repeat became smallest. It forgets it after some blocks,
 * with another type, and, unless it was right so far, where blocks become smaller or larger than
 * they were. One thread at a time.
 */
final class Repeating {
  /** Making one block of so many in all layouts costs a few percent of the time. */
  private static final int BLOCKS = 32;

  private static final int MOST_PATIENCE = 8;

  /** What is off by more than a quarter has changed. */
  private static final double CHANGE = 1.25;

  /** What is remembered. */
  enum Kind {
    PLANES,
    WHOLE,
    VALUES
  }

  private @Nullable ElementType type;
  private Kind kind = Kind.PLANES;
  private double share;
  private int left;

  /** How many blocks it made last before it heeds a change of their size. */
  private int patience = 1;

  Repeating() {}

  /** Null where it is to be found out. */
  @Nullable Kind known(ElementType asked) {
    return left > 0 && asked == type ? kind : null;
  }

  /** A block was made in all layouts; its elements take so many bytes. */
  void remember(ElementType asked, Kind smallest, int became, int bytes) {
    // Where sizes change and the layout stays, as in columns of several kinds, it is asked less.
    patience = asked == type && smallest == kind ? Math.min(2 * patience, MOST_PATIENCE) : 1;
    type = asked;
    kind = smallest;
    share = (double) became / bytes;
    left = BLOCKS - 1;
  }

  /** A block was made in the layout that is remembered. */
  void used(int became, int bytes) {
    double now = (double) became / bytes;
    boolean changed = now > share * CHANGE || share > now * CHANGE;
    left = changed && BLOCKS - left >= patience ? 0 : left - 1;
  }
}
