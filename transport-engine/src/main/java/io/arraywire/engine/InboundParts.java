package io.arraywire.engine;

import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.ErrorCode;
import io.arraywire.ProtocolException;
import io.arraywire.frame.BlockHead;
import io.arraywire.message.PartTable;
import io.arraywire.spi.Codec;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where the parts of a message begin and end that is arriving, and what their blocks are decoded
 * with. Only a message with a part in blocks has one. The reading thread's.
 *
 * <p>Progress is that of the bytes which the parts take where they are plain, zeros behind them
 * included. So the last block of a part stands for those zeros, too.
 */
final class InboundParts {
  private final PartTable table;

  /** What decodes the blocks of each part; null for a raw one. */
  private final @Nullable Codec[] codecs;

  private final ByteBuffer noElements = ByteBuffer.allocate(Long.BYTES);

  /** The part that is arriving, and where its elements end, and where it does. */
  private int part = -1;

  private long elementsEnd;
  private long partEnd;

  // The block that is arriving: zeros behind it, those that are read apart from it, and what it
  // stands for behind its elements.
  private int zeros;
  private int zerosFollow;
  private int rest;

  private InboundParts(PartTable table, @Nullable Codec[] codecs) {
    this.table = table;
    this.codecs = codecs;
  }

  /** The most bytes of a payload, where each element is in a block of its own. */
  static long mostBytes(long plain, long elements) {
    return plain + elements * (BlockHead.BYTES + Long.BYTES);
  }

  /** How many zeros stand behind a block of so many bytes. */
  static int zerosBehind(int bytes) {
    return -bytes & (Long.BYTES - 1);
  }

  /** The parts of a message of which one is in blocks that this side decodes. */
  static InboundParts of(PartTable table, EngineContext context) {
    @Nullable Codec[] codecs = new Codec[table.size()];
    for (int i = 0; i < codecs.length; i++) {
      Encoding encoding = table.encodingOf(i);
      if (encoding.isInBlocks()) {
        codecs[i] = context.decoder(encoding.code());
      }
    }
    return new InboundParts(table, codecs);
  }

  /** What parts of messages may be encoded with in blocks that come here, by code. */
  static @Nullable Encoding encoding(EngineContext context, int code) {
    Codec codec = context.decoder(code);
    return codec == null ? null : codec.encoding();
  }

  /** One of those that decode blocks. */
  Codec anyCodec() {
    for (Codec codec : codecs) {
      if (codec != null) {
        return codec;
      }
    }
    throw new IllegalStateException("no part is in blocks");
  }

  /** The table of the bytes that are put together: nothing in them is in blocks. */
  PartTable plainTable() {
    List<Encoding> encodings = new ArrayList<>(codecs.length);
    for (int i = 0; i < codecs.length; i++) {
      Codec codec = codecs[i];
      encodings.add(codec == null ? table.encodingOf(i) : Blocks.plain(codec).encoding());
    }
    return table.withEncodings(encodings);
  }

  /** Goes on to the part that so many bytes lead to; returns false if they were all. */
  boolean reach(long received) {
    while (received == partEnd) {
      if (part + 1 == table.size()) {
        return false;
      }
      part++;
      elementsEnd = partEnd + (long) table.countOf(part) * table.typeOf(part).bytes();
      partEnd = (elementsEnd + Long.BYTES - 1) & -Long.BYTES;
    }
    return true;
  }

  /** Whether the part that is arriving is in blocks. */
  boolean isInBlocks() {
    return codecs[part] != null;
  }

  /** The element type of the part that is arriving. */
  ElementType type() {
    return table.typeOf(part);
  }

  /** What decodes the blocks of the part that is arriving. */
  Codec codec() {
    Codec codec = codecs[part];
    if (codec == null) {
      throw new IllegalStateException("the part is not in blocks");
    }
    return codec;
  }

  /** Where the elements of the part end that is arriving. */
  long elementsEnd() {
    return elementsEnd;
  }

  /** Where the part ends that is arriving, and the zeros behind it do. */
  long partEnd() {
    return partEnd;
  }

  /** A block begins; returns how many bytes of the message it stands for. */
  long begins(long received, long plain, int zerosBehind, boolean raw) {
    zeros = zerosBehind;
    zerosFollow = raw ? zerosBehind : 0;
    rest = received + plain == elementsEnd ? (int) (partEnd - elementsEnd) : 0;
    return plain + rest;
  }

  /** How many zeros are to be read before the block has ended; they are asked for once. */
  int zerosFollow() {
    int follow = zerosFollow;
    zerosFollow = 0;
    return follow;
  }

  /** Takes the zeros behind a block off its bytes. */
  void cutZeros(ByteBuffer block) throws ProtocolException {
    int end = block.limit() - zeros;
    checkZeros(block, end);
    block.limit(end);
  }

  static void checkZeros(ByteBuffer bytes, int from) throws ProtocolException {
    for (int i = from; i < bytes.limit(); i++) {
      if (bytes.get(i) != 0) {
        throw new ProtocolException(
            ErrorCode.MALFORMED_PAYLOAD,
            "a message has bytes other than 0 behind a block",
            "value",
            bytes.get(i) & 0xff);
      }
    }
  }

  /**
   * A block is in its place. If it was the last of its part, the zeros behind the part are to
   * follow it there.
   *
   * @return them; none remain if there are none, or they were asked for before
   */
  ByteBuffer rest() {
    noElements.clear().limit(rest);
    rest = 0;
    return noElements;
  }
}
