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
 * Memory from Netty's pooled allocator, which the process shares with whoever else uses Netty. What
 * is larger than one of its chunks is allocated for the occasion and freed at once, so one large
 * array never pins memory.
 *
 * <p>A few small pieces are kept here until the pool is closed: a connection on which single small
 * arrays go to and fro takes and gives them back with each, and Netty makes some objects every
 * time.
 */
final class NettyMemoryPool implements MemoryPool {
  /** Smaller pieces are copies of single arrays, of which there may be many. */
  static final int LEAST_KEPT_BYTES = 1 << 10;

  /** What a small batch takes. */
  static final int MOST_KEPT_BYTES = 16 << 10;

  /** So that a pool keeps 256 KiB at most. */
  static final int MOST_KEPT = 16;

  private final PooledByteBufAllocator allocator = PooledByteBufAllocator.DEFAULT;
  private final AtomicLong acquired = new AtomicLong();
  private final AtomicReferenceArray<@Nullable Piece> kept = new AtomicReferenceArray<>(MOST_KEPT);

  /** Whose place the next piece takes if there is no other; which one does not matter. */
  private volatile int oldest;

  private volatile boolean closed;

  @Override
  public PooledMemory acquire(int bytes, MemoryKind kind) {
    if (bytes < 1) {
      throw new IllegalArgumentException("too few bytes (bytes=" + bytes + ")");
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
    Piece piece = isKept(bytes) ? kept(bytes, kind) : null;
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

  private static boolean isKept(int bytes) {
    return bytes >= LEAST_KEPT_BYTES && bytes <= MOST_KEPT_BYTES;
  }

  private @Nullable Piece kept(int bytes, MemoryKind kind) {
    for (int i = 0; i < MOST_KEPT; i++) {
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

  private void giveBack(Piece piece) {
    acquired.addAndGet(-piece.buffer.capacity());
    if (closed || !isKept(piece.buffer.capacity())) {
      piece.memory.release();
      return;
    }
    piece.buffer.clear().order(ByteOrder.BIG_ENDIAN);
    keep(piece);
    if (closed) {
      // Perhaps after the others were released.
      releaseKept();
    }
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // Two that take one place are no harm.
  private void keep(Piece piece) {
    for (int i = 0; i < MOST_KEPT; i++) {
      if (kept.get(i) == null && kept.compareAndSet(i, null, piece)) {
        return;
      }
    }
    int place = oldest++ & (MOST_KEPT - 1);
    // So that sizes that are not asked for any more do not stay for ever.
    Piece before = kept.getAndSet(place, piece);
    if (before != null) {
      before.memory.release();
    }
  }

  private void releaseKept() {
    for (int i = 0; i < MOST_KEPT; i++) {
      Piece piece = kept.getAndSet(i, null);
      if (piece != null) {
        piece.memory.release();
      }
    }
  }

  @Override
  public long acquiredBytes() {
    return acquired.get();
  }

  @Override
  public void close() {
    closed = true;
    releaseKept();
    long out = acquired.get();
    if (out != 0) {
      throw new IllegalStateException("memory was not given back (acquiredBytes=" + out + ")");
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

  /** An object for each loan, so that a second release is noticed whoever has the piece by then. */
  private static final class Loan implements PooledMemory {
    private static final AtomicReferenceFieldUpdater<Loan, @Nullable Piece> PIECE =
        AtomicReferenceFieldUpdater.newUpdater(Loan.class, Piece.class, "piece");

    private final NettyMemoryPool pool;
    private volatile @Nullable Piece piece;

    Loan(NettyMemoryPool pool, Piece piece) {
      this.pool = pool;
      this.piece = piece;
    }

    /** Only who gave it back has it still, and so it is no other's. */
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
