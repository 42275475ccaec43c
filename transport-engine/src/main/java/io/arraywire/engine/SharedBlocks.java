package io.arraywire.engine;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What a codec has made of the blocks of a published array, so that each is compressed once for all
 * its subscribers. Any thread; one that wants a block that another is making waits for it, which
 * takes no longer than to make it.
 *
 * <p>Keeps blocks while two transfers need them, or more may come. What was kept stays until the
 * array is sent. Holds no more than {@link #MOST_BYTES}, charged to the budget, half of which is
 * left to what is needed. A subscriber that lags so far behind the first makes its blocks itself.
 */
final class SharedBlocks {
  static final int MOST_BYTES = 4 << 20;

  /** What an entry takes beside its bytes. */
  private static final int ENTRY_BYTES = 128;

  private static final byte[] RAW = {};

  /** Makes a block. */
  @FunctionalInterface
  interface Maker {
    /** Encodes at a buffer's position; returns whether that is smaller than the elements. */
    boolean encode(ByteBuffer target);
  }

  private record Place(long firstElement, int elements) {}

  private final MemoryBudget budget;

  /** Whether more transfers may come. */
  private final BooleanSupplier moreMayCome;

  /** The transfers that may need a block. */
  private final AtomicInteger users = new AtomicInteger();

  private final Map<Place, byte[]> made = new ConcurrentHashMap<>();

  /** The oldest first. */
  @GuardedBy("this")
  private final ArrayDeque<Place> kept = new ArrayDeque<>();

  /** The first element of the furthest block that was dropped; -1 as long as none was. */
  @GuardedBy("this")
  private long forgotten = -1;

  @GuardedBy("this")
  private long charge;

  SharedBlocks(MemoryBudget budget, BooleanSupplier moreMayCome) {
    this.budget = budget;
    this.moreMayCome = moreMayCome;
  }

  /** A transfer may need blocks, until it {@linkplain #left leaves}. */
  void joined() {
    users.incrementAndGet();
  }

  void left() {
    users.decrementAndGet();
  }

  /** Whether a transfer that asks may find a block here, or leave one for another. */
  boolean isOfUse() {
    return isNeeded() || !made.isEmpty();
  }

  private boolean isNeeded() {
    return users.get() > 1 || moreMayCome.getAsBoolean();
  }

  /**
   * Puts a block into a buffer, if that is smaller than its elements; returns whether it is.
   * Nothing is written otherwise.
   */
  boolean encode(long firstElement, int elements, ByteBuffer target, Maker maker) {
    Place place = new Place(firstElement, elements);
    byte[] block = made.get(place);
    if (block == null) {
      Made mine = new Made(target, maker);
      block = made.computeIfAbsent(place, unused -> mine.make());
      if (mine.bytes != null) {
        keep(place, block.length);
        return block.length > 0;
      }
    }
    target.put(block);
    return block.length > 0;
  }

  /** A block that this thread makes, in its own buffer. */
  private static final class Made {
    private final ByteBuffer target;
    private final Maker maker;
    private byte @Nullable [] bytes;

    Made(ByteBuffer target, Maker maker) {
      this.target = target;
      this.maker = maker;
    }

    byte[] make() {
      int from = target.position();
      byte[] block = RAW;
      if (maker.encode(target)) {
        block = new byte[target.position() - from];
        target.get(from, block);
      }
      bytes = block;
      return block;
    }
  }

  private synchronized void keep(Place place, int bytes) {
    int cost = bytes + ENTRY_BYTES;
    if (place.firstElement <= forgotten || !isNeeded() || !budget.takeSpare(cost)) {
      // All faster subscribers have it already, no other transfer needs it, or there is no room.
      made.remove(place);
      return;
    }
    kept.add(place);
    charge += cost;
    while (charge > MOST_BYTES) {
      Place oldest = kept.remove();
      forgotten = Math.max(forgotten, oldest.firstElement);
      byte[] block = made.remove(oldest);
      int given = (block == null ? 0 : block.length) + ENTRY_BYTES;
      charge -= given;
      budget.giveBack(given);
    }
  }

  /** Gives back what it has taken of the budget; nobody uses it any more. */
  synchronized void release() {
    budget.giveBack(charge);
    charge = 0;
    kept.clear();
    made.clear();
  }
}
