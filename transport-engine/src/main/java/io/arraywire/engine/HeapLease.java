package io.arraywire.engine;

import io.arraywire.ArraySlice;
import io.arraywire.ElementType;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;

/** A lease of elements that lie in an array already. */
final class HeapLease extends Lease {
  private final ArraySlice slice;

  HeapLease(LeaseFacts facts, ArraySlice slice) {
    super(facts);
    this.slice = slice;
  }

  @Override
  public int segments() {
    checkOpen();
    return slice.length() == 0 ? 0 : 1;
  }

  @Override
  void copyElements(ArraySlice target) {
    System.arraycopy(
        slice.array(), slice.offset(), target.array(), target.offset(), slice.length());
  }

  @Override
  void giveBack() {
    // The garbage collector does.
  }

  @Override
  public FloatBuffer floats(int segment) {
    check(ElementType.FLOAT, segment);
    return FloatBuffer.wrap((float[]) slice.array(), slice.offset(), slice.length())
        .slice()
        .asReadOnlyBuffer();
  }

  @Override
  public IntBuffer ints(int segment) {
    check(ElementType.INT, segment);
    return IntBuffer.wrap((int[]) slice.array(), slice.offset(), slice.length())
        .slice()
        .asReadOnlyBuffer();
  }

  @Override
  public DoubleBuffer doubles(int segment) {
    check(ElementType.DOUBLE, segment);
    return DoubleBuffer.wrap((double[]) slice.array(), slice.offset(), slice.length())
        .slice()
        .asReadOnlyBuffer();
  }

  @Override
  public LongBuffer longs(int segment) {
    check(ElementType.LONG, segment);
    return LongBuffer.wrap((long[]) slice.array(), slice.offset(), slice.length())
        .slice()
        .asReadOnlyBuffer();
  }

  @Override
  public ShortBuffer shorts(int segment) {
    check(ElementType.SHORT, segment);
    return ShortBuffer.wrap((short[]) slice.array(), slice.offset(), slice.length())
        .slice()
        .asReadOnlyBuffer();
  }

  @Override
  public CharBuffer chars(int segment) {
    check(ElementType.CHAR, segment);
    return CharBuffer.wrap((char[]) slice.array(), slice.offset(), slice.length())
        .slice()
        .asReadOnlyBuffer();
  }

  @Override
  public ByteBuffer bytes(int segment) {
    check(ElementType.BYTE, segment);
    return ByteBuffer.wrap((byte[]) slice.array(), slice.offset(), slice.length())
        .slice()
        .asReadOnlyBuffer();
  }

  @Override
  public ByteBuffer booleans(int segment) {
    check(ElementType.BOOLEAN, segment);
    ByteBuffer bytes = ByteBuffer.allocate(slice.length());
    boolean[] booleans = (boolean[]) slice.array();
    for (int i = 0; i < slice.length(); i++) {
      bytes.put((byte) (booleans[slice.offset() + i] ? 1 : 0));
    }
    return bytes.flip().asReadOnlyBuffer();
  }
}
