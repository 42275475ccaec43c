package io.arraywire.engine;

import io.arraywire.ArraySlice;
import io.arraywire.ElementType;
import io.arraywire.LeasedArray;
import io.arraywire.MalformedPayloadException;
import io.arraywire.spi.Codec;
import java.nio.ByteBuffer;

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
    moveTo(Math.max(decoded, firstCapacity(type, count)));
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
    return ArraySlice.ofArray(array, offset, count);
  }

  @Override
  LeasedArray lease(LeaseFacts facts) {
    return new HeapLease(facts, slice());
  }
}
