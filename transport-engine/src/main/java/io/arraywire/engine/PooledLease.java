package io.arraywire.engine;

import io.arraywire.ArraySlice;
import io.arraywire.ElementType;
import io.arraywire.spi.BulkElements;
import io.arraywire.spi.PooledMemory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import java.util.List;

/** A lease of elements where the kernel put them: segments of pooled memory. */
final class PooledLease extends Lease {
  private final List<PooledMemory> segments;
  private final ElementType type;
  private final ByteOrder order;

  PooledLease(List<PooledMemory> segments, ElementType type, ByteOrder order, LeaseFacts facts) {
    super(facts);
    this.segments = segments;
    this.type = type;
    this.order = order;
  }

  @Override
  public int segments() {
    checkOpen();
    return segments.size();
  }

  @Override
  void copyElements(ArraySlice target) {
    copy(segments, type, order, target);
  }

  static void copy(
      List<PooledMemory> segments, ElementType type, ByteOrder order, ArraySlice target) {
    int copied = 0;
    for (PooledMemory segment : segments) {
      ByteBuffer bytes = segment.buffer().duplicate().clear();
      int elements = bytes.remaining() / type.bytes();
      BulkElements.get(type, bytes, target.array(), target.offset() + copied, elements, order);
      copied += elements;
    }
  }

  @Override
  void giveBack() {
    segments.forEach(PooledMemory::release);
    segments.clear();
  }

  @Override
  void handedOver() {
    segments.forEach(PooledMemory::handedOver);
  }

  private ByteBuffer view(ElementType asked, int segment) {
    check(asked, segment);
    return segments.get(segment).buffer().duplicate().clear().asReadOnlyBuffer().order(order);
  }

  @Override
  public FloatBuffer floats(int segment) {
    return view(ElementType.FLOAT, segment).asFloatBuffer();
  }

  @Override
  public IntBuffer ints(int segment) {
    return view(ElementType.INT, segment).asIntBuffer();
  }

  @Override
  public DoubleBuffer doubles(int segment) {
    return view(ElementType.DOUBLE, segment).asDoubleBuffer();
  }

  @Override
  public LongBuffer longs(int segment) {
    return view(ElementType.LONG, segment).asLongBuffer();
  }

  @Override
  public ShortBuffer shorts(int segment) {
    return view(ElementType.SHORT, segment).asShortBuffer();
  }

  @Override
  public CharBuffer chars(int segment) {
    return view(ElementType.CHAR, segment).asCharBuffer();
  }

  @Override
  public ByteBuffer bytes(int segment) {
    return view(ElementType.BYTE, segment);
  }

  @Override
  public ByteBuffer booleans(int segment) {
    return view(ElementType.BOOLEAN, segment);
  }
}
