package io.arraywire.wire;

import io.arraywire.ErrorCode;
import io.arraywire.ProtocolException;
import io.arraywire.frame.Magic;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * What each side sends first: the versions that it speaks, and the length of the one handshake
 * message that follows.
 *
 * <pre>
 *      0         1         2         3         4         5         6         7
 *  0 | magic f1 41 57 48                     | least v.| most v. | 0                 |
 *  8 | message bytes, at most 4096           | CRC32C of the message                 |
 * 16 | 0                                     | CRC32C of bytes 0 to 19               |
 * 24 | a Handshake message of handshake.proto
 * </pre>
 *
 * <p>Little-endian. See {@code docs/protocol.md}, section Handshake.
 *
 * @param leastVersion the lowest frame version that the sender speaks
 * @param mostVersion the highest
 * @param messageBytes bytes of the message that follows
 * @param messageChecksum its CRC32C
 */
public record Preamble(int leastVersion, int mostVersion, int messageBytes, int messageChecksum) {
  /** Bytes of a preamble. */
  public static final int BYTES = 24;

  /** The first four bytes, as a little-endian int: f1 41 57 48. */
  public static final int MAGIC = 0x485741f1;

  /** The largest handshake message; nothing larger is read. */
  public static final int MAX_MESSAGE_BYTES = 4096;

  private static final int TLS_ALERT = 0x15;
  private static final int TLS_HANDSHAKE = 0x16;
  private static final int TLS_MAJOR_VERSION = 3;

  /**
   * A preamble and its message.
   *
   * @param leastVersion the lowest frame version that this side speaks
   * @param mostVersion the highest
   * @param message the message, at most {@link #MAX_MESSAGE_BYTES}
   * @return the bytes to send
   */
  public static byte[] write(int leastVersion, int mostVersion, byte[] message) {
    if (message.length > MAX_MESSAGE_BYTES) {
      throw new IllegalArgumentException(
          "the handshake message is too large (bytes="
              + message.length
              + ", limit="
              + MAX_MESSAGE_BYTES
              + "); fewer codecs or shorter names will do");
    }
    ByteBuffer all = ByteBuffer.allocate(BYTES + message.length).order(ByteOrder.LITTLE_ENDIAN);
    all.putInt(MAGIC)
        .put((byte) leastVersion)
        .put((byte) mostVersion)
        .putShort((short) 0)
        .putInt(message.length)
        .putInt(checksum(message, 0, message.length))
        .putInt(0);
    all.putInt(checksum(all.array(), 0, BYTES - 4));
    all.put(message);
    return all.array();
  }

  /**
   * Checks the first four bytes.
   *
   * @param source holds them at {@code at}
   * @param at where
   * @throws ProtocolException if they are not those of a preamble: {@link ErrorCode#TLS_MISMATCH}
   *     if they begin a record of TLS, else {@link ErrorCode#BAD_MAGIC}
   */
  public static void checkMagic(ByteBuffer source, int at) throws ProtocolException {
    if (beginsTls(source, at)) {
      throw new ProtocolException(
          ErrorCode.TLS_MISMATCH,
          "the peer speaks TLS and this side does not; set tls at both sides or at neither",
          "bytes",
          Magic.hex(Integer.reverseBytes(source.order(ByteOrder.LITTLE_ENDIAN).getInt(at))));
    }
    Magic.check(source, at, MAGIC, "preamble");
  }

  /**
   * Whether bytes begin a record that a TLS peer sends first: a handshake message or an alert.
   *
   * @param source holds two bytes at least
   * @param at where
   * @return true if they do
   */
  public static boolean beginsTls(ByteBuffer source, int at) {
    int type = source.get(at);
    return (type == TLS_HANDSHAKE || type == TLS_ALERT) && source.get(at + 1) == TLS_MAJOR_VERSION;
  }

  /**
   * Reads a preamble.
   *
   * @param bytes {@link #BYTES} bytes
   * @return the preamble
   * @throws ProtocolException if it is not one, was damaged, or declares too large a message
   */
  public static Preamble read(byte[] bytes) throws ProtocolException {
    ByteBuffer source = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    checkMagic(source, 0);
    int declared = source.getInt(BYTES - 4);
    int computed = checksum(bytes, 0, BYTES - 4);
    if (declared != computed) {
      throw new ProtocolException(
          ErrorCode.HEADER_CHECKSUM,
          "the preamble was damaged in transit",
          "declared",
          Magic.hex(declared),
          "computed",
          Magic.hex(computed));
    }
    long length = source.getInt(8) & 0xffffffffL;
    if (length > MAX_MESSAGE_BYTES) {
      throw new ProtocolException(
          ErrorCode.FRAME_TOO_LARGE,
          "the handshake message is too large",
          "declared",
          length,
          "limit",
          MAX_MESSAGE_BYTES);
    }
    if (source.getShort(6) != 0 || source.getInt(16) != 0) {
      throw new ProtocolException(
          ErrorCode.MALFORMED_PAYLOAD, "reserved bytes of the preamble are not zero");
    }
    return new Preamble(
        source.get(4) & 0xff, source.get(5) & 0xff, (int) length, source.getInt(12));
  }

  /**
   * Checks the message against its checksum.
   *
   * @param message the bytes that followed
   * @throws ProtocolException if it was damaged
   */
  public void checkMessage(byte[] message) throws ProtocolException {
    int computed = checksum(message, 0, message.length);
    if (computed != messageChecksum) {
      throw new ProtocolException(
          ErrorCode.PAYLOAD_CHECKSUM,
          "the handshake message was damaged in transit",
          "declared",
          Magic.hex(messageChecksum),
          "computed",
          Magic.hex(computed));
    }
  }

  private static int checksum(byte[] bytes, int offset, int length) {
    CRC32C checksum = new CRC32C();
    checksum.update(bytes, offset, length);
    return (int) checksum.getValue();
  }
}
