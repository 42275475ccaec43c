package io.arraywire;

import java.nio.ByteBuffer;

/**
 * Key and length of a packed repeated field of number 1, as the protobuf encoding guide defines
 * them. An empty field is not written at all, so an empty array has no prefix.
 */
final class ProtobufPrefix implements Prefix {
  /** Field number 1, wire type 2 (length-delimited). */
  private static final byte KEY = (1 << 3) | 2;

  @Override
  public int bytes(ElementType type, int count) {
    if (count == 0) {
      return 0;
    }
    long length = (long) count * type.bytes();
    int varint = (70 - Long.numberOfLeadingZeros(length)) / 7;
    return 1 + varint;
  }

  @Override
  public void put(ElementType type, int count, ByteBuffer target) {
    if (count == 0) {
      return;
    }
    target.put(KEY);
    long rest = (long) count * type.bytes();
    while (rest > 0x7f) {
      target.put((byte) ((rest & 0x7f) | 0x80));
      rest >>>= 7;
    }
    target.put((byte) rest);
  }
}
