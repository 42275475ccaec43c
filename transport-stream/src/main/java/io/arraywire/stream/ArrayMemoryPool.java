package io.arraywire.stream;

import io.arraywire.spi.HeapMemoryPool;
import io.arraywire.spi.MemoryKind;
import io.arraywire.spi.MemoryPool;
import io.arraywire.spi.PooledMemory;

/**
 * A user's pool, as far as it has memory in arrays, which is all that a stream can read and write.
 * If it has none, memory of our own takes its place. So a lease, which asks for direct memory, is
 * read into without a further copy, too.
 */
final class ArrayMemoryPool implements MemoryPool {
  private final MemoryPool users;
  private final HeapMemoryPool own = HeapMemoryPool.create();

  ArrayMemoryPool(MemoryPool users) {
    this.users = users;
  }

  @Override
  public PooledMemory acquire(int bytes, MemoryKind kind) {
    PooledMemory memory = users.acquire(bytes, MemoryKind.HEAP);
    if (memory.buffer().hasArray()) {
      return memory;
    }
    memory.release();
    return own.acquire(bytes, MemoryKind.HEAP);
  }

  @Override
  public long acquiredBytes() {
    return users.acquiredBytes() + own.acquiredBytes();
  }

  /** Ends what is our own; the user's pool lives on. */
  @Override
  public void close() {
    own.close();
  }
}
