package io.arraywire.engine;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.arraywire.ElementType;
import io.arraywire.ErrorCode;
import io.arraywire.NoRoomException;
import io.arraywire.frame.FrameLayout;
import org.jspecify.annotations.Nullable;

/**
 * What the arrays that arrive for handlers may take together; see {@link
 * io.arraywire.TransportOptions#arrivalBytes}. Any thread.
 *
 * <p>Where the user has set nothing it is half of the heap. A connection may then hold at most as
 * much as is still free, so that connections with slow handlers leave room for others. One array
 * alone may be larger: it arrives if the heap has room for it.
 */
final class ArrivalBudget {
  /** The most that a fresh array begins with. */
  static final int FIRST_BYTES = 32 << 10;

  /**
   * What it begins with though less comes: as much as the peer's budget is charged for an array
   * whose elements have not come. It may begin one on each of its channels.
   */
  private static final int LEAST_BYTES = FrameLayout.ARRAY_COST;

  /** The part of the heap that is the budget where the user sets none. */
  private static final int HEAP_PARTS = 2;

  /**
   * The part of the budget that stays for others where one connection holds all the rest of it, or
   * more.
   */
  private static final int BESIDE_PARTS = 8;

  /** As many regions as G1 divides a heap into, and their least and greatest size. */
  private static final int REGIONS = 2048;

  private static final long LEAST_REGION = 1 << 20;
  private static final long MOST_REGION = 32 << 20;
  private static final long REGION = region(Runtime.getRuntime().maxMemory());

  /** What an array has before its elements, at most. */
  private static final int ARRAY_HEADER_BYTES = 24;

  private final long limit;

  /** What gives up most of its own where arrays for handlers need it; null if the user has set. */
  private final @Nullable MemoryBudget inboxes;

  /** What the user has set for all that connections hold, inboxes included; not the default. */
  private final @Nullable MemoryBudget ofUser;

  @GuardedBy("this")
  private long taken;

  /** The connection that holds all of the default budget but what stays for others, if one does. */
  @GuardedBy("this")
  private @Nullable ArrivalShare alone;

  /** A budget that the user has set. */
  ArrivalBudget(long limit) {
    this.limit = limit;
    inboxes = null;
    ofUser = null;
  }

  /** The default one. */
  private ArrivalBudget(MemoryBudget inboxes, MemoryBudget all) {
    limit = Runtime.getRuntime().maxMemory() / HEAP_PARTS;
    this.inboxes = inboxes;
    ofUser = all.isDefault() ? null : all;
  }

  /**
   * The budget of a transport; null if there is no limit.
   *
   * @param bytes what the user has set; 0 for the default
   * @param inboxes what inboxes may hold, without a limit where it is in the next
   * @param all what connections may hold
   */
  static @Nullable ArrivalBudget of(long bytes, MemoryBudget inboxes, MemoryBudget all) {
    if (bytes == 0) {
      return new ArrivalBudget(inboxes, all);
    }
    return bytes == Long.MAX_VALUE ? null : new ArrivalBudget(bytes);
  }

  /** Whether the user has set none. */
  boolean isDefault() {
    return inboxes != null;
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
   * How many elements an array that grows is to have room for. It is the least size that is enough,
   * out of the whole, its half, its quarter and so on. So the last move is from half of the array,
   * and needs no more than one and a half times its memory.
   */
  static int halving(int count, int needed) {
    int size = count;
    while (size / 2 + size % 2 >= needed) {
      size = size / 2 + size % 2;
    }
    return size;
  }

  /**
   * What an array of so many bytes takes of a heap in regions, as G1 has them: from half of one on,
   * whole regions.
   */
  static long heapBytes(long bytes) {
    return heapBytes(bytes, REGION);
  }

  static long heapBytes(long bytes, long region) {
    long all = bytes + ARRAY_HEADER_BYTES;
    return all < region / 2 ? bytes : (all + region - 1) / region * region;
  }

  /** The size of a region: what that number of them makes of the heap, up to a power of two. */
  static long region(long heap) {
    long least = Math.max(LEAST_REGION, (heap + REGIONS - 1) / REGIONS);
    return Math.min(MOST_REGION, Long.highestOneBit(2 * least - 1));
  }

  /** What counts for so many bytes: the default budget is one of the heap. */
  long counted(long bytes) {
    return isDefault() ? heapBytes(bytes) : bytes;
  }

  /** Takes memory for a connection, unless that were more than there may be. */
  synchronized boolean take(ArrivalShare share, long bytes) {
    if (!hasRoom(share, bytes)) {
      return false;
    }
    change(share, bytes);
    if (isDefault() && alone == null && leavesLittle() && taken - share.held <= beside()) {
      alone = share;
    }
    return true;
  }

  synchronized void giveBack(ArrivalShare share, long bytes) {
    change(share, -bytes);
    if (!leavesLittle()) {
      alone = null;
    }
  }

  /** What stays for others beside one that holds nearly everything. */
  private long beside() {
    return limit / BESIDE_PARTS;
  }

  @GuardedBy("this")
  private boolean leavesLittle() {
    return taken > limit - beside();
  }

  @GuardedBy("this")
  private void change(ArrivalShare share, long bytes) {
    long before = ofInboxes();
    share.held += bytes;
    taken += bytes;
    long more = ofInboxes() - before;
    if (inboxes != null && more > 0) {
      inboxes.takeAnyway(more);
    } else if (inboxes != null && more < 0) {
      inboxes.giveBack(-more);
    }
  }

  /** What inboxes cannot have meanwhile: so both together take no more than the heap can bear. */
  @GuardedBy("this")
  private long ofInboxes() {
    return Math.min(limit - limit / 4, Math.max(0, taken - limit / 4));
  }

  @GuardedBy("this")
  @SuppressWarnings("ReferenceEquality") // It is the very same connection that is meant.
  private boolean hasRoom(ArrivalShare share, long bytes) {
    if (inboxes == null) {
      return taken + bytes <= limit;
    }
    long wanted = share.held + bytes;
    long others = taken - share.held;
    ArrivalShare large = alone;
    if (large != null && large != share) {
      return wanted <= beside() - (taken - large.held);
    }
    return wanted <= limit - taken || (others <= beside() && taken + bytes <= most(inboxes));
  }

  /** What all may take where one connection holds nearly everything. */
  @GuardedBy("this")
  private long most(MemoryBudget ofInboxes) {
    long held = ofUser == null ? ofInboxes.taken() - ofInboxes() : ofUser.taken();
    return HEAP_PARTS * (limit - beside()) - Math.max(0, held);
  }

  /** Why an array is refused. */
  synchronized NoRoomException refusal(ArrivalShare share, long arrayBytes, long needed) {
    return new NoRoomException(
        ErrorCode.MEMORY_BUDGET,
        "the receiver has no memory for this array now; send it later, or have arrivalBytes raised"
            + " there",
        "arrayBytes",
        arrayBytes,
        "needed",
        needed,
        "taken",
        taken,
        "takenByConnection",
        share.held,
        "arrivalBytes",
        limit);
  }
}
