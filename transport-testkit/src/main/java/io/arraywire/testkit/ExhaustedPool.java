package io.arraywire.testkit;

import io.arraywire.spi.MemoryKind;
import io.arraywire.spi.MemoryPool;
import io.arraywire.spi.PooledMemory;

/** A pool that has everything but memory of one size. */
final class ExhaustedPool implements MemoryPool {
  private final MemoryPool pool;
  private final int bytes;

  ExhaustedPool(MemoryPool pool, int bytes) {
    this.pool = pool;
    this.bytes = bytes;
  }

  @Override
  public PooledMemory acquire(int wanted, MemoryKind kind) {
    if (wanted == bytes) {
      throw new OutOfMemoryError("made by a test");
    }
    return pool.acquire(wanted, kind);
  }

  @Override
  public long acquiredBytes() {
    return pool.acquiredBytes();
  }

  @Override
  public void close() {
    // The pool is not this one's to close.
  }
}
