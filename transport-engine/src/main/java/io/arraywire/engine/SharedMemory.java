package io.arraywire.engine;

import io.arraywire.ArraywireException;
import io.arraywire.ErrorCode;
import io.arraywire.NoRoomException;
import io.arraywire.source.ArraySource;
import io.arraywire.spi.Codec;
import io.arraywire.spi.MemoryPool;
import io.arraywire.spi.PooledMemory;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * An array encoded once, which the transfers to several peers read. The memory goes back when its
 * maker and the last transfer have released it. Any thread.
 */
final class SharedMemory {
  private final PooledMemory memory;
  private final MemoryBudget budget;

  /** What it has taken of the budget. */
  private final long charge;

  private final AtomicInteger holders = new AtomicInteger(1);

  /** By the codec that makes them. */
  private final Map<Codec, SharedBlocks> blocks = new ConcurrentHashMap<>(2);

  /** Whether the array is still being offered to subscribers. */
  private volatile boolean offering;

  private SharedMemory(PooledMemory memory, MemoryBudget budget, int bytes, boolean toSeveral) {
    this.memory = memory;
    this.budget = budget;
    offering = toSeveral;
    // A budget that the user has set counts it with each subscriber.
    charge = budget.isDefault() ? bytes + Bookkeeping.COPY_BYTES : 0;
    budget.takeAnyway(charge);
  }

  /**
   * Encodes all elements; the prefix is made with the first frame.
   *
   * @param toSeveral whether several transfers may share it, until all are {@linkplain #endOffering
   *     known}
   */
  static SharedMemory encode(
      Codec codec, ArraySource source, MemoryPool pool, MemoryBudget budget, boolean toSeveral)
      throws ArraywireException {
    int count = (int) source.count();
    int bytes = count * codec.encoding().elementBytes(source.type());
    PooledMemory memory;
    try {
      memory = pool.acquire(Math.max(1, bytes), codec.traits().staging());
    } catch (OutOfMemoryError e) {
      throw noMemory(bytes, e);
    }
    boolean whole = false;
    try {
      // Blocks are made of it as they are sent: each peer may have other codecs.
      CheckedCodec.encode(Blocks.plain(codec), source, 0, count, memory.buffer().clear());
      memory.buffer().flip();
      whole = true;
    } catch (OutOfMemoryError e) {
      throw noMemory(bytes, e);
    } catch (SourceFailure e) {
      throw e.typed();
    } catch (RuntimeException | Error e) {
      throw Failures.codecFailed(codec, e);
    } finally {
      if (!whole) {
        memory.release();
      }
    }
    return new SharedMemory(memory, budget, bytes, toSeveral);
  }

  private static ArraywireException noMemory(int bytes, OutOfMemoryError cause) {
    return new NoRoomException(
            ErrorCode.ALLOCATION_FAILED,
            "there is no memory for the copy to publish; give the"
                + " JVM more memory, or publish less at a time",
            "bytes",
            bytes)
        .because(cause);
  }

  /**
   * A share of its own for a transfer, to be released once. The caller holds one.
   *
   * @param codec what the transfer is encoded with
   */
  Share share(Codec codec) {
    holders.incrementAndGet();
    SharedBlocks of = null;
    if (Blocks.areMadeBy(codec) && budget.allowsSpare()) {
      of = blocks.computeIfAbsent(codec, unused -> new SharedBlocks(budget, () -> offering));
      of.joined();
    }
    return new Share(of);
  }

  /** All transfers are known. */
  void endOffering() {
    offering = false;
  }

  /** What one transfer holds of it. */
  final class Share implements PooledMemory {
    private final @Nullable SharedBlocks blocks;

    private Share(@Nullable SharedBlocks blocks) {
      this.blocks = blocks;
    }

    @Override
    public ByteBuffer buffer() {
      return memory.buffer();
    }

    @Override
    public void release() {
      if (blocks != null) {
        blocks.left();
      }
      SharedMemory.this.release();
    }

    /** The blocks that its codec makes of it; null where no other transfer needs them. */
    @Nullable SharedBlocks blocks() {
      return blocks != null && blocks.isOfUse() ? blocks : null;
    }
  }

  void release() {
    if (holders.decrementAndGet() == 0) {
      blocks.values().forEach(SharedBlocks::release);
      memory.release();
      budget.giveBack(charge);
    }
  }
}
