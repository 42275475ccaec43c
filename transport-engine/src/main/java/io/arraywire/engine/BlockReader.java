package io.arraywire.engine;

import io.arraywire.ArrayAttributes;
import io.arraywire.ArraywireException;
import io.arraywire.ElementType;
import io.arraywire.ErrorCode;
import io.arraywire.ProtocolException;
import io.arraywire.frame.BlockHead;
import io.arraywire.message.PartTable;
import io.arraywire.spi.Codec;
import io.arraywire.wire.ArrayEnvelope;
import java.nio.ByteBuffer;

/**
 * Reads frames that hold blocks: every number is checked before memory is taken for what it counts.
 * What a raw block holds is read as any other elements are. The reading thread's.
 */
final class BlockReader {
  private BlockReader() {}

  /** The table of a message has been read; returns what its receiver sees of it. */
  static ArrayEnvelope begin(FrameReader in, InboundArray array, ArrayEnvelope envelope)
      throws ProtocolException {
    ArrayAttributes attributes = envelope.attributes();
    PartTable table = attributes.parts();
    if (table == null || !table.hasBlocks()) {
      ArrayChecks.checkFirstOfParts(in.header, in.header.arrayBytes);
      array.uncharged = in.header.payloadBytes;
      return envelope;
    }
    InboundParts parts = InboundParts.of(table, in.scope.context());
    in.at.parts = parts;
    in.at.blocks = parts.anyCodec();
    ArrayAttributes plain =
        ArrayAttributes.of(
            attributes.tag(), attributes.shape(), attributes.metadata(), parts.plainTable());
    return envelope.with(plain);
  }

  /** A block follows, or what is left of the frame is none. */
  static void follows(FrameReader in) throws ArraywireException {
    InboundParts parts = in.at.parts;
    if (parts != null && !blockFollows(in, parts)) {
      return;
    }
    BlockHead.checkRoom(in.frameRemaining);
    in.expect(Inbound.State.BLOCK_HEAD, BlockHead.BYTES);
  }

  /**
   * Whether what follows in a frame of a message is a block. If not, it is the elements of a raw
   * part, which are charged, and read next.
   */
  private static boolean blockFollows(FrameReader in, InboundParts parts)
      throws ArraywireException {
    InboundChannel at = in.at;
    if (!parts.reach(at.arrayReceived)) {
      throw new ProtocolException(
          ErrorCode.BAD_LENGTH,
          "a frame has more bytes than what is left of its message",
          "bytes",
          in.frameRemaining,
          "sequence",
          at.array().sequence());
    }
    if (parts.isInBlocks()) {
      return true;
    }
    long left = parts.partEnd() - at.arrayReceived;
    long bytes = Math.min(left, in.frameRemaining);
    in.checkUseful(bytes, left);
    at.inbox.goOn(at.array(), bytes);
    in.behindBlock = in.frameRemaining - bytes;
    in.frameRemaining = bytes;
    in.state = Inbound.State.ELEMENTS;
    return false;
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
    InboundParts parts = at.parts;
    in.frameRemaining -= BlockHead.BYTES;
    ElementType type = parts == null ? array.type() : parts.type();
    int width = type.bytes();
    long left = (parts == null ? at.arrayBytes : parts.elementsEnd()) - at.arrayReceived;
    long most = Math.min(left / width, BlockHead.mostElements(width));
    int zeros = parts == null ? 0 : InboundParts.zerosBehind(bytes);
    BlockHead.check(word, elements, most, width, in.frameRemaining - zeros);
    long plain = elements * width;
    in.checkUseful(plain, left);
    boolean raw = BlockHead.isRaw(word);
    long charge = parts == null ? plain : parts.begins(at.arrayReceived, plain, zeros, raw);
    at.inbox.goOn(array, charge);
    array.wireBytes += BlockHead.BYTES;
    in.behindBlock = in.frameRemaining - bytes - zeros;
    if (raw) {
      in.frameRemaining = bytes;
      in.state = Inbound.State.ELEMENTS;
    } else {
      // Zeros are read with the block, so that a checksum is known before the codec sees it.
      in.frameRemaining = (long) bytes + zeros;
      Codec decoder = parts == null ? at.blocks() : parts.codec();
      in.takeScratch().blocks().begin(decoder, type, (int) elements, bytes + zeros);
      in.state = Inbound.State.BLOCK;
    }
  }

  /** A block has come whole, or a raw part; returns whether more of its frame follows. */
  static boolean goesOn(FrameReader in) throws ArraywireException {
    InboundParts parts = in.at.parts;
    if (parts != null) {
      int zeros = parts.zerosFollow();
      if (zeros > 0) {
        in.expect(Inbound.State.ZEROS, zeros);
        return true;
      }
      ByteBuffer rest = parts.rest();
      if (rest.hasRemaining()) {
        put(in, rest);
      }
    }
    if (in.behindBlock == 0) {
      return false;
    }
    in.frameRemaining = in.behindBlock;
    in.behindBlock = 0;
    follows(in);
    return true;
  }

  /** Puts the zeros behind a part into their place. The frame does not hold them. */
  private static void put(FrameReader in, ByteBuffer zeros) throws ArraywireException {
    int count = zeros.remaining();
    InboundArray into = in.at.array();
    try {
      into.sink.put(zeros, count);
    } catch (OutOfMemoryError e) {
      throw Failures.noMemoryFor(into.header(), e);
    }
    in.at.arrayReceived += count;
  }

  /** The zeros behind a raw block of a part have come. */
  static void zeros(FrameReader in, ByteBuffer zeros) throws ArraywireException {
    int count = zeros.limit();
    if (in.checksums) {
      FrameScratch.update(in.checksum(), zeros, count);
    }
    InboundParts.checkZeros(zeros, 0);
    in.at.array().wireBytes += count;
    in.endFrame();
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
        // Before a codec sees what was damaged in transit.
        in.checkChecksum();
      }
    }
    InboundArray into = in.at.array();
    into.sink.countCopies(in.copiesOfWindow, block.remaining());
    InboundParts parts = in.at.parts;
    if (parts != null) {
      parts.cutZeros(block);
    }
    try {
      into.sink.putBlock(block, scratch);
    } catch (OutOfMemoryError e) {
      throw Failures.noMemoryFor(into.header(), e);
    }
  }
}
