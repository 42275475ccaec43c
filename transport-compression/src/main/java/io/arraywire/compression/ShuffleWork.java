package io.arraywire.compression;

import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.ProtocolException;
import java.nio.ByteBuffer;

/** What makes and reads blocks, and the memory for it. One thread at a time. */
final class ShuffleWork {
  private final BlockCompressor compressor;
  private final Elements elements = new Elements();
  private final BlockMaker maker;
  private final BlockReader reader;

  ShuffleWork(BlockCompressor compressor) {
    this.compressor = compressor;
    byte[] planes = new byte[Encoding.MAX_BLOCK_BYTES];
    maker = new BlockMaker(compressor, elements.bytes, planes);
    reader = new BlockReader(compressor, elements.bytes, planes);
  }

  void close() {
    compressor.close();
  }

  /** Makes a block if it gets smaller than what remains in the target; see {@code Codec}. */
  void encode(ElementType type, Object array, int index, int count, ByteBuffer target) {
    elements.take(type, array, index, count);
    maker.make(type, count, target);
  }

  /** Reads a block that somebody sent. */
  void decode(ElementType type, ByteBuffer source, Object array, int index, int count)
      throws ProtocolException {
    reader.read(type.bytes(), source, count);
    elements.give(type, array, index, count);
  }
}
