package io.arraywire.compression;

import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.spi.BulkElements;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;

/**
 * The elements of one block as bytes, little-endian. The views of them are made once, so that
 * elements are copied by the JDK's intrinsics without garbage. One thread at a time.
 */
final class Elements {
  final byte[] bytes = new byte[Encoding.MAX_BLOCK_BYTES];
  private final ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  private final FloatBuffer floats = buffer.asFloatBuffer();
  private final IntBuffer ints = buffer.asIntBuffer();
  private final DoubleBuffer doubles = buffer.asDoubleBuffer();
  private final LongBuffer longs = buffer.asLongBuffer();
  private final ShortBuffer shorts = buffer.asShortBuffer();
  private final CharBuffer chars = buffer.asCharBuffer();

  Elements() {}

  /** Copies elements of an array here. */
  void take(ElementType type, Object array, int index, int count) {
    switch (type.carrier()) {
      case FLOAT -> floats.put(0, (float[]) array, index, count);
      case INT -> ints.put(0, (int[]) array, index, count);
      case DOUBLE -> doubles.put(0, (double[]) array, index, count);
      case LONG -> longs.put(0, (long[]) array, index, count);
      case SHORT -> shorts.put(0, (short[]) array, index, count);
      case CHAR -> chars.put(0, (char[]) array, index, count);
      default ->
          BulkElements.put(type, array, index, count, buffer.clear(), ByteOrder.LITTLE_ENDIAN);
    }
  }

  /** Copies them to an array. */
  void give(ElementType type, Object array, int index, int count) {
    switch (type.carrier()) {
      case FLOAT -> floats.get(0, (float[]) array, index, count);
      case INT -> ints.get(0, (int[]) array, index, count);
      case DOUBLE -> doubles.get(0, (double[]) array, index, count);
      case LONG -> longs.get(0, (long[]) array, index, count);
      case SHORT -> shorts.get(0, (short[]) array, index, count);
      case CHAR -> chars.get(0, (char[]) array, index, count);
      default ->
          BulkElements.get(type, buffer.clear(), array, index, count, ByteOrder.LITTLE_ENDIAN);
    }
  }
}
