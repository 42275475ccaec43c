package io.arraywire.testkit;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A protobuf message, written and read field by field: the peer that a test plays shares no code
 * with the library that it tests. Knows numbers and sequences of bytes; not for use by several
 * threads.
 */
final class RawFields {
  private static final int VARINT = 0;
  private static final int FIXED_64 = 1;
  private static final int DELIMITED = 2;
  private static final int FIXED_32 = 5;

  private final ByteArrayOutputStream all = new ByteArrayOutputStream();

  /** A field of 0 is left out, as protobuf does. */
  RawFields number(int field, long value) {
    return value == 0 ? this : element(field, value);
  }

  /** An element of a repeated field that is not packed, which is there even if it is 0. */
  RawFields element(int field, long value) {
    putVarint(all, ((long) field << 3) | VARINT);
    putVarint(all, value);
    return this;
  }

  /** A repeated field, packed; left out if it is empty. */
  RawFields numbers(int field, long... values) {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    for (long value : values) {
      putVarint(packed, value);
    }
    return values.length == 0 ? this : message(field, packed.toByteArray());
  }

  /** A field of no bytes is left out, as protobuf does. */
  RawFields bytes(int field, byte... value) {
    return value.length == 0 ? this : message(field, value);
  }

  RawFields text(int field, String value) {
    return bytes(field, value.getBytes(StandardCharsets.UTF_8));
  }

  /** A message in a message, which is there even if it is empty. */
  RawFields message(int field, byte... value) {
    putVarint(all, ((long) field << 3) | DELIMITED);
    putVarint(all, value.length);
    all.writeBytes(value);
    return this;
  }

  /** Fields that are written already. */
  RawFields raw(byte... fields) {
    all.writeBytes(fields);
    return this;
  }

  byte[] toBytes() {
    return all.toByteArray();
  }

  private static void putVarint(ByteArrayOutputStream target, long value) {
    long left = value;
    while ((left & ~0x7fL) != 0) {
      target.write((int) ((left & 0x7f) | 0x80));
      left >>>= 7;
    }
    target.write((int) left);
  }

  /** The number in a field of a message; 0 if it is not there. */
  static long numberIn(byte[] message, int field) {
    ByteBuffer value = find(message, field, VARINT);
    return value == null ? 0 : varint(value);
  }

  /** The bytes in a field of a message; null if it is not there. */
  static byte @Nullable [] bytesIn(byte[] message, int field) {
    ByteBuffer value = find(message, field, DELIMITED);
    if (value == null) {
      return null;
    }
    byte[] bytes = new byte[Math.toIntExact(varint(value))];
    value.get(bytes);
    return bytes;
  }

  private static @Nullable ByteBuffer find(byte[] message, int field, int kind) {
    ByteBuffer left = ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN);
    while (left.hasRemaining()) {
      long key = varint(left);
      if (key == (((long) field << 3) | kind)) {
        return left;
      }
      switch ((int) (key & 7)) {
        case VARINT -> varint(left);
        case FIXED_64 -> left.getLong();
        case DELIMITED -> left.position(Math.toIntExact(varint(left)) + left.position());
        case FIXED_32 -> left.getInt();
        default -> throw new AssertionError("not a protobuf message (key=" + key + ")");
      }
    }
    return null;
  }

  private static long varint(ByteBuffer source) {
    long value = 0;
    for (int shift = 0; shift < Long.SIZE; shift += 7) {
      byte next = source.get();
      value |= (next & 0x7fL) << shift;
      if (next >= 0) {
        return value;
      }
    }
    throw new AssertionError("a varint of more than ten bytes");
  }
}
