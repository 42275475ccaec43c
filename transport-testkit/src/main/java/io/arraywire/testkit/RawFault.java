package io.arraywire.testkit;

import io.arraywire.ErrorCode;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The body of an error frame, of a rejected frame and of a reject, as {@code handshake.proto} has
 * it.
 *
 * @param code what happened; null if the number is nobody's
 * @param text the same for people
 */
record RawFault(@Nullable ErrorCode code, String text) {
  static RawFault read(byte[] body) {
    byte[] text = RawFields.bytesIn(body, 2);
    return new RawFault(
        ErrorCode.fromNumber((int) RawFields.numberIn(body, 1)),
        text == null ? "" : new String(text, StandardCharsets.UTF_8));
  }

  static byte[] bytes(ErrorCode code, String text) {
    return new RawFields().number(1, code.number()).text(2, text).toBytes();
  }
}
