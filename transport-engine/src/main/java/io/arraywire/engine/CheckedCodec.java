package io.arraywire.engine;

import io.arraywire.ArraySlice;
import io.arraywire.spi.Codec;
import io.arraywire.spi.MessageText;
import java.nio.ByteBuffer;

/** Has codecs encode, and trusts none of them. Pure function. */
final class CheckedCodec {
  private CheckedCodec() {}

  /** Has a codec encode elements, and checks that it wrote what it must. */
  static void encode(Codec codec, ArraySlice slice, int first, int elements, ByteBuffer target) {
    if (elements == 0) {
      return;
    }
    int expected = target.position() + elements * codec.encoding().elementBytes(slice.type());
    codec.encode(slice.type(), slice.array(), slice.offset() + first, elements, target);
    if (target.position() != expected) {
      throw new IllegalStateException(
          MessageText.brief(
              "a codec wrote another number of bytes than its encoding prescribes",
              "codec",
              codec.name(),
              "expectedPosition",
              expected,
              "position",
              target.position()));
    }
  }
}
