package io.arraywire.engine;

import io.arraywire.ArraySlice;
import io.arraywire.ElementType;
import io.arraywire.LeasedArray;
import io.arraywire.MalformedPayloadException;
import io.arraywire.spi.Codec;
import io.arraywire.spi.MemoryKind;
import io.arraywire.spi.MemoryPool;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Decodes elements into an array: the caller's, or a fresh one that grows as bytes arrive, so that
 * what is allocated is never more than twice ahead of them.
 */
final class DecodingSink extends Sink {
  /** What a fresh array may begin with before a byte of it has come. */
  private static final int FIRST_BYTES = 32 << 10;

  private final Codec codec;
  private final ElementType type;
  private final int count;
  private final int width;
  private final ByteBuffer carry;
  private Object array;
  private int offset;
  private int capacity;
  private int decoded;
  private boolean stopped;

  /** What the elements go to since it was asked for, if they no longer come here. */
  private @Nullable PooledSink pooled;

  private DecodingSink(
      Codec codec, ElementType type, int count, Object array, int offset, int capacity) {
    this.codec = codec;
    this.type = type;
    this.count = count;
    this.array = array;
    this.offset = offset;
    this.capacity = capacity;
    width = codec.encoding().elementBytes(type);
    carry = ByteBuffer.allocate(width);
  }

  /** Into the caller's own array, which has room for all elements. */
  static DecodingSink into(Codec codec, ArraySlice target, int count) {
    return new DecodingSink(codec, target.type(), count, target.array(), target.offset(), count);
  }

  /** Into a fresh array, of full size at once only if the peer is trusted. */
  static DecodingSink fresh(Codec codec, ElementType type, int count, boolean trusted) {
    int first = trusted ? count : firstCapacity(type, count);
    return new DecodingSink(codec, type, count, type.newArray(first), 0, first);
  }

  private static int firstCapacity(ElementType type, int count) {
    return Math.min(count, FIRST_BYTES / type.bytes());
  }

  @Override
  synchronized void put(ByteBuffer source, int bytes) throws MalformedPayloadException {
    if (stopped) {
      source.position(source.position() + bytes);
      return;
    }
    if (pooled != null) {
      pooled.put(source, bytes);
      return;
    }
    int left = bytes;
    if (carry.position() > 0) {
      while (left > 0 && carry.hasRemaining()) {
        carry.put(source.get());
        left--;
      }
      if (carry.hasRemaining()) {
        return;
      }
      carry.flip();
      decode(carry, 1);
      carry.clear();
    }
    int whole = left / width;
    if (whole > 0) {
      int limit = source.limit();
      source.limit(source.position() + whole * width);
      decode(source, whole);
      source.limit(limit);
      left -= whole * width;
    }
    for (; left > 0; left--) {
      carry.put(source.get());
    }
  }

  private void decode(ByteBuffer source, int elements) throws MalformedPayloadException {
    ensureCapacity(decoded + elements);
    int expected = source.position() + elements * width;
    codec.decode(type, source, array, offset + decoded, elements);
    if (source.position() != expected) {
      throw new IllegalStateException(
          "a codec read another number of bytes than its encoding prescribes (codec="
              + codec.name()
              + ", expectedPosition="
              + expected
              + ", position="
              + source.position()
              + ")");
    }
    countCopies(codec.traits().copiesToDecode(), (long) elements * width);
    decoded += elements;
  }

  private void ensureCapacity(int needed) {
    if (needed > capacity) {
      long twice = Math.max(needed, 2L * capacity);
      moveTo((int) Math.min(count, twice));
    }
  }

  @Override
  synchronized void redirect() {
    if (pooled != null) {
      return;
    }
    moveTo(Math.max(decoded, firstCapacity(type, count)));
  }

  @Override
  synchronized void rebind(ArraySlice target) {
    System.arraycopy(array, offset, target.array(), target.offset(), decoded);
    countCopies(1, (long) decoded * type.bytes());
    array = target.array();
    offset = target.offset();
    capacity = count;
  }

  /** What was decoded is encoded again, which restores the bytes as they came. */
  @Override
  synchronized void rebindToPool(MemoryPool pool) {
    PooledSink target =
        new PooledSink(pool, MemoryKind.DIRECT, type, count, codec.encoding().order());
    for (int done = 0; done < decoded; ) {
      ByteBuffer room = target.room();
      int portion = Math.min(decoded - done, room.remaining() / width);
      codec.encode(type, array, offset + done, portion, room);
      done += portion;
    }
    int partial = carry.position();
    if (partial > 0) {
      target.put(carry.flip(), partial);
    }
    target.copiedBytes = copiedBytes;
    target.countCopies(codec.traits().copiesToEncode(), (long) decoded * width);
    pooled = target;
  }

  @Override
  synchronized @Nullable ByteBuffer space(long atMost) {
    return pooled == null ? null : pooled.space(atMost);
  }

  @Override
  synchronized boolean isPooled() {
    return pooled != null;
  }

  @Override
  synchronized void advance(int bytes) {
    if (pooled == null) {
      super.advance(bytes);
    } else {
      pooled.advance(bytes);
    }
  }

  @Override
  synchronized void discard() {
    if (pooled != null) {
      pooled.discard();
    }
  }

  @Override
  synchronized long pooledBytes() {
    return pooled == null ? 0 : pooled.pooledBytes();
  }

  @Override
  synchronized void countCopies(int copiesPerByte, long bytes) {
    if (pooled == null) {
      super.countCopies(copiesPerByte, bytes);
    } else {
      pooled.countCopies(copiesPerByte, bytes);
    }
  }

  @Override
  synchronized long copied() {
    return pooled == null ? super.copied() : pooled.copied();
  }

  @Override
  synchronized void stop() {
    stopped = true;
  }

  private void moveTo(int newCapacity) {
    Object roomier = type.newArray(newCapacity);
    System.arraycopy(array, offset, roomier, 0, decoded);
    countCopies(1, (long) decoded * type.bytes());
    array = roomier;
    offset = 0;
    capacity = newCapacity;
  }

  @Override
  synchronized ArraySlice slice() {
    return pooled != null ? pooled.slice() : ArraySlice.ofArray(array, offset, count);
  }

  @Override
  synchronized LeasedArray lease(LeaseFacts facts) {
    return pooled == null ? new HeapLease(facts, slice()) : pooled.lease(facts);
  }
}
