package io.arraywire.engine;

import io.arraywire.ArraySlice;
import io.arraywire.ElementType;
import io.arraywire.ProtocolException;
import io.arraywire.source.ArraySource;
import io.arraywire.spi.BulkElements;
import io.arraywire.spi.CheckedBlocks;
import io.arraywire.spi.Codec;
import io.arraywire.spi.MessageText;
import java.nio.Buffer;
import java.nio.ByteBuffer;

/** Has codecs encode and decode, and trusts none of them. Pure function. */
final class CheckedCodec {
  /** So many elements are decoded at a time before they go into a buffer. */
  private static final int SCRATCH_ELEMENTS = 1 << 10;

  private CheckedCodec() {}

  /**
   * Has a codec encode elements, and checks that it wrote what it must.
   *
   * @param source a slice, or a source that was opened
   * @throws SourceFailure if the source cannot be read
   */
  static void encode(Codec codec, ArraySource source, long first, int elements, ByteBuffer target) {
    if (elements == 0) {
      return;
    }
    int expected = target.position() + elements * codec.encoding().elementBytes(source.type());
    if (source instanceof ArraySlice slice) {
      codec.encode(slice.type(), slice.array(), slice.offset() + (int) first, elements, target);
    } else {
      ((OpenedSource) source).encode(codec, first, elements, target);
    }
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

  /**
   * Has a codec encode a block; returns whether that made it smaller. If not, nothing is written,
   * nor if the codec fails: a block may always travel raw, and the connection carries others.
   *
   * @param target has room for the elements where they are plain
   */
  static boolean encodeBlock(Codec codec, BlockElements block, ByteBuffer target) {
    return CheckedBlocks.encode(
        codec, block.type, block.array, block.index, block.count, target, Log::blockNotEncoded);
  }

  /**
   * Has a codec decode a block.
   *
   * @param bytes those of the block, all that remain
   * @param target an array
   * @throws ProtocolException if they are not a block of its elements and nothing else
   */
  static void decodeBlock(BlockScratch block, ByteBuffer bytes, Object target, int index)
      throws ProtocolException {
    CheckedBlocks.decode(block.codec(), block.type(), bytes, target, index, block.count());
  }

  /**
   * Has a codec decode elements, and checks that it read what it must.
   *
   * @param target an array, or a typed buffer
   */
  static void decode(
      Codec codec, ElementType type, ByteBuffer source, Object target, int index, int elements)
      throws ProtocolException {
    int expected = source.position() + elements * codec.encoding().elementBytes(type);
    if (!(target instanceof Buffer)) {
      codec.decode(type, source, target, index, elements);
    } else if (codec.encoding().hasPlainElements()) {
      BulkElements.get(type, source, target, index, elements, codec.encoding().order());
    } else {
      Object scratch = type.newArray(Math.min(elements, SCRATCH_ELEMENTS));
      for (int done = 0; done < elements; done += SCRATCH_ELEMENTS) {
        int some = Math.min(elements - done, SCRATCH_ELEMENTS);
        codec.decode(type, source, scratch, 0, some);
        BulkElements.copy(scratch, 0, target, index + done, some);
      }
    }
    if (source.position() != expected) {
      throw new IllegalStateException(
          MessageText.brief(
              "a codec read another number of bytes than its encoding prescribes",
              "codec",
              codec.name(),
              "expectedPosition",
              expected,
              "position",
              source.position()));
    }
  }
}
