package io.arraywire.message;

import io.arraywire.frame.FrameLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * The bytes of a message, to be changed and sealed again: with checksums that are right, so that
 * the check behind them is reached.
 */
final class EncodedMessage {
  static final int ENCODING = 6;
  static final int ELEMENT = 7;
  static final int FLAGS = 8;
  static final int ATTRIBUTE_BYTES = 10;
  static final int CHANNEL = 12;
  static final int SEQUENCE = 16;
  static final int COUNT = 32;
  static final int ARRAY_BYTES = 40;
  static final int PAYLOAD_BYTES = 48;
  static final int PAYLOAD_CHECKSUM = 52;
  static final int ACKNOWLEDGED = 56;
  static final int ATTRIBUTES = FrameLayout.HEADER_BYTES;

  private final ByteBuffer bytes;

  EncodedMessage(byte[] bytes) {
    this.bytes = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  static EncodedMessage of(Message message) {
    return new EncodedMessage(ArrayMessage.encode(message));
  }

  /** A message of any attributes and payload, whose header says what it must. */
  static EncodedMessage of(int codes, long count, byte[] attributes, byte[] payload) {
    EncodedMessage message =
        new EncodedMessage(new byte[ATTRIBUTES + attributes.length + payload.length]);
    message.bytes.putInt(0, FrameLayout.MAGIC);
    message.bytes.put(ATTRIBUTES, attributes).put(ATTRIBUTES + attributes.length, payload);
    return message
        .u8(4, 2)
        .u8(5, 1)
        .u16(ENCODING, codes)
        .u16(FLAGS, 1)
        .u16(ATTRIBUTE_BYTES, attributes.length)
        .u64(COUNT, count)
        .u64(ARRAY_BYTES, payload.length)
        .u32(PAYLOAD_BYTES, payload.length);
  }

  EncodedMessage u8(int at, int value) {
    bytes.put(at, (byte) value);
    return this;
  }

  EncodedMessage u16(int at, int value) {
    bytes.putShort(at, (short) value);
    return this;
  }

  EncodedMessage u32(int at, long value) {
    bytes.putInt(at, (int) value);
    return this;
  }

  EncodedMessage u64(int at, long value) {
    bytes.putLong(at, value);
    return this;
  }

  /** The bytes, with the checksum of attributes and payload if the flag is set. */
  byte[] sealed() {
    if ((bytes.get(FLAGS) & 1) != 0) {
      bytes.putInt(PAYLOAD_CHECKSUM, checksum(ATTRIBUTES, bytes.capacity()));
    }
    return headerSealed();
  }

  /** The bytes, with the checksum of the header only. */
  byte[] headerSealed() {
    bytes.putInt(60, checksum(0, 60));
    return Arrays.copyOf(bytes.array(), bytes.capacity());
  }

  private int checksum(int from, int to) {
    CRC32C checksum = new CRC32C();
    checksum.update(bytes.array(), from, to - from);
    return (int) checksum.getValue();
  }
}
