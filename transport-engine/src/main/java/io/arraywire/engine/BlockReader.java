package io.arraywire.engine;

import io.arraywire.ArraywireException;
import io.arraywire.Encoding;
import io.arraywire.ErrorCode;
import io.arraywire.ProtocolException;
import io.arraywire.frame.FrameType;
import java.nio.ByteBuffer;

/**
 * Reads frames that hold blocks: every number is checked before memory is taken for what it counts.
 * What a raw block holds is read as any other elements are. The reading thread's.
 */
final class BlockReader {
  private BlockReader() {}

  /** A block follows, or what is left of the frame is none. */
  static void follows(FrameReader in) throws ProtocolException {
    if (in.frameRemaining <= Blocks.HEAD_BYTES) {
      throw new ProtocolException(
          ErrorCode.BAD_LENGTH,
          "a frame ends inside the head of a block",
          "bytes",
          in.frameRemaining,
          "least",
          Blocks.HEAD_BYTES + 1);
    }
    in.expect(Inbound.State.BLOCK_HEAD, Blocks.HEAD_BYTES);
  }

  /** The head of a block has come. */
  static void begins(FrameReader in, ByteBuffer head) throws ArraywireException {
    if (in.checksums) {
      FrameScratch.update(in.checksum(), head, Blocks.HEAD_BYTES);
    }
    int word = Blocks.word(head);
    long elements = Blocks.elements(head);
    int bytes = Blocks.bytes(word);
    InboundChannel at = in.at;
    InboundArray array = at.array();
    in.frameRemaining -= Blocks.HEAD_BYTES;
    check(word, elements, at, in.frameRemaining);
    long plain = elements * array.type().bytes();
    if (plain < FrameReader.LEAST_USEFUL_BYTES
        && plain < at.arrayBytes - at.arrayReceived
        && (in.header.type == FrameType.CHUNK || at.arrayReceived > 0)) {
      in.scope().useless(FrameType.CHUNK);
    }
    at.inbox.goOn(array, plain);
    array.wireBytes += Blocks.HEAD_BYTES;
    in.behindBlock = in.frameRemaining - bytes;
    in.frameRemaining = bytes;
    if (Blocks.isRaw(word)) {
      in.state = Inbound.State.ELEMENTS;
    } else {
      in.takeScratch().blocks().begin(at.blocks(), array.type(), (int) elements, bytes);
      in.state = Inbound.State.BLOCK;
    }
  }

  private static void check(int word, long elements, InboundChannel at, long room)
      throws ProtocolException {
    int width = at.array().type().bytes();
    long most = Math.min((at.arrayBytes - at.arrayReceived), Encoding.MAX_BLOCK_BYTES) / width;
    if (elements == 0 || elements > most) {
      throw new ProtocolException(
          ErrorCode.BAD_LENGTH,
          "a block has a number of elements that is not allowed",
          "elements",
          elements,
          "most",
          most);
    }
    int bytes = Blocks.bytes(word);
    if (bytes == 0 || bytes > room) {
      throw new ProtocolException(
          ErrorCode.BAD_LENGTH,
          "a block is empty, or longer than what is left of its frame",
          "bytes",
          bytes,
          "left",
          room);
    }
    long plain = elements * width;
    if (Blocks.isRaw(word) ? bytes != plain : bytes >= plain) {
      throw new ProtocolException(
          ErrorCode.COUNT_MISMATCH,
          Blocks.isRaw(word)
              ? "a raw block has another length than its elements"
              : "an encoded block is as long as its elements, and has to travel raw",
          "bytes",
          bytes,
          "elements",
          elements,
          "elementBytes",
          width);
    }
  }

  /** Takes bytes of a block that is not raw; returns whether it was whole, and is decoded. */
  static boolean take(FrameReader in, ByteBuffer bytes) throws ArraywireException {
    BlockScratch scratch = in.takeScratch().blocks();
    int length = (int) in.frameRemaining;
    int before = bytes.position();
    if (scratch.isEmpty() && bytes.remaining() >= length) {
      in.came(length);
      int limit = bytes.limit();
      int end = bytes.position() + length;
      decode(in, bytes.limit(end), scratch);
      bytes.limit(limit).position(end);
    } else {
      boolean whole = scratch.gather(bytes);
      int some = bytes.position() - before;
      if (some > 0) {
        // A block that comes slowly is progress, whatever it stands for.
        in.came(some);
      }
      if (!whole) {
        return false;
      }
      decode(in, scratch.gathered(), scratch);
    }
    boolean unused = in.payloadCame(in.at.array(), length, scratch.plainBytes());
    return true;
  }

  private static void decode(FrameReader in, ByteBuffer block, BlockScratch scratch)
      throws ArraywireException {
    if (in.checksums) {
      FrameScratch.update(in.checksum(), block, block.remaining());
      if (in.behindBlock == 0) {
        // Before a codec sees what was damaged on its way.
        in.checkChecksum();
      }
    }
    InboundArray into = in.at.array();
    into.sink.countCopies(in.copiesOfWindow, block.remaining());
    try {
      into.sink.putBlock(block, scratch);
    } catch (OutOfMemoryError e) {
      throw Failures.noMemoryFor(into.header(), e);
    }
  }
}
