package io.arraywire.frame;

import io.arraywire.ErrorCode;
import io.arraywire.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Compares magic numbers, and tells what a stranger seems to speak. Stateless; any thread. */
public final class Magic {
  private Magic() {}

  /**
   * Checks that a magic number is there.
   *
   * @param source holds it
   * @param at where
   * @param expected the number, as a little-endian int
   * @param what begins with it, for the text
   * @throws ProtocolException if something else is there; the text says what it seems to be
   */
  public static void check(ByteBuffer source, int at, int expected, String what)
      throws ProtocolException {
    int actual = source.order(ByteOrder.LITTLE_ENDIAN).getInt(at);
    if (actual != expected) {
      throw new ProtocolException(
          ErrorCode.BAD_MAGIC,
          "the peer does not speak Arraywire: not the first bytes of a " + what + guess(actual),
          "bytes",
          hex(Integer.reverseBytes(actual)),
          "expected",
          hex(Integer.reverseBytes(expected)));
    }
  }

  /**
   * A number as people write it.
   *
   * @param value the number
   * @return its hexadecimal digits after {@code 0x}
   */
  public static String hex(int value) {
    return "0x" + Integer.toHexString(value);
  }

  private static String guess(int littleEndian) {
    byte[] bytes =
        ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(littleEndian).array();
    if ((bytes[0] == 0x16 || bytes[0] == 0x15) && bytes[1] == 3) {
      return "; it looks like TLS";
    }
    String text = new String(bytes, StandardCharsets.US_ASCII);
    if (text.equals("GET ") || text.equals("POST") || text.equals("HTTP") || text.equals("HEAD")) {
      return "; it looks like HTTP; is this the right port?";
    }
    if (bytes[0] == 0) {
      return "; it may be in plain mode: set plain at both ends or at neither";
    }
    return "";
  }
}
