package io.arraywire.engine;

import io.arraywire.ArraySlice;
import io.arraywire.ElementType;
import io.arraywire.spi.BulkElements;
import io.arraywire.spi.Codec;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/** Puts the elements of a frame into a block. The writing thread's. */
final class BlockWriter {
  private BlockWriter() {}

  /**
   * Writes a block, raw if the codec does not make it smaller.
   *
   * @param space where it goes; there is room for it where it is raw
   * @param choice what chooses whether it is compressed; null if it is in any case
   * @throws SourceFailure if the elements cannot be read
   */
  static void put(
      PlannedFrame part,
      OutboundArray array,
      ByteBuffer space,
      BlockScratch scratch,
      @Nullable BlockChoice choice) {
    ElementType type = array.source.type();
    Codec codec = array.codec;
    int head = space.position();
    int from = head + Blocks.HEAD_BYTES;
    int bytes = part.elements * type.bytes();
    space.position(from);
    boolean raw;
    if (array.isInArray() && array.source instanceof ArraySlice slice) {
      int index = slice.offset() + (int) part.firstElement;
      raw = !encode(choice, array, slice.array(), index, part.elements, space);
      if (raw) {
        array.encode(part, Blocks.plain(codec), space);
      }
    } else {
      // A codec wants an array: they pass the place of the block on their way there.
      ByteOrder order = codec.encoding().order();
      Object elements = scratch.elements(type, part.elements);
      array.encode(part, Blocks.plain(codec), space);
      BulkElements.get(type, space.position(from), elements, 0, part.elements, order);
      raw = !encode(choice, array, elements, 0, part.elements, space.position(from));
      if (raw) {
        BulkElements.put(type, elements, 0, part.elements, space, order);
      }
    }
    Blocks.putHead(space, head, raw ? bytes : space.position() - from, part.elements, raw);
  }

  private static boolean encode(
      @Nullable BlockChoice choice,
      OutboundArray array,
      Object elements,
      int index,
      int count,
      ByteBuffer space) {
    ElementType type = array.source.type();
    return choice == null
        ? CheckedCodec.encodeBlock(array.codec, type, elements, index, count, space)
        : choice.encode(array.channel.id, array.codec, type, elements, index, count, space);
  }
}
