package io.arraywire.stream;

import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.spi.BulkElements;
import io.arraywire.spi.Codec;
import io.arraywire.spi.CodecTraits;
import io.arraywire.spi.MemoryKind;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Writes with a real {@code ObjectOutputStream}; reads in bulk.
 *
 * <p>Writing goes through a window. Some elements are copied to an array of their own, and that
 * array is written as an object. Of the bytes only the elements are kept, because what precedes
 * them was written by the {@link Encoding}, once. The stream lives for one call and is reset for
 * each window. Otherwise it would write the second window as a reference to the first one, and keep
 * both reachable.
 *
 * <p>Reading never runs {@code ObjectInputStream}: the encoding has compared what precedes the
 * elements byte by byte, and the elements are plain.
 */
final class ObjectStreamCodec implements Codec {
  /** Small enough to stay in the first-level cache, large enough to hide what a reset costs. */
  private static final int WINDOW_BYTES = 16 << 10;

  private static final int STREAM_HEADER_BYTES = 4;
  private static final int RESET_BYTES = 1;

  // Counted in the JDK's sources (17 and 25). Encoding: the caller's array to the window; the
  // window to
  // the stream's block buffer of 1 KiB; the block buffer to our memory. Decoding: our memory to the
  // caller's array.
  private static final CodecTraits TRAITS = new CodecTraits(MemoryKind.HEAP, false, 3, 1);

  @Override
  public String name() {
    return "object-stream";
  }

  @Override
  public Encoding encoding() {
    return Encoding.JAVA_OBJECT;
  }

  @Override
  public void encode(ElementType type, Object array, int index, int count, ByteBuffer target) {
    target.order(ByteOrder.BIG_ENDIAN);
    int perWindow = WINDOW_BYTES / type.bytes();
    ByteBufferOutput output = new ByteBufferOutput(target);
    try {
      output.drop(STREAM_HEADER_BYTES);
      ObjectOutputStream stream = new ObjectOutputStream(output);
      Object window = type.newArray(Math.min(perWindow, count));
      for (int done = 0; done < count; ) {
        int elements = Math.min(perWindow, count - done);
        if (done > 0) {
          output.drop(RESET_BYTES);
          stream.reset();
          if (elements < perWindow) {
            window = type.newArray(elements);
          }
        }
        System.arraycopy(array, index + done, window, 0, elements);
        writeWindow(type, window, elements, stream, output, target);
        done += elements;
      }
    } catch (IOException e) {
      throw new UncheckedIOException("a stream into memory failed", e);
    }
  }

  @Override
  public void decode(ElementType type, ByteBuffer source, Object array, int index, int count) {
    BulkElements.get(type, source, array, index, count, ByteOrder.BIG_ENDIAN);
  }

  @Override
  public CodecTraits traits() {
    return TRAITS;
  }

  @Override
  public String toString() {
    return name();
  }

  private void writeWindow(
      ElementType type,
      Object window,
      int elements,
      ObjectOutputStream stream,
      ByteBufferOutput output,
      ByteBuffer target)
      throws IOException {
    int start = target.position();
    output.drop(encoding().prefixBytes(type, elements) - STREAM_HEADER_BYTES);
    stream.writeObject(window);
    stream.flush();
    int written = target.position() - start;
    if (output.toDrop() != 0 || written != elements * type.bytes()) {
      throw new IllegalStateException(
          "this JDK does not write arrays as the Java serialization specification says (type="
              + type.typeName()
              + ", elements="
              + elements
              + ", bytes="
              + written
              + ")");
    }
    restoreNans(type, window, elements, target, start);
  }

  /**
   * ObjectOutputStream writes every NaN as the same NaN. An encoding's bytes must not depend on the
   * codec, so the raw bits are put where a NaN is.
   */
  private static void restoreNans(
      ElementType type, Object window, int elements, ByteBuffer target, int start) {
    if (type == ElementType.FLOAT) {
      float[] floats = (float[]) window;
      for (int i = 0; i < elements; i++) {
        if (Float.isNaN(floats[i])) {
          target.putInt(start + i * Float.BYTES, Float.floatToRawIntBits(floats[i]));
        }
      }
    } else if (type == ElementType.DOUBLE) {
      double[] doubles = (double[]) window;
      for (int i = 0; i < elements; i++) {
        if (Double.isNaN(doubles[i])) {
          target.putLong(start + i * Double.BYTES, Double.doubleToRawLongBits(doubles[i]));
        }
      }
    }
  }
}
