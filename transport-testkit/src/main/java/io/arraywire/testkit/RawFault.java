package io.arraywire.testkit;

import io.arraywire.ErrorCode;
import java.nio.charset.StandardCharsets;

/**
 * The body of an error frame, of a rejected frame and of a reject, as {@code handshake.proto} has
 * it.
 *
 * @param code what happened
 * @param text the same for people
 */
record RawFault(ErrorCode code, String text) {
  static RawFault read(byte[] body) {
    byte[] text = RawFields.bytesIn(body, 2);
    ErrorCode code = ErrorCode.fromNumber((int) RawFields.numberIn(body, 1));
    if (code == null) {
      throw new AssertionError("a fault of an unknown number");
    }
    return new RawFault(code, text == null ? "" : new String(text, StandardCharsets.UTF_8));
  }

  static byte[] bytes(ErrorCode code, String text) {
    return new RawFields().number(1, code.number()).text(2, text).toBytes();
  }
}
