package io.arraywire.testkit;

import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.ErrorCode;
import io.arraywire.ProtocolException;
import io.arraywire.spi.BulkElements;
import io.arraywire.spi.Codec;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A codec in blocks for tests: elements that are all the same become one of them, any others make
 * no smaller block. It has every type but {@code long}.
 */
final class SameCodec {
  static final Encoding ENCODING =
      Encoding.customInBlocks(
          211, "same", ByteOrder.LITTLE_ENDIAN, type -> type != ElementType.LONG);

  static final Codec CODEC =
      SimpleCodec.of(ENCODING)
          .named("same")
          .encodingWith(SameCodec::encode)
          .decodingWith(SameCodec::decode);

  private SameCodec() {}

  private static void encode(
      ElementType type, Object array, int index, int count, ByteBuffer target) {
    for (int i = 1; i < count; i++) {
      if (!NaiveElements.same(type, array, index, array, index + i)) {
        return;
      }
    }
    BulkElements.put(type, array, index, 1, target, ByteOrder.LITTLE_ENDIAN);
  }

  private static void decode(
      ElementType type, ByteBuffer source, Object array, int index, int count)
      throws ProtocolException {
    if (source.remaining() != type.bytes()) {
      throw new ProtocolException(
          ErrorCode.MALFORMED_PAYLOAD,
          "a block holds more or less than one element",
          "bytes",
          source.remaining());
    }
    BulkElements.get(type, source, array, index, 1, ByteOrder.LITTLE_ENDIAN);
    for (int i = 1; i < count; i++) {
      System.arraycopy(array, index, array, index + i, 1);
    }
  }
}
