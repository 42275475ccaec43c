package io.arraywire.testkit.simulation;

import io.arraywire.spi.MemoryKind;
import io.arraywire.spi.MemoryPool;
import io.arraywire.spi.PooledMemory;
import java.nio.ByteBuffer;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;

/**
 * A pool that counts, refuses memory that was given back, and spoils the beginning of what is. The
 * buffers themselves are kept for the next simulation: nothing in one depends on what they hold.
 */
final class SimulatedPool implements MemoryPool {
  private static final byte[] POISON = poison(1 << 10);
  private static final ConcurrentHashMap<Integer, ConcurrentLinkedDeque<ByteBuffer>> FREE =
      new ConcurrentHashMap<>();

  private long acquired;

  private static byte[] poison(int bytes) {
    byte[] poison = new byte[bytes];
    for (int i = 0; i < bytes; i++) {
      poison[i] = (byte) (0xdeadbeef >>> 24 - 8 * (i & 3));
    }
    return poison;
  }

  @Override
  public PooledMemory acquire(int bytes, MemoryKind kind) {
    int capacity = Math.max(64, Integer.highestOneBit(Math.max(1, bytes - 1)) << 1);
    ConcurrentLinkedDeque<ByteBuffer> free = free(capacity, kind);
    ByteBuffer whole = free.pollLast();
    if (whole == null) {
      whole =
          kind == MemoryKind.DIRECT
              ? ByteBuffer.allocateDirect(capacity)
              : ByteBuffer.allocate(capacity);
    }
    acquired += bytes;
    return new Loan(whole, bytes, free);
  }

  private static ConcurrentLinkedDeque<ByteBuffer> free(int capacity, MemoryKind kind) {
    return FREE.computeIfAbsent(
        kind == MemoryKind.DIRECT ? -capacity : capacity, key -> new ConcurrentLinkedDeque<>());
  }

  @Override
  public long acquiredBytes() {
    return acquired;
  }

  @Override
  public void close() {
    // The judge asks what is out.
  }

  private final class Loan implements PooledMemory {
    private final ByteBuffer whole;
    private final ByteBuffer part;
    private final ConcurrentLinkedDeque<ByteBuffer> free;
    private boolean released;

    Loan(ByteBuffer whole, int bytes, ConcurrentLinkedDeque<ByteBuffer> free) {
      this.whole = whole;
      this.free = free;
      part = whole.duplicate().clear().limit(bytes).slice();
    }

    @Override
    public ByteBuffer buffer() {
      if (released) {
        throw new IllegalStateException("memory used after its release");
      }
      return part;
    }

    @Override
    public void release() {
      if (released) {
        throw new IllegalStateException("memory released twice");
      }
      released = true;
      acquired -= part.capacity();
      whole.put(0, POISON, 0, Math.min(POISON.length, whole.capacity()));
      free.addLast(whole);
    }
  }
}
