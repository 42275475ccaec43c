package io.arraywire.engine;

import io.arraywire.ArraySlice;
import io.arraywire.ElementType;
import io.arraywire.codec.CompressionReason;
import io.arraywire.frame.BlockHead;
import io.arraywire.spi.BulkElements;
import io.arraywire.spi.Codec;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/** Puts the elements of a frame into a block. The writing thread's. */
final class BlockWriter {
  private BlockWriter() {}

  /**
   * Writes a block, raw if the codec does not make it smaller. Zeros up to a multiple of 8 follow
   * that of a part.
   *
   * @param space where it goes; there is room for it where it is raw
   * @param scratch memory for elements, and what describes them to the choice
   * @param choice what chooses whether it is compressed; null if it is in any case
   * @throws SourceFailure if the elements cannot be read
   */
  static void put(
      PlannedFrame part,
      OutboundArray array,
      ByteBuffer space,
      BlockScratch scratch,
      @Nullable BlockChoice choice) {
    int head = space.position();
    space.position(head + BlockHead.BYTES);
    BlockElements block = scratch.block;
    begin(block, part, array);
    boolean raw;
    if (choice == null || choice.considers(block)) {
      try {
        raw = !encode(part, array, space, scratch, choice);
      } finally {
        block.end();
      }
    } else {
      array.encode(part, Blocks.plain(array.codec), space);
      // Behind the last element of a part are zeros, which the block does not hold.
      space.position(head + BlockHead.BYTES + block.plainBytes());
      raw = true;
    }
    if (choice != null && array.reason != CompressionReason.PAYS) {
      array.reason = choice.reason();
    }
    int made = space.position() - head - BlockHead.BYTES;
    BlockHead.put(space, head, made, block.count, raw);
    for (int i = made; array.parts != null && i % Long.BYTES != 0; i++) {
      space.put((byte) 0);
    }
  }

  private static void begin(BlockElements block, PlannedFrame part, OutboundArray array) {
    OutboundParts parts = array.parts;
    if (parts == null) {
      int figures = BlockElements.figures(array.channel.id);
      block.begin(figures, array.codec, array.source.type(), part.elements);
    } else {
      int of = part.blockOf;
      int elements = parts.elements(of, part.firstElement, part.elements);
      int figures = BlockElements.figures(array.channel.id, of);
      block.begin(figures, parts.blocks(of), parts.type(of), elements);
    }
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
    BlockElements block = scratch.block;
    ByteBuffer copied = array.copied(part);
    if (copied != null) {
      // Behind the last element of a part are zeros, which the block does not hold.
      copied.limit(copied.position() + block.plainBytes());
      boolean smaller = encodeCopied(part, array, copied, space, scratch, choice);
      if (!smaller) {
        space.position(from).put(copied);
      }
      return smaller;
    }
    if (array.parts == null && array.source instanceof ArraySlice slice) {
      block.at(slice.array(), slice.offset() + (int) part.firstElement);
      boolean smaller = encode(block, space, choice);
      if (!smaller) {
        array.encode(part, plain, space.position(from));
      }
      return smaller;
    }
    // A codec wants an array, so they pass through the block's place first.
    ElementType type = block.type;
    ByteOrder order = block.codec().encoding().order();
    Object elements = scratch.elements(type, block.count);
    array.encode(part, plain, space);
    BulkElements.get(type, space.position(from), elements, 0, block.count, order);
    block.at(elements, 0);
    boolean smaller = encode(block, space.position(from), choice);
    if (!smaller) {
      BulkElements.put(type, elements, 0, block.count, space.position(from), order);
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
    BlockElements block = scratch.block;
    SharedBlocks shared = array.sharedBlocks();
    if (shared == null || (choice != null && choice.triesNext(block.figures))) {
      take(copied, scratch);
      return encode(block, space, choice);
    }
    int from = space.position();
    boolean smaller =
        shared.encode(
            part.firstElement,
            part.elements,
            space,
            target -> {
              take(copied, scratch);
              return choice == null
                  ? CheckedCodec.encodeBlock(block.codec(), block, target)
                  : choice.compress(block, target);
            });
    if (choice != null) {
      choice.passed(block, smaller ? space.position() - from : block.plainBytes());
    }
    return smaller;
  }

  /** Takes the elements of the block that was begun from a copy. */
  private static void take(ByteBuffer copied, BlockScratch scratch) {
    BlockElements block = scratch.block;
    Object elements = scratch.elements(block.type, block.count);
    ByteOrder order = block.codec().encoding().order();
    BulkElements.get(block.type, copied.duplicate(), elements, 0, block.count, order);
    block.at(elements, 0);
  }

  private static boolean encode(
      BlockElements block, ByteBuffer space, @Nullable BlockChoice choice) {
    return choice == null
        ? CheckedCodec.encodeBlock(block.codec(), block, space)
        : choice.encode(block, space);
  }
}
