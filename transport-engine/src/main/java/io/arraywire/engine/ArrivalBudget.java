package io.arraywire.engine;

import io.arraywire.ElementType;
import io.arraywire.ErrorCode;
import io.arraywire.NoRoomException;
import io.arraywire.frame.FrameLayout;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What the arrays that arrive for handlers may take together; see {@link
 * io.arraywire.TransportOptions#arrivalBytes}. Any thread.
 */
final class ArrivalBudget {
  /** The most that a fresh array begins with. */
  static final int FIRST_BYTES = 32 << 10;

  /**
   * What it begins with though less comes: as much as the peer's budget is charged for an array
   * whose elements have not come. It may begin one on each of its channels.
   */
  private static final int LEAST_BYTES = FrameLayout.ARRAY_COST;

  private final long limit;
  private final AtomicLong taken = new AtomicLong();

  ArrivalBudget(long limit) {
    this.limit = limit;
  }

  /**
   * How many elements a fresh array begins with room for: as many as come, within bounds.
   *
   * @param coming elements that have come or are in the frame that is being read
   */
  static int first(ElementType type, int count, long coming) {
    long bytes = Math.min(FIRST_BYTES, Math.max(LEAST_BYTES, coming * type.bytes()));
    return (int) Math.min(count, bytes / type.bytes());
  }

  /**
   * What an array that grows is to have room for: the least size that is enough and one of the
   * whole, its half, its quarter and so on. So the last move is from half of the array, and needs
   * no more than one and a half times its memory.
   */
  static int halving(int count, int needed) {
    int size = count;
    while (size / 2 + size % 2 >= needed) {
      size = size / 2 + size % 2;
    }
    return size;
  }

  /** Takes memory, unless that were more than there may be. */
  boolean take(long bytes) {
    if (taken.addAndGet(bytes) <= limit) {
      return true;
    }
    taken.addAndGet(-bytes);
    return false;
  }

  void giveBack(long bytes) {
    taken.addAndGet(-bytes);
  }

  /** Why an array is refused. */
  NoRoomException refusal(long arrayBytes, long needed) {
    return new NoRoomException(
        ErrorCode.MEMORY_BUDGET,
        "the receiver has no memory for this array now; send it later, or have arrivalBytes raised"
            + " there",
        "arrayBytes",
        arrayBytes,
        "needed",
        needed,
        "taken",
        taken.get(),
        "arrivalBytes",
        limit);
  }
}
