package io.arraywire.engine;

import io.arraywire.ArraywireException;
import io.arraywire.ProtocolException;
import io.arraywire.frame.BlockHead;
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
    BlockHead.checkRoom(in.frameRemaining);
    in.expect(Inbound.State.BLOCK_HEAD, BlockHead.BYTES);
  }

  /** The head of a block has come. */
  static void begins(FrameReader in, ByteBuffer head) throws ArraywireException {
    if (in.checksums) {
      FrameScratch.update(in.checksum(), head, BlockHead.BYTES);
    }
    int word = BlockHead.word(head, 0);
    long elements = BlockHead.elements(head, 0);
    int bytes = BlockHead.bytes(word);
    InboundChannel at = in.at;
    InboundArray array = at.array();
    in.frameRemaining -= BlockHead.BYTES;
    int width = array.type().bytes();
    long most = Math.min((at.arrayBytes - at.arrayReceived) / width, BlockHead.mostElements(width));
    BlockHead.check(word, elements, most, width, in.frameRemaining);
    long plain = elements * width;
    if (plain < FrameReader.LEAST_USEFUL_BYTES
        && plain < at.arrayBytes - at.arrayReceived
        && (in.header.type == FrameType.CHUNK || at.arrayReceived > 0)) {
      in.scope().useless(FrameType.CHUNK);
    }
    at.inbox.goOn(array, plain);
    array.wireBytes += BlockHead.BYTES;
    in.behindBlock = in.frameRemaining - bytes;
    in.frameRemaining = bytes;
    if (BlockHead.isRaw(word)) {
      in.state = Inbound.State.ELEMENTS;
    } else {
      in.takeScratch().blocks().begin(at.blocks(), array.type(), (int) elements, bytes);
      in.state = Inbound.State.BLOCK;
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
