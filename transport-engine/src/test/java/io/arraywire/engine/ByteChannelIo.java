package io.arraywire.engine;

import io.arraywire.ElementType;
import io.arraywire.spi.BulkElements;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Moves bytes between an array and bytes of a test, at most some at a time. */
final class ByteChannelIo implements ArrayIo {
  final ByteBuffer bytes;
  private final ElementType type;
  private final int most;

  ByteChannelIo(ElementType type, ByteBuffer bytes, int most) {
    this.type = type;
    this.bytes = bytes;
    this.most = most;
  }

  @Override
  public long read(Object array, long offset, int atMost) {
    return move(array, offset, Math.min(Math.min(atMost, most), bytes.remaining()), true);
  }

  @Override
  public long write(Object array, long offset, int atMost) {
    return move(array, offset, Math.min(Math.min(atMost, most), bytes.remaining()), false);
  }

  /** By way of all bytes of the array, since no element need be whole. */
  private long move(Object array, long offset, int count, boolean in) {
    ElementType moved = array instanceof byte[] ? ElementType.BYTE : type;
    int length = Array.getLength(array);
    byte[] all = VerbatimCodec.bytes(moved, array, 0, length);
    if (in) {
      bytes.get(all, (int) offset, count);
      BulkElements.get(moved, ByteBuffer.wrap(all), array, 0, length, ByteOrder.nativeOrder());
    } else {
      bytes.put(all, (int) offset, count);
    }
    return count;
  }
}
