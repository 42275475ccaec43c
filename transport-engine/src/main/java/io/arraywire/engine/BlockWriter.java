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
    int head = space.position();
    int bytes = part.elements * type.bytes();
    space.position(head + Blocks.HEAD_BYTES);
    boolean raw;
    if (choice == null || choice.considers(array.channel.id, array.codec, bytes)) {
      raw = !encode(part, array, space, scratch, choice);
    } else {
      array.encode(part, Blocks.plain(array.codec), space);
      raw = true;
    }
    int made = space.position() - head - Blocks.HEAD_BYTES;
    Blocks.putHead(space, head, made, part.elements, raw);
  }

  /** Writes a block that is to be smaller; or its elements, if it is not. Returns whether it is. */
  private static boolean encode(
      PlannedFrame part,
      OutboundArray array,
      ByteBuffer space,
      BlockScratch scratch,
      @Nullable BlockChoice choice) {
    int from = space.position();
    Codec plain = Blocks.plain(array.codec);
    ByteBuffer copied = array.copied(part);
    if (copied != null) {
      boolean smaller = encodeCopied(part, array, copied, space, scratch, choice);
      if (!smaller) {
        space.position(from).put(copied);
      }
      return smaller;
    }
    if (array.source instanceof ArraySlice slice) {
      int index = slice.offset() + (int) part.firstElement;
      boolean smaller = encode(choice, array, slice.array(), index, part.elements, space);
      if (!smaller) {
        array.encode(part, plain, space.position(from));
      }
      return smaller;
    }
    // A codec wants an array: they pass the place of the block on their way there.
    ElementType type = array.source.type();
    ByteOrder order = array.codec.encoding().order();
    Object elements = scratch.elements(type, part.elements);
    array.encode(part, plain, space);
    BulkElements.get(type, space.position(from), elements, 0, part.elements, order);
    boolean smaller = encode(choice, array, elements, 0, part.elements, space.position(from));
    if (!smaller) {
      BulkElements.put(type, elements, 0, part.elements, space.position(from), order);
    }
    return smaller;
  }

  /** Makes a block of elements that were copied when they were handed in. */
  private static boolean encodeCopied(
      PlannedFrame part,
      OutboundArray array,
      ByteBuffer copied,
      ByteBuffer space,
      BlockScratch scratch,
      @Nullable BlockChoice choice) {
    ElementType type = array.source.type();
    int channel = array.channel.id;
    SharedBlocks shared = array.sharedBlocks();
    if (shared == null || (choice != null && choice.triesNext(channel))) {
      Object elements = elements(type, part, copied, array.codec, scratch);
      return encode(choice, array, elements, 0, part.elements, space);
    }
    int from = space.position();
    boolean smaller =
        shared.encode(
            part.firstElement,
            part.elements,
            space,
            target -> {
              Object elements = elements(type, part, copied, array.codec, scratch);
              return choice == null
                  ? CheckedCodec.encodeBlock(array.codec, type, elements, 0, part.elements, target)
                  : choice.compress(channel, array.codec, type, elements, 0, part.elements, target);
            });
    if (choice != null) {
      int plain = part.elements * type.bytes();
      choice.passed(channel, array.codec, plain, smaller ? space.position() - from : plain);
    }
    return smaller;
  }

  private static Object elements(
      ElementType type, PlannedFrame part, ByteBuffer copied, Codec codec, BlockScratch scratch) {
    Object elements = scratch.elements(type, part.elements);
    ByteOrder order = codec.encoding().order();
    BulkElements.get(type, copied.duplicate(), elements, 0, part.elements, order);
    return elements;
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
