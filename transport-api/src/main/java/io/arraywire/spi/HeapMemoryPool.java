package io.arraywire.spi;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A pool of {@code byte[]}s. Keeps a bounded number of arrays of a few sizes for reuse and leaves
 * the rest to the garbage collector. So one large array never pins memory. Any thread may call any
 * method.
 */
public final class HeapMemoryPool implements MemoryPool {
  /** Arrays are kept in classes of powers of two up to this size; larger ones are not kept. */
  private static final int LARGEST_KEPT = 1 << 20;

  private static final int KEPT_PER_CLASS = 16;

  private final Store store = new Store();

  private HeapMemoryPool() {}

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
    byte[] array = store.take(bytes);
    if (array == null) {
      try {
        array = new byte[bytes <= LARGEST_KEPT ? 1 << sizeClass(bytes) : bytes];
      } catch (OutOfMemoryError e) {
        store.notTaken(bytes);
        throw e;
      }
    }
    return new Loan(array, bytes);
  }

  @Override
  public long acquiredBytes() {
    return store.acquired();
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

  /**
   * Those that are kept, and how much is out. A class of its own, as everywhere in a public one:
   * code that is compiled against fields with the annotation would need it, too.
   */
  private static final class Store {
    @GuardedBy("this")
    @SuppressWarnings({
      "unchecked",
      "rawtypes"
    }) // An array of generic deques cannot be made otherwise.
    private final ArrayDeque<byte[]>[] kept = new ArrayDeque[32];

    @GuardedBy("this")
    private long acquired;

    synchronized byte @Nullable [] take(int bytes) {
      acquired += bytes;
      ArrayDeque<byte[]> free = bytes <= LARGEST_KEPT ? kept[sizeClass(bytes)] : null;
      return free == null ? null : free.pollLast();
    }

    synchronized void notTaken(int bytes) {
      acquired -= bytes;
    }

    synchronized void giveBack(byte[] array, int bytes) {
      acquired -= bytes;
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

    synchronized long acquired() {
      return acquired;
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
      store.giveBack(array, buffer.capacity());
    }
  }
}
