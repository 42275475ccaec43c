package io.arraywire.spi;

import io.arraywire.ElementType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Moves elements of 4 and 8 bytes between arrays and buffers of the other byte order, some at a
 * time. It makes bulk copies in the host's order. Between them it runs a loop over an {@code int[]}
 * or {@code long[]} that the compiler turns into vector instructions, see {@link ElementBits}. The
 * views of the JDK swap one element after the other, which takes up to six times as long.
 *
 * <p>Any thread.
 */
final class SwappedElements {
  /** What is moved at a time stays in the first cache. */
  private static final int BLOCK_BYTES = 4 << 10;

  /** More threads than that which swap at the same time make their own. */
  private static final AtomicReferenceArray<SwappedElements> SPARE = new AtomicReferenceArray<>(8);

  private final int[] ints = new int[BLOCK_BYTES / Integer.BYTES];
  private final long[] longs = new long[BLOCK_BYTES / Long.BYTES];
  private final ElementBits bits = new ElementBits(ints, longs);

  private SwappedElements() {}

  /** Whether elements of a type gain by it. */
  static boolean suits(ElementType type) {
    return type.bytes() >= Integer.BYTES;
  }

  private static SwappedElements take() {
    for (int i = 0; i < SPARE.length(); i++) {
      SwappedElements spare = SPARE.getAndSet(i, null);
      if (spare != null) {
        return spare;
      }
    }
    return new SwappedElements();
  }

  private void giveBack() {
    for (int i = 0; i < SPARE.length(); i++) {
      if (SPARE.compareAndSet(i, null, this)) {
        return;
      }
    }
  }

  /** Copies elements into a buffer of the other order, whose position stays. */
  static void put(ElementType type, Object array, int index, int count, ByteBuffer target) {
    SwappedElements block = take();
    ByteOrder order = target.order();
    // Not a duplicate of the buffer: it would be garbage, as much as the view.
    target.order(ByteOrder.nativeOrder());
    switch (type.carrier()) {
      case INT -> block.put((int[]) array, index, count, target.asIntBuffer());
      case FLOAT -> block.put((float[]) array, index, count, target.asIntBuffer());
      case LONG -> block.put((long[]) array, index, count, target.asLongBuffer());
      case DOUBLE -> block.put((double[]) array, index, count, target.asLongBuffer());
      default -> throw new IllegalStateException("not of 4 or 8 bytes: " + type);
    }
    target.order(order);
    block.giveBack();
  }

  /** Copies elements out of a buffer of the other order, whose position stays. */
  static void get(ElementType type, ByteBuffer source, Object array, int index, int count) {
    SwappedElements block = take();
    ByteOrder order = source.order();
    source.order(ByteOrder.nativeOrder());
    switch (type.carrier()) {
      case INT -> block.get(source.asIntBuffer(), (int[]) array, index, count);
      case FLOAT -> block.get(source.asIntBuffer(), (float[]) array, index, count);
      case LONG -> block.get(source.asLongBuffer(), (long[]) array, index, count);
      case DOUBLE -> block.get(source.asLongBuffer(), (double[]) array, index, count);
      default -> throw new IllegalStateException("not of 4 or 8 bytes: " + type);
    }
    source.order(order);
    block.giveBack();
  }

  /** Reverses the bytes of each element where they lie; position and order of the buffer stay. */
  static void swap(ByteBuffer bytes, int from, int to, int width) {
    SwappedElements block = take();
    int position = bytes.position();
    int limit = bytes.limit();
    ByteOrder order = bytes.order();
    bytes.limit(to).position(from).order(ByteOrder.nativeOrder());
    if (width == Long.BYTES) {
      block.swap(bytes.asLongBuffer());
    } else {
      block.swap(bytes.asIntBuffer());
    }
    bytes.limit(limit).position(position).order(order);
    block.giveBack();
  }

  private void swap(IntBuffer elements) {
    for (int at = 0; at < elements.limit(); at += ints.length) {
      int some = Math.min(ints.length, elements.limit() - at);
      elements.get(at, ints, 0, some);
      bits.swapInts(some);
      elements.put(at, ints, 0, some);
    }
  }

  private void swap(LongBuffer elements) {
    for (int at = 0; at < elements.limit(); at += longs.length) {
      int some = Math.min(longs.length, elements.limit() - at);
      elements.get(at, longs, 0, some);
      bits.swapLongs(some);
      elements.put(at, longs, 0, some);
    }
  }

  private void put(int[] from, int index, int count, IntBuffer to) {
    for (int done = 0; done < count; done += ints.length) {
      int some = Math.min(ints.length, count - done);
      System.arraycopy(from, index + done, ints, 0, some);
      bits.swapInts(some);
      to.put(ints, 0, some);
    }
  }

  private void get(IntBuffer from, int[] to, int index, int count) {
    for (int done = 0; done < count; done += ints.length) {
      int some = Math.min(ints.length, count - done);
      from.get(ints, 0, some);
      bits.swapInts(some);
      System.arraycopy(ints, 0, to, index + done, some);
    }
  }

  private void put(float[] from, int index, int count, IntBuffer to) {
    for (int done = 0; done < count; done += ints.length) {
      int some = Math.min(ints.length, count - done);
      bits.load(from, index + done, some);
      bits.swapInts(some);
      to.put(ints, 0, some);
    }
  }

  private void get(IntBuffer from, float[] to, int index, int count) {
    for (int done = 0; done < count; done += ints.length) {
      int some = Math.min(ints.length, count - done);
      from.get(ints, 0, some);
      bits.swapInts(some);
      bits.store(to, index + done, some);
    }
  }

  private void put(long[] from, int index, int count, LongBuffer to) {
    for (int done = 0; done < count; done += longs.length) {
      int some = Math.min(longs.length, count - done);
      System.arraycopy(from, index + done, longs, 0, some);
      bits.swapLongs(some);
      to.put(longs, 0, some);
    }
  }

  private void get(LongBuffer from, long[] to, int index, int count) {
    for (int done = 0; done < count; done += longs.length) {
      int some = Math.min(longs.length, count - done);
      from.get(longs, 0, some);
      bits.swapLongs(some);
      System.arraycopy(longs, 0, to, index + done, some);
    }
  }

  private void put(double[] from, int index, int count, LongBuffer to) {
    for (int done = 0; done < count; done += longs.length) {
      int some = Math.min(longs.length, count - done);
      bits.load(from, index + done, some);
      bits.swapLongs(some);
      to.put(longs, 0, some);
    }
  }

  private void get(LongBuffer from, double[] to, int index, int count) {
    for (int done = 0; done < count; done += longs.length) {
      int some = Math.min(longs.length, count - done);
      from.get(longs, 0, some);
      bits.swapLongs(some);
      bits.store(to, index + done, some);
    }
  }
}
