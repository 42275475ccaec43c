package io.arraywire.spi;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A pool of {@code byte[]}s. Keeps a bounded number of arrays of a few sizes for reuse and leaves
 * the rest to the garbage collector. So one large array never pins memory. Any thread may call any
 * method.
 */
public final class HeapMemoryPool implements MemoryPool {
  /** Arrays are kept in classes of powers of two up to this size; larger ones are not kept. */
  private static final int LARGEST_KEPT = 1 << 20;

  private static final int KEPT_PER_CLASS = 16;

  private final Object lock = new Object();
  private final ArrayDeque<byte[]>[] kept;
  private long acquired;

  @SuppressWarnings({
    "unchecked",
    "rawtypes"
  }) // An array of generic deques cannot be made otherwise.
  private HeapMemoryPool() {
    kept = new ArrayDeque[32];
  }

  /**
   * Makes a pool.
   *
   * @return the pool
   */
  public static HeapMemoryPool create() {
    return new HeapMemoryPool();
  }

  @Override
  public PooledMemory acquire(int bytes, MemoryKind kind) {
    if (bytes < 1) {
      throw new IllegalArgumentException("a pool lends at least 1 byte (bytes=" + bytes + ")");
    }
    byte[] array = null;
    synchronized (lock) {
      ArrayDeque<byte[]> free = bytes <= LARGEST_KEPT ? kept[sizeClass(bytes)] : null;
      if (free != null) {
        array = free.pollLast();
      }
      acquired += bytes;
    }
    if (array == null) {
      try {
        array = new byte[bytes <= LARGEST_KEPT ? 1 << sizeClass(bytes) : bytes];
      } catch (OutOfMemoryError e) {
        returned(bytes);
        throw e;
      }
    }
    return new Loan(array, bytes);
  }

  @Override
  public long acquiredBytes() {
    synchronized (lock) {
      return acquired;
    }
  }

  @Override
  public void close() {
    long out = acquiredBytes();
    if (out != 0) {
      throw MemoryPool.stillOut(out);
    }
  }

  private static int sizeClass(int bytes) {
    return 32 - Integer.numberOfLeadingZeros(Math.max(bytes, 64) - 1);
  }

  private void returned(int bytes) {
    synchronized (lock) {
      acquired -= bytes;
    }
  }

  private final class Loan implements PooledMemory {
    private final byte[] array;
    private final ByteBuffer buffer;
    private final AtomicBoolean released = new AtomicBoolean();

    Loan(byte[] array, int bytes) {
      this.array = array;
      this.buffer = ByteBuffer.wrap(array, 0, bytes).slice();
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
      synchronized (lock) {
        acquired -= buffer.capacity();
        if (array.length <= LARGEST_KEPT) {
          int sizeClass = sizeClass(array.length);
          if (kept[sizeClass] == null) {
            kept[sizeClass] = new ArrayDeque<>();
          }
          if (kept[sizeClass].size() < KEPT_PER_CLASS) {
            kept[sizeClass].addLast(array);
          }
        }
      }
    }
  }
}
