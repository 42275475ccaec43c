package io.arraywire.engine.tls;

import io.arraywire.spi.MemoryKind;
import io.arraywire.spi.MemoryPool;
import io.arraywire.spi.PooledMemory;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Staging memory that a connection takes for every array and gives back after it. An idle
 * connection has none. The object of the last loan is used for the next one. For one thread.
 */
final class TlsMemory {
  private final MemoryPool pool;

  /** That of the last time, if it is given back; null before the first. */
  private @Nullable PooledMemory loan;

  private boolean isHeld;

  TlsMemory(MemoryPool pool) {
    this.pool = pool;
  }

  /** Takes memory; there must be none. */
  ByteBuffer take(int bytes, MemoryKind kind) {
    PooledMemory before = loan;
    PooledMemory taken =
        before == null ? pool.acquire(bytes, kind) : pool.acquireAgain(before, bytes, kind);
    loan = taken;
    isHeld = true;
    return taken.buffer().clear();
  }

  boolean isHeld() {
    return isHeld;
  }

  /** Gives the memory back if there is some. */
  void release() {
    PooledMemory held = loan;
    if (isHeld && held != null) {
      isHeld = false;
      held.release();
    }
  }
}
