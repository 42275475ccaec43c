package io.arraywire.engine;

import io.arraywire.ArraySlice;
import io.arraywire.ElementType;
import io.arraywire.LeasedArray;
import io.arraywire.spi.Codec;
import io.arraywire.spi.MemoryKind;
import io.arraywire.spi.MemoryPool;
import io.arraywire.spi.PooledMemory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps elements as they came, in segments of pooled memory, for a lease. A segment is taken when
 * bytes for it have come. It has at most the size of all before it, so memory is never more than
 * twice ahead.
 */
final class PooledSink extends Sink {
  private static final int FIRST_BYTES = 64 << 10;
  private static final int MOST_SEGMENT_BYTES = 4 << 20;

  private final MemoryPool pool;
  private final MemoryKind kind;
  private final ElementType type;
  private final int count;
  private final ByteOrder order;
  private final List<PooledMemory> segments = new ArrayList<>();
  private final long bytes;
  private long taken;
  private @Nullable ByteBuffer last;

  PooledSink(MemoryPool pool, MemoryKind kind, ElementType type, int count, ByteOrder order) {
    this.pool = pool;
    this.kind = kind;
    this.type = type;
    this.count = count;
    this.order = order;
    bytes = (long) count * type.bytes();
  }

  /**
   * Begins with what another sink has decoded. It is encoded again, which restores the bytes as
   * they came.
   *
   * @param partial what has come of one more element, if anything has
   */
  void takeOver(Codec codec, Object array, int offset, int decoded, @Nullable ByteBuffer partial) {
    int width = codec.encoding().elementBytes(type);
    boolean whole = false;
    try {
      for (int done = 0; done < decoded; ) {
        ByteBuffer room = room();
        int portion = Math.min(decoded - done, room.remaining() / width);
        codec.encode(type, array, offset + done, portion, room);
        done += portion;
      }
      if (partial != null) {
        put(partial, partial.remaining());
      }
      whole = true;
    } finally {
      if (!whole) {
        discard();
      }
    }
  }

  @Override
  void put(ByteBuffer source, int length) {
    int limit = source.limit();
    for (int left = length; left > 0; ) {
      ByteBuffer room = room();
      int portion = Math.min(left, room.remaining());
      source.limit(source.position() + portion);
      room.put(source);
      left -= portion;
    }
    source.limit(limit);
    countCopies(1, length);
  }

  @Override
  ByteBuffer space(long atMost) {
    ByteBuffer room = room();
    ByteBuffer space = room.duplicate();
    space.limit(room.position() + (int) Math.min(atMost, room.remaining()));
    return space;
  }

  @Override
  boolean isPooled() {
    return true;
  }

  @Override
  void advance(int length) {
    if (last == null) {
      throw new IllegalStateException("no space was lent");
    }
    last.position(last.position() + length);
  }

  /** Where the next bytes go; more than 0 of them. */
  ByteBuffer room() {
    if (last == null || !last.hasRemaining()) {
      long next = Math.min(MOST_SEGMENT_BYTES, Math.max(FIRST_BYTES, taken));
      int size = (int) Math.min(bytes - taken, next);
      PooledMemory memory = pool.acquire(size, kind);
      segments.add(memory);
      taken += size;
      last = memory.buffer().clear();
    }
    return last;
  }

  @Override
  void rebind(ArraySlice target) {
    // The final receiver copies the array from here: the caller that was to have the lease has
    // given up.
  }

  @Override
  void rebindToPool(MemoryPool other) {
    // It is there already.
  }

  @Override
  ArraySlice slice() {
    ArraySlice fresh = ArraySlice.ofArray(type.newArray(count)).as(type);
    PooledLease.copy(segments, type, order, fresh);
    discard();
    countCopies(1, bytes);
    return fresh;
  }

  @Override
  LeasedArray lease(LeaseFacts facts) {
    return new PooledLease(segments, type, order, facts);
  }

  @Override
  void discard() {
    segments.forEach(PooledMemory::release);
    segments.clear();
  }

  @Override
  long pooledBytes() {
    return taken;
  }
}
