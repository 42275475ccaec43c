package io.arraywire.nio;

import io.arraywire.spi.MemoryKind;
import io.arraywire.spi.MemoryPool;
import io.arraywire.spi.PooledMemory;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Memory from Netty's pooled allocator, which the process shares with whoever else uses Netty. What
 * is larger than one of its chunks is allocated for the occasion and freed at once, so one large
 * array never pins memory.
 */
final class NettyMemoryPool implements MemoryPool {
  private final PooledByteBufAllocator allocator = PooledByteBufAllocator.DEFAULT;
  private final AtomicLong acquired = new AtomicLong();

  @Override
  public PooledMemory acquire(int bytes, MemoryKind kind) {
    if (bytes < 1) {
      throw new IllegalArgumentException("too few bytes (bytes=" + bytes + ")");
    }
    ByteBuf memory =
        kind == MemoryKind.DIRECT
            ? allocator.directBuffer(bytes, bytes)
            : allocator.heapBuffer(bytes, bytes);
    acquired.addAndGet(bytes);
    return new Loan(memory, bytes);
  }

  @Override
  public long acquiredBytes() {
    return acquired.get();
  }

  @Override
  public void close() {
    long out = acquired.get();
    if (out != 0) {
      throw new IllegalStateException("memory was not given back (acquiredBytes=" + out + ")");
    }
  }

  private final class Loan implements PooledMemory {
    private final ByteBuf memory;
    private final ByteBuffer buffer;
    private final AtomicBoolean released = new AtomicBoolean();

    Loan(ByteBuf memory, int bytes) {
      this.memory = memory;
      buffer = memory.nioBuffer(0, bytes);
    }

    @Override
    public ByteBuffer buffer() {
      if (released.get()) {
        throw new IllegalStateException("memory used after its release");
      }
      return buffer;
    }

    @Override
    public void release() {
      if (!released.compareAndSet(false, true)) {
        throw new IllegalStateException("memory released twice");
      }
      acquired.addAndGet(-buffer.capacity());
      memory.release();
    }
  }
}
