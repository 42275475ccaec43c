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
 * An arriving message of which some parts are in blocks: where each part begins and ends, and which
 * codec decodes its blocks. The reading thread's.
 *
 * <p>Progress counts the plain bytes of the parts, with the zeros behind them. So the last block of
 * a part stands for those zeros, too.
 */
final class InboundParts {
  private final PartTable table;

  /** What decodes the blocks of each part; null for a raw one. */
  private final @Nullable Codec[] codecs;

  private final ByteBuffer noElements = ByteBuffer.allocate(Long.BYTES);

  private final PartCursor cursor;

  // Of the block that is arriving.

  /** How many zeros stand behind it. */
  private int zeros;

  /** How many of these are not read together with the block. */
  private int zerosFollow;

  /** How many zeros behind the elements of its part it stands for. */
  private int rest;

  private InboundParts(PartTable table, @Nullable Codec[] codecs) {
    this.table = table;
    this.codecs = codecs;
    cursor = new PartCursor(table);
  }

  /** The most bytes of a payload, where each element is in a block of its own. */
  static long mostBytes(long plain, long elements) {
    return plain + elements * BlockHead.MOST_BYTES_AROUND_PART;
  }

  /** How many zeros stand behind a block of so many bytes. */
  static int zerosBehind(int bytes) {
    return -bytes & (Long.BYTES - 1);
  }

  /** The parts of a message; this side decodes all of its blocks. */
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

  /** The encoding of a code, if this side decodes it; null otherwise. */
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

  /** Goes on to the part to which the next byte belongs; returns false if all bytes have come. */
  boolean reach(long received) {
    boolean moved = true;
    while (moved) {
      moved = cursor.next(received);
    }
    return received != cursor.partEnd();
  }

  /** Whether the part that is arriving is in blocks. */
  boolean isInBlocks() {
    return codecs[cursor.part()] != null;
  }

  /** The element type of the part that is arriving. */
  ElementType type() {
    return table.typeOf(cursor.part());
  }

  /** What decodes the blocks of the part that is arriving. */
  Codec codec() {
    Codec codec = codecs[cursor.part()];
    if (codec == null) {
      throw new IllegalStateException("the part is not in blocks");
    }
    return codec;
  }

  /** The byte of the message at which the elements of the arriving part end. */
  long elementsEnd() {
    return cursor.elementsEnd();
  }

  /** The byte of the message at which the arriving part ends, with the zeros behind it. */
  long partEnd() {
    return cursor.partEnd();
  }

  /** A block begins; returns how many bytes of the message it stands for. */
  long begins(long received, long plain, int zerosBehind, boolean raw) {
    zeros = zerosBehind;
    zerosFollow = raw ? zerosBehind : 0;
    rest =
        received + plain == cursor.elementsEnd()
            ? (int) (cursor.partEnd() - cursor.elementsEnd())
            : 0;
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
   * A block is in its place. If it was the last of its part, the zeros behind the part have to
   * follow.
   *
   * @return these zeros; none remain if there are none, or after the first call
   */
  ByteBuffer rest() {
    noElements.clear().limit(rest);
    rest = 0;
    return noElements;
  }
}
