package io.arraywire.engine;

import io.arraywire.ElementType;
import io.arraywire.message.Message;
import io.arraywire.message.PartTable;
import io.arraywire.source.ArraySource;
import io.arraywire.spi.Codec;
import java.nio.ByteOrder;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Says what each frame holds of a message with some parts in blocks: one block, or bytes of raw
 * parts that lie side by side.
 *
 * <p>What was reached is asked for while frames are planned, under the connection's lock: {@link
 * #reach}, {@link #bytesPerPieceAt}, {@link #left}, {@link #part} and {@link #wholePieces}. All
 * else does not change, but for what {@link #encoder} remembers; that is the writing thread's.
 *
 * <p>All places are those of the plain bytes, in which zeros fill each part up to a multiple of 8.
 * So the last block of a part stands for these zeros, too.
 */
final class OutboundParts {
  private final PartsCodec codec;
  private final PartTable table;

  /** What has the parts in arrays; null if they were put together as bytes. */
  private final @Nullable Message message;

  // What was reached: a part in blocks, or raw ones side by side.

  private int first = -1;
  private int behind;
  private long end;
  private long bytesPerPiece;

  private OutboundParts(PartsCodec codec, PartTable table, @Nullable Message message) {
    this.codec = message == null ? codec : codec.ofTransfer();
    this.table = table;
    this.message = message;
  }

  /** The parts of a message; null for an array, and for a message without blocks. */
  static @Nullable OutboundParts of(Codec codec, ArraySource source) {
    PartTable table = codec instanceof PartsCodec parts ? parts.inBlocks() : null;
    return table == null
        ? null
        : new OutboundParts((PartsCodec) codec, table, PartsCodec.messageIn(source));
  }

  /** Goes on to what follows so many bytes; returns whether that is a block. */
  boolean reach(long framed) {
    while (framed == end && behind < table.size()) {
      first = behind++;
      if (codec.blocks(first) == null) {
        while (behind < table.size() && codec.blocks(behind) == null) {
          behind++;
        }
        bytesPerPiece = bytesPerPiece(first, behind);
      }
      end = behind < table.size() ? table.payloadAt(behind) : table.payloadBytes();
    }
    return framed < end && codec.blocks(first) != null;
  }

  private long bytesPerPiece(int from, int to) {
    if (message == null) {
      return 0;
    }
    for (int i = from; i < to; i++) {
      if (table.encodingOf(i).order().equals(ByteOrder.BIG_ENDIAN)) {
        return 0;
      }
    }
    return PartsPieces.bytesPerPiece(message.parts().subList(from, to));
  }

  /** How many bytes of raw parts lie in one array, where these are next; else 0. */
  long bytesPerPieceAt(long framed) {
    return reach(framed) ? 0 : bytesPerPiece;
  }

  /** What is left of the part in blocks, or of the raw parts, behind so many bytes. */
  long left(long framed) {
    return end - framed;
  }

  /** The part in blocks that was reached. */
  int part() {
    return first;
  }

  /**
   * How many of {@code most} bytes of raw parts a frame takes. Of a part it takes either enough
   * bytes or none: a peer counts a frame with too few of them as useless.
   */
  int wholePieces(long framed, int most) {
    long to = framed + most;
    int last = behind - 1;
    while (table.payloadAt(last) >= to && last > first) {
      last--;
    }
    long begin = table.payloadAt(last);
    long left = (last + 1 < behind ? table.payloadAt(last + 1) : end) - begin;
    long piece = to - begin;
    boolean useful = piece >= EffectlessFrames.LEAST_USEFUL_BYTES || piece == left;
    return useful || begin <= framed ? most : (int) (begin - framed);
  }

  // Of planned frames.

  /** Encodes the plain bytes of this transfer, of one frame after the other. */
  Codec encoder() {
    return codec;
  }

  ElementType type(int part) {
    return table.typeOf(part);
  }

  /** What makes the blocks of a part. */
  Codec blocks(int part) {
    return Objects.requireNonNull(codec.blocks(part), "a part that is in no blocks");
  }

  /** Whether somebody named the codec of a part; else the connection chose it. */
  boolean isAskedFor(int part) {
    return codec.isAskedFor(part);
  }

  /** How many elements a block has that stands for bytes from a place on. */
  int elements(int part, long from, int bytes) {
    return (int) (Math.min(from + bytes, elementsEnd(part)) - from) / type(part).bytes();
  }

  /** How many bytes a block of one element stands for, where a part begins. */
  int bytesOfOne(int part) {
    return table.countOf(part) == 1 ? Long.BYTES : type(part).bytes();
  }

  private long elementsEnd(int part) {
    return table.payloadAt(part) + (long) table.countOf(part) * type(part).bytes();
  }
}
