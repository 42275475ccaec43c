package io.arraywire.testkit;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.arraywire.spi.MemoryKind;
import io.arraywire.spi.MemoryPool;
import io.arraywire.spi.PooledMemory;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A pool for tests. It gives the kind of memory that is asked for, full of a conspicuous pattern,
 * and overwrites it again when it is given back. So code that reads memory before writing it, or
 * after releasing it, gets garbage. Counts what is acquired. Any thread may call any method.
 */
public final class TestMemoryPool implements MemoryPool {
  private static final byte[] POISON_BLOCK = poisonBlock(1 << 16);
  private static final int KEPT_PER_SIZE = 8;

  private final State state = new State();

  /**
   * What changes. A class of its own, as everywhere in a public one: code that is compiled against
   * fields with the annotation would need it, too.
   */
  private static final class State {
    @GuardedBy("this")
    final Map<Piece, ArrayDeque<ByteBuffer>> free = new HashMap<>();

    @GuardedBy("this")
    final Set<MemoryKind> refused = EnumSet.noneOf(MemoryKind.class);

    @GuardedBy("this")
    int largest = Integer.MAX_VALUE;

    @GuardedBy("this")
    long limit = Long.MAX_VALUE;

    @GuardedBy("this")
    long acquired;

    @GuardedBy("this")
    long acquiredEver;
  }

  private TestMemoryPool() {}

  /**
   * Makes a pool.
   *
   * @return the pool
   */
  public static TestMemoryPool create() {
    return new TestMemoryPool();
  }

  /**
   * From now on there is no memory of some kinds.
   *
   * @param kinds the kinds
   */
  public void refuse(MemoryKind... kinds) {
    synchronized (state) {
      state.refused.addAll(List.of(kinds));
    }
  }

  /**
   * From now on there are no large pieces of memory.
   *
   * @param bytes the largest there is
   */
  public void refuseLargerThan(int bytes) {
    synchronized (state) {
      state.largest = bytes;
    }
  }

  /**
   * From now on no more memory may be out at the same time.
   *
   * @param bytes how much
   */
  public void limit(long bytes) {
    synchronized (state) {
      state.limit = bytes;
    }
  }

  @Override
  public PooledMemory acquire(int bytes, MemoryKind kind) {
    if (bytes < 1) {
      throw new IllegalArgumentException("a pool lends at least 1 byte (bytes=" + bytes + ")");
    }
    ByteBuffer buffer;
    synchronized (state) {
      if (state.refused.contains(kind)
          || bytes > state.largest
          || state.acquired + bytes > state.limit) {
        throw new OutOfMemoryError("refused by the test (bytes=" + bytes + ", kind=" + kind + ")");
      }
      ArrayDeque<ByteBuffer> kept = state.free.get(new Piece(bytes, kind));
      buffer = kept == null ? null : kept.poll();
      state.acquired += bytes;
      state.acquiredEver += bytes;
    }
    if (buffer == null) {
      buffer =
          kind == MemoryKind.DIRECT ? ByteBuffer.allocateDirect(bytes) : ByteBuffer.allocate(bytes);
      poison(buffer);
    }
    return new Loan(buffer.duplicate().clear(), kind);
  }

  @Override
  public long acquiredBytes() {
    synchronized (state) {
      return state.acquired;
    }
  }

  /**
   * All that was ever acquired, given back or not.
   *
   * @return bytes
   */
  public long acquiredEver() {
    synchronized (state) {
      return state.acquiredEver;
    }
  }

  @Override
  public void close() {
    long out = acquiredBytes();
    if (out != 0) {
      throw MemoryPool.stillOut(out);
    }
  }

  private static byte[] poisonBlock(int bytes) {
    ByteBuffer block = ByteBuffer.allocate(bytes);
    while (block.hasRemaining()) {
      block.putInt(0xdeadbeef);
    }
    return block.array();
  }

  /** Copies blocks: element by element takes half of the time of a whole transport contract. */
  private static void poison(ByteBuffer buffer) {
    ByteBuffer all = buffer.duplicate().clear();
    while (all.hasRemaining()) {
      all.put(POISON_BLOCK, 0, Math.min(POISON_BLOCK.length, all.remaining()));
    }
  }

  private record Piece(int bytes, MemoryKind kind) {}

  private final class Loan implements PooledMemory {
    private final ByteBuffer buffer;
    private final MemoryKind kind;

    @GuardedBy("state")
    private boolean released;

    Loan(ByteBuffer buffer, MemoryKind kind) {
      this.buffer = buffer;
      this.kind = kind;
    }

    @Override
    public ByteBuffer buffer() {
      synchronized (state) {
        if (released) {
          throw new IllegalStateException("memory used after its release");
        }
        return buffer;
      }
    }

    @Override
    public void release() {
      synchronized (state) {
        if (released) {
          throw new IllegalStateException("memory released twice");
        }
        released = true;
        poison(buffer);
        state.acquired -= buffer.capacity();
        ArrayDeque<ByteBuffer> kept =
            state.free.computeIfAbsent(
                new Piece(buffer.capacity(), kind), piece -> new ArrayDeque<>());
        if (kept.size() < KEPT_PER_SIZE) {
          kept.add(buffer);
        }
      }
    }
  }
}
