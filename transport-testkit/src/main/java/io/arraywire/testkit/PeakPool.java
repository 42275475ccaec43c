package io.arraywire.testkit;

import io.arraywire.spi.MemoryKind;
import io.arraywire.spi.MemoryPool;
import io.arraywire.spi.PooledMemory;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;

/** Takes its memory from another pool and remembers the most that was ever out. */
final class PeakPool implements MemoryPool {
  private final MemoryPool pool;
  private final AtomicLong out = new AtomicLong();
  private final AtomicLong peak = new AtomicLong();

  private PeakPool(MemoryPool pool) {
    this.pool = pool;
  }

  /** A pool that takes from another, which is not closed with it. */
  static PeakPool over(MemoryPool pool) {
    return new PeakPool(pool);
  }

  /** The most bytes that were out at a time. */
  long peak() {
    return peak.get();
  }

  @Override
  public PooledMemory acquire(int bytes, MemoryKind kind) {
    PooledMemory memory = pool.acquire(bytes, kind);
    long now = out.addAndGet(bytes);
    peak.accumulateAndGet(now, Math::max);
    return new PooledMemory() {
      @Override
      public ByteBuffer buffer() {
        return memory.buffer();
      }

      @Override
      public void handedOver() {
        memory.handedOver();
      }

      @Override
      public void release() {
        // In this order: what another takes meanwhile must not be counted beside it.
        out.addAndGet(-bytes);
        memory.release();
      }
    };
  }

  @Override
  public long acquiredBytes() {
    return out.get();
  }

  @Override
  public void close() {
    if (out.get() != 0) {
      throw MemoryPool.stillOut(out.get());
    }
  }
}
