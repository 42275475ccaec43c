package io.arraywire.testkit;

import io.arraywire.ElementType;
import io.arraywire.ProtocolException;
import io.arraywire.spi.Codec;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Calls a codec once, with something to be damaged before and after everything that it may touch,
 * and checks that it damaged nothing.
 */
final class CodecProbe {
  private final Codec codec;

  CodecProbe(Codec codec) {
    this.codec = codec;
  }

  /** Encodes elements of an array at a place. */
  byte[] encode(ElementType type, Object array, int index, int count, BufferPlacement place) {
    int bytes = count * codec.encoding().elementBytes(type);
    byte fill = (byte) (place.offset() % 2 == 0 ? 0xa5 : 0x5a);
    ByteBuffer target = place.buffer(bytes, fill);
    int limit = target.limit();
    Object before = copy(type, array);
    String call = describe("encode", type, count, place);
    try {
      codec.encode(type, array, index, count, target);
    } catch (RuntimeException | Error e) {
      throw new AssertionError(call + " threw " + e, e);
    }
    checkBounds(call, target, place.offset() + bytes, limit);
    target.clear();
    checkFilled(call, target, 0, place.offset(), fill);
    checkFilled(call, target, place.offset() + bytes, target.capacity(), fill);
    int changed = NaiveElements.firstDifference(type, before, 0, array, 0, Array.getLength(array));
    if (changed >= 0) {
      throw new AssertionError(call + " changed the array that it read, at element " + changed);
    }
    byte[] encoded = new byte[bytes];
    target.get(place.offset(), encoded);
    return encoded;
  }

  /** Decodes bytes at a place that must be valid. */
  Object decode(
      ElementType type, byte[] bytes, int count, BufferPlacement place, boolean readOnly) {
    try {
      return decodeAny(type, bytes, count, place, readOnly);
    } catch (ProtocolException e) {
      throw new AssertionError(
          describe("decode", type, count, place) + " refused valid bytes: " + e.getMessage(), e);
    }
  }

  /** Decodes any bytes at a place, which the codec may refuse. */
  Object decodeAny(
      ElementType type, byte[] bytes, int count, BufferPlacement place, boolean readOnly)
      throws ProtocolException {
    ByteBuffer memory = place.buffer(bytes.length, (byte) 0x5a);
    memory.put(place.offset(), bytes);
    ByteBuffer source = readOnly ? memory.asReadOnlyBuffer().order(place.order()) : memory;
    int limit = source.limit();
    int index = place.offset();
    Object array = type.newArray(index + count + place.spare());
    long filler = place.offset() % 2 == 0 ? 0x5a5b5c5d5e5f5051L : 0;
    NaiveElements.fill(type, array, filler);
    Object before = copy(type, array);
    String call = describe("decode", type, count, place) + (readOnly ? " of read-only memory" : "");
    try {
      codec.decode(type, source, array, index, count);
      checkBounds(call, source, place.offset() + bytes.length, limit);
    } catch (RuntimeException | Error e) {
      throw e instanceof AssertionError error ? error : new AssertionError(call + " threw " + e, e);
    } finally {
      checkSame(call, type, before, array, 0, index);
      checkSame(call, type, before, array, index + count, Array.getLength(array));
    }
    byte[] after = new byte[bytes.length];
    memory.get(place.offset(), after);
    int changed = Arrays.mismatch(bytes, after);
    if (changed >= 0) {
      throw new AssertionError(call + " changed the buffer that it read, at byte " + changed);
    }
    Object decoded = type.newArray(count);
    System.arraycopy(array, index, decoded, 0, count);
    return decoded;
  }

  static Object copy(ElementType type, Object array) {
    int length = Array.getLength(array);
    Object copy = type.newArray(length);
    System.arraycopy(array, 0, copy, 0, length);
    return copy;
  }

  private static void checkFilled(String call, ByteBuffer buffer, int from, int to, byte fill) {
    for (int i = from; i < to; i++) {
      if (buffer.get(i) != fill) {
        throw new AssertionError(call + " wrote outside its part of the buffer, at byte " + i);
      }
    }
  }

  private static void checkSame(
      String call, ElementType type, Object before, Object array, int from, int to) {
    int changed = NaiveElements.firstDifference(type, before, from, array, from, to - from);
    if (changed >= 0) {
      throw new AssertionError(
          call + " wrote outside its part of the array, at element " + (from + changed));
    }
  }

  private static void checkBounds(String call, ByteBuffer buffer, int position, int limit) {
    if (buffer.position() != position) {
      throw new AssertionError(
          call
              + " left the buffer at a wrong position (expected="
              + position
              + ", actual="
              + buffer.position()
              + ")");
    }
    if (buffer.limit() != limit) {
      throw new AssertionError(
          call + " moved the limit (expected=" + limit + ", actual=" + buffer.limit() + ")");
    }
  }

  private static String describe(
      String verb, ElementType type, int count, BufferPlacement placement) {
    return verb + " (type=" + type.typeName() + ", count=" + count + ", " + placement + ")";
  }
}
