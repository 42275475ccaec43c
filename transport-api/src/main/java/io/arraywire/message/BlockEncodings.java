package io.arraywire.message;

import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.ErrorCode;
import io.arraywire.ProtocolException;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Says which encodings in blocks parts may have, where these are read. */
@FunctionalInterface
interface BlockEncodings {
  /** Parts are raw. */
  BlockEncodings NONE =
      (code, type) -> {
        throw new ProtocolException(
            ErrorCode.UNKNOWN_CODE,
            "an encoding that parts of a message do not have",
            "encoding",
            BlockCodecs.name(code),
            "known",
            "1 (raw-le), 2 (raw-be)");
      };

  /** Parts have those encodings that a function knows by their codes. */
  static BlockEncodings of(IntFunction<@Nullable Encoding> byCode) {
    return (code, type) -> {
      Encoding encoding = byCode.apply(code);
      if (encoding == null || !encoding.isInBlocks() || !encoding.supports(type)) {
        throw new ProtocolException(
            ErrorCode.UNKNOWN_CODE,
            encoding == null || !encoding.isInBlocks()
                ? "this side does not decode the encoding of a part; give it a codec of that"
                    + " encoding, or have the part sent in another one"
                : "the encoding of a part does not have its element type",
            "encoding",
            encoding == null ? BlockCodecs.name(code) : encoding.name(),
            "elementType",
            type.typeName());
      }
      return encoding;
    };
  }

  /**
   * The encoding of a code that is not raw.
   *
   * @throws ProtocolException if elements of that type may not have it
   */
  Encoding inBlocks(int code, ElementType type) throws ProtocolException;

  /**
   * The encoding of a code.
   *
   * @throws ProtocolException if elements of that type may not have it
   */
  default Encoding checked(int code, ElementType type) throws ProtocolException {
    if (code == Encoding.RAW_LITTLE_ENDIAN.code()) {
      return Encoding.RAW_LITTLE_ENDIAN;
    }
    return code == Encoding.RAW_BIG_ENDIAN.code() ? Encoding.RAW_BIG_ENDIAN : inBlocks(code, type);
  }
}
