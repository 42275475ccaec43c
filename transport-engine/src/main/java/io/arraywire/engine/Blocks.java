package io.arraywire.engine;

import io.arraywire.Encoding;
import io.arraywire.codec.StandardCodecs;
import io.arraywire.spi.Codec;
import java.nio.ByteOrder;

/** What codecs in blocks make of elements, and what of those that are in none. Pure functions. */
final class Blocks {
  private static final Codec LITTLE = StandardCodecs.raw(ByteOrder.LITTLE_ENDIAN);
  private static final Codec BIG = StandardCodecs.raw(ByteOrder.BIG_ENDIAN);

  private Blocks() {}

  /** What the elements are encoded with where they are in no block, or in one that is raw. */
  static Codec plain(Codec codec) {
    Encoding encoding = codec.encoding();
    if (!encoding.isInBlocks()) {
      return codec;
    }
    return encoding.order() == ByteOrder.LITTLE_ENDIAN ? LITTLE : BIG;
  }

  /** Whether a codec makes blocks, be it of an array or of parts of a message. */
  static boolean areMadeBy(Codec codec) {
    return codec instanceof PartsCodec parts
        ? parts.inBlocks() != null
        : codec.encoding().isInBlocks();
  }
}
