package io.arraywire.engine;

import io.arraywire.ArraySlice;
import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.ProtocolException;
import io.arraywire.codec.StandardCodecs;
import io.arraywire.message.Message;
import io.arraywire.message.Part;
import io.arraywire.spi.Codec;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/**
 * Encodes the payload of a message with a table of parts: the elements of each part, little-endian,
 * and zeros up to a multiple of 8. Takes them from the arrays of a {@link Message}, or from a
 * {@code byte[]} in which somebody has put them together. What this codec calls elements are bytes.
 */
final class PartsCodec implements Codec {
  static final PartsCodec INSTANCE = new PartsCodec();

  private static final Codec RAW = StandardCodecs.raw(ByteOrder.LITTLE_ENDIAN);

  private PartsCodec() {}

  @Override
  public String name() {
    return "parts";
  }

  @Override
  public Encoding encoding() {
    return Encoding.RAW_LITTLE_ENDIAN;
  }

  @Override
  public void encode(ElementType type, Object array, int index, int count, ByteBuffer target) {
    if (array instanceof byte[] bytes) {
      target.put(bytes, index, count);
    } else {
      put(((Message) array).parts(), index, count, target);
    }
  }

  @Override
  public void decode(ElementType type, ByteBuffer source, Object array, int index, int count)
      throws ProtocolException {
    RAW.decode(type, source, array, index, count);
  }

  private static void put(List<Part> parts, int index, int count, ByteBuffer target) {
    int at = index;
    int end = index + count;
    long begin = 0;
    for (int i = 0; at < end; i++) {
      Part part = parts.get(i);
      long elementsEnd = begin + (long) part.count() * part.type().bytes();
      long partEnd = (elementsEnd + 7) & -8L;
      if (at < elementsEnd) {
        int bytes = (int) Math.min(end, elementsEnd) - at;
        putElements(part, (int) (at - begin), bytes, target);
        at += bytes;
      }
      for (; at < Math.min(end, partEnd); at++) {
        target.put((byte) 0);
      }
      begin = partEnd;
    }
  }

  /** Bytes of a part; the first and the last element may be cut. */
  private static void putElements(Part part, int from, int bytes, ByteBuffer target) {
    int width = part.type().bytes();
    int first = from / width;
    int cut = from % width;
    int left = bytes;
    if (cut > 0) {
      int some = Math.min(left, width - cut);
      putCut(part, first, cut, some, target);
      left -= some;
      first++;
    }
    int whole = left / width;
    putWhole(part, first, whole, target);
    if (left % width > 0) {
      putCut(part, first + whole, 0, left % width, target);
    }
  }

  private static void putWhole(Part part, int first, int count, ByteBuffer target) {
    int skip = first;
    int left = count;
    for (int i = 0; left > 0; i++) {
      ArraySlice slice = part.slices().get(i);
      int here = Math.min(left, slice.length() - skip);
      if (here > 0) {
        RAW.encode(slice.type(), slice.array(), slice.offset() + skip, here, target);
        left -= here;
      }
      skip = Math.max(0, skip - slice.length());
    }
  }

  private static void putCut(Part part, int element, int from, int bytes, ByteBuffer target) {
    ByteBuffer whole = ByteBuffer.allocate(Long.BYTES);
    putWhole(part, element, 1, whole);
    target.put(whole.array(), from, bytes);
  }
}
