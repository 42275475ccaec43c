package io.arraywire.nio;

import io.arraywire.spi.MemoryKind;
import io.arraywire.spi.MemoryPool;
import io.arraywire.spi.PooledMemory;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * Memory from Netty's pooled allocator, which the process shares with other users of Netty. What is
 * larger than one of its chunks is allocated for the occasion and freed at once, so one large array
 * never pins memory.
 *
 * <p>A few pieces are kept here until the pool is closed. A connection on which arrays go to and
 * fro takes and gives them back with each, and Netty makes some objects every time.
 */
final class NettyMemoryPool implements MemoryPool {
  /** Smaller pieces are copies of single arrays, of which there may be many. */
  static final int LEAST_KEPT_BYTES = 1 << 10;

  /** What a small batch takes. */
  static final int MOST_SMALL_BYTES = 16 << 10;

  /** So that no more than 256 KiB are kept of them. */
  static final int MOST_SMALL_KEPT = 16;

  /** What a batch or a window takes, and nothing that is smaller by much. */
  static final int LEAST_LARGE_BYTES = 128 << 10;

  static final int MOST_LARGE_BYTES = 512 << 10;

  /** So that no more than 2 MiB are kept of them. */
  static final int MOST_LARGE_KEPT = 4;

  private final PooledByteBufAllocator allocator = PooledByteBufAllocator.DEFAULT;
  private final AtomicLong acquired = new AtomicLong();
  private final Shelf small = new Shelf(MOST_SMALL_KEPT);
  private final Shelf large = new Shelf(MOST_LARGE_KEPT);
  private volatile boolean closed;

  @Override
  public PooledMemory acquire(int bytes, MemoryKind kind) {
    if (bytes < 1) {
      throw new IllegalArgumentException("a pool lends at least 1 byte (bytes=" + bytes + ")");
    }
    return new Loan(this, take(bytes, kind));
  }

  @Override
  public PooledMemory acquireAgain(PooledMemory released, int bytes, MemoryKind kind) {
    if (released instanceof Loan loan && loan.pool == this && bytes > 0) {
      loan.lendAgain(take(bytes, kind));
      return loan;
    }
    return acquire(bytes, kind);
  }

  private Piece take(int bytes, MemoryKind kind) {
    Shelf shelf = shelf(bytes);
    Piece piece = shelf == null ? null : shelf.take(bytes, kind);
    if (piece == null) {
      piece =
          new Piece(
              kind == MemoryKind.DIRECT
                  ? allocator.directBuffer(bytes, bytes)
                  : allocator.heapBuffer(bytes, bytes),
              bytes,
              kind);
    }
    acquired.addAndGet(bytes);
    return piece;
  }

  /** Where pieces of a size are kept, or null if they are not. */
  private @Nullable Shelf shelf(int bytes) {
    if (bytes >= LEAST_KEPT_BYTES && bytes <= MOST_SMALL_BYTES) {
      return small;
    }
    return bytes >= LEAST_LARGE_BYTES && bytes <= MOST_LARGE_BYTES ? large : null;
  }

  private void giveBack(Piece piece) {
    int bytes = piece.buffer.capacity();
    acquired.addAndGet(-bytes);
    Shelf shelf = shelf(bytes);
    if (closed || shelf == null) {
      piece.memory.release();
      return;
    }
    piece.buffer.clear().order(ByteOrder.BIG_ENDIAN);
    shelf.keep(piece);
    if (closed) {
      // Perhaps after the others were released.
      shelf.clear();
    }
  }

  @Override
  public long acquiredBytes() {
    return acquired.get();
  }

  @Override
  public void close() {
    closed = true;
    small.clear();
    large.clear();
    long out = acquired.get();
    if (out != 0) {
      throw MemoryPool.stillOut(out);
    }
  }

  /** A few pieces, of whatever sizes were given back last. Any thread. */
  private static final class Shelf {
    private final AtomicReferenceArray<@Nullable Piece> kept;

    /** Whose place the next piece takes if there is no other; which one does not matter. */
    private volatile int oldest;

    Shelf(int most) {
      kept = new AtomicReferenceArray<>(most);
    }

    @Nullable Piece take(int bytes, MemoryKind kind) {
      for (int i = 0; i < kept.length(); i++) {
        Piece piece = kept.get(i);
        if (piece != null
            && piece.kind == kind
            && piece.buffer.capacity() == bytes
            && kept.compareAndSet(i, piece, null)) {
          return piece;
        }
      }
      return null;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // Two that take one place are no harm.
    void keep(Piece piece) {
      for (int i = 0; i < kept.length(); i++) {
        if (kept.get(i) == null && kept.compareAndSet(i, null, piece)) {
          return;
        }
      }
      int place = oldest++ & (kept.length() - 1);
      // So that sizes that are not asked for any more do not stay for ever.
      Piece before = kept.getAndSet(place, piece);
      if (before != null) {
        before.memory.release();
      }
    }

    void clear() {
      for (int i = 0; i < kept.length(); i++) {
        Piece piece = kept.getAndSet(i, null);
        if (piece != null) {
          piece.memory.release();
        }
      }
    }
  }

  private static final class Piece {
    final ByteBuf memory;
    final ByteBuffer buffer;
    final MemoryKind kind;

    Piece(ByteBuf memory, int bytes, MemoryKind kind) {
      this.memory = memory;
      this.kind = kind;
      buffer = memory.nioBuffer(0, bytes);
    }
  }

  /**
   * An object for each loan, so that a second release is noticed even if the piece is lent again.
   */
  private static final class Loan implements PooledMemory {
    private static final AtomicReferenceFieldUpdater<Loan, @Nullable Piece> PIECE =
        AtomicReferenceFieldUpdater.newUpdater(Loan.class, Piece.class, "piece");

    private final NettyMemoryPool pool;
    private volatile @Nullable Piece piece;

    Loan(NettyMemoryPool pool, Piece piece) {
      this.pool = pool;
      this.piece = piece;
    }

    /** Only the caller that gave it back still has it. */
    void lendAgain(Piece next) {
      if (!PIECE.compareAndSet(this, null, next)) {
        pool.giveBack(next);
        throw new IllegalStateException("memory lent again before its release");
      }
    }

    @Override
    public ByteBuffer buffer() {
      Piece lent = piece;
      if (lent == null) {
        throw new IllegalStateException("memory used after its release");
      }
      return lent.buffer;
    }

    @Override
    public void release() {
      Piece lent = PIECE.getAndSet(this, null);
      if (lent == null) {
        throw new IllegalStateException("memory released twice");
      }
      pool.giveBack(lent);
    }
  }
}
