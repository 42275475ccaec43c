package io.arraywire.engine;

import io.arraywire.Encoding;
import io.arraywire.Receipt;
import io.arraywire.frame.BlockHead;
import io.arraywire.frame.FrameHeader;
import io.arraywire.frame.FrameLayout;
import io.arraywire.frame.FrameType;
import io.arraywire.message.PartTable;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** Puts arrays into ARRAY and CHUNK frames. */
final class FrameWriter implements ArrayWriter {
  /** For one element, and a frame that takes back the array whose source has failed. */
  private static final int ROOM_TO_BREAK_OFF = 16 + FrameLayout.HEADER_BYTES;

  /** The most zeros behind a block of a part. */
  private static final int MOST_ZEROS = Long.BYTES - 1;

  /** The copies of what a part has in blocks, beside those of its codec: out, and into an array. */
  private static final int COPIES_FOR_BLOCK = 2;

  private final SendCodecs codecs;
  private final boolean checksums;
  private final int chunkBytes;

  /** The same for arrays that the channel takes straight from their own memory. */
  private final int arrayDirectChunkBytes;

  /** Copies per byte between a heap buffer and the kernel. */
  private final int heapCopies;

  private final @Nullable BlockChoice choice;

  FrameWriter(
      SendCodecs codecs,
      boolean checksums,
      int chunkBytes,
      int arrayDirectChunkBytes,
      int heapCopies,
      @Nullable BlockChoice choice) {
    this.codecs = codecs;
    this.checksums = checksums;
    this.chunkBytes = chunkBytes;
    this.arrayDirectChunkBytes = arrayDirectChunkBytes;
    this.heapCopies = heapCopies;
    this.choice = choice;
  }

  /** Whether it is what a peer needs that has agreed on this. */
  boolean suits(
      SendCodecs wanted, boolean withChecksums, int bytesPerChunk, int bytesPerDirectChunk) {
    return codecs.equals(wanted)
        && checksums == withChecksums
        && chunkBytes == bytesPerChunk
        && arrayDirectChunkBytes == bytesPerDirectChunk;
  }

  @Override
  public @Nullable BlockChoice choice() {
    return choice;
  }

  @Override
  public SendCodecs codecs() {
    return codecs;
  }

  @Override
  public int chunkBytes() {
    return chunkBytes;
  }

  @Override
  public boolean isFramed() {
    return true;
  }

  @Override
  public boolean isArrayDirect(OutboundArray array, Link link) {
    if (checksums) {
      return false;
    }
    if (array.source instanceof OpenedSource && array.parts == null) {
      return ArrayDirect.paysFromRegion(array.encodedBytes, link)
          && OpenedSource.region(array.source, array.codec) != null;
    }
    return ArrayDirect.pays(array.bytesPerPiece(), link);
  }

  @Override
  public @Nullable PlannedFrame plan(
      BatchPlan plan, OutboundArray array, SendCredit credit, Link link) {
    Encoding encoding = array.codec.encoding();
    boolean begins = array.sequence == 0;
    int prefix = begins ? encoding.prefixBytes(array.source.type(), (int) array.count) : 0;
    int attributes = begins ? array.attributes.length : 0;
    int overhead = array.overhead();
    boolean direct = isArrayDirect(array, link) && array.isInArray();
    OutboundParts parts = array.parts;
    // Those of a message, where a block of one of them is next.
    OutboundParts inBlocks = parts != null && parts.reach(array.framedBytes) ? parts : null;
    boolean isBlock = inBlocks != null || encoding.isInBlocks();
    int around = isBlock ? BlockHead.BYTES + (inBlocks == null ? 0 : MOST_ZEROS) : 0;
    int most =
        direct
            ? arrayDirectChunkBytes
            : isBlock ? Math.min(Encoding.MAX_BLOCK_BYTES, chunkBytes - around) : chunkBytes;
    long left = parts == null ? array.bytesLeft() : parts.left(array.framedBytes);
    long wanted = Math.min(Math.min(left, most), credit.left(array.channel) - overhead);
    long staged =
        attributes + (direct ? prefix + (begins ? ROOM_TO_BREAK_OFF : 0) : around + wanted);
    if (staged > plan.room()) {
      return null;
    }
    int width = encoding.elementBytes(array.source.type());
    int elements = (int) Math.min(array.elementsLeft(), (wanted - prefix) / width);
    if (array.codec instanceof PartsCodec && elements < left && elements > 7) {
      // No element is cut: each part begins at a multiple of 8.
      elements &= -Long.BYTES;
    }
    if (parts != null && inBlocks == null) {
      elements = parts.wholePieces(array.framedBytes, elements);
    }
    int payload = prefix + elements * width;
    FrameType type = begins ? FrameType.ARRAY : FrameType.CHUNK;
    PlannedFrame part = plan.add(type, array.channel.id, staged);
    part.arrayDirect = direct;
    part.prefix = prefix;
    part.blockOf = inBlocks == null ? -1 : inBlocks.part();
    array.plan(part, elements, payload);
    credit.charge(array.channel, (long) overhead + payload);
    if (direct) {
      // It follows all buffers of the batch.
      plan.close();
    }
    return part;
  }

  @Override
  public void write(PlannedFrame part, OutputBatch batch) {
    OutboundArray array = part.array();
    if (array.sourceFailure != null) {
      dropPart(part, batch);
      return;
    }
    Encoding encoding = array.codec.encoding();
    int elementBytes = part.payload - part.prefix;
    OutboundParts parts = part.blockOf < 0 ? null : array.parts;
    int head = (parts != null || encoding.isInBlocks()) && part.elements > 0 ? BlockHead.BYTES : 0;
    int payload = head + part.payload;
    int attributes = part.begins ? array.attributes.length : 0;
    long staged = part.arrayDirect ? part.prefix : payload + (parts == null ? 0 : MOST_ZEROS);
    FrameHeader header = batch.beginFrame(part.type, attributes + staged);
    ByteBuffer space = batch.space();
    int from = space.position();
    space.put(array.attributes, 0, attributes);
    if (part.prefix > 0) {
      encoding.putPrefix(array.source.type(), (int) array.count, space);
    }
    int elementsAt = space.position();
    if (part.begins && choice != null && head == 0 && array.options.attributes().parts() == null) {
      array.reason = choice.reasonWithoutBlocks(array.encodedBytes);
    }
    try {
      if (part.arrayDirect) {
        array.lendArrayDirect(part);
      } else {
        if (head == 0) {
          array.encode(part, array.codec, space);
        } else {
          boolean asked =
              parts == null
                  ? array.options.codec() != null
                      || codecs.of(array.source.type()).encoding().isInBlocks()
                  : parts.isAskedFor(part.blockOf);
          BlockWriter.put(part, array, space, batch.blocks, asked ? null : choice);
          payload = space.position() - elementsAt;
        }
        countCopies(array, part.payload, copies(part, array), space.isDirect() ? 0 : heapCopies);
      }
    } catch (SourceFailure e) {
      array.sourceFailure = e;
      batch.plan().brokeOff = true;
      part.arrayDirect = false;
      if (!part.begins) {
        part.dropped = part.payload;
        space.position(from);
        abort(part, header.clear(FrameType.ABORT), batch);
        return;
      }
      // The peer is to know the array before it is taken back: one element, whatever its value.
      int one =
          parts == null
              ? encoding.elementBytes(array.source.type())
              : parts.type(part.blockOf).bytes();
      int some = parts == null ? part.prefix + one : parts.bytesOfOne(part.blockOf);
      part.dropped = part.payload - some;
      part.payload = some;
      payload = head + (parts == null ? some : Long.BYTES);
      space.position(elementsAt + head);
      for (int i = part.prefix; i < payload - head; i++) {
        space.put((byte) 0);
      }
      if (head > 0) {
        BlockHead.put(space, elementsAt, one, 1, true);
      }
    }
    PartTable table = array.options.attributes().parts();
    // A table names encoding and type of each part.
    header.encoding = table == null ? encoding.code() : 0;
    header.elementType = table == null ? array.source.type().code() : 0;
    header.attributeBytes = attributes;
    header.channel = part.channel;
    header.sequence = part.sequence;
    header.tag = array.options.attributes().tag();
    header.count = table == null ? array.count : table.elements();
    header.arrayBytes = part.begins ? array.encodedBytes : part.firstElement;
    header.payloadBytes = payload;
    if (checksums) {
      header.flags |= FrameLayout.FLAG_PAYLOAD_CHECKSUM;
      header.payloadChecksum = checksum(space, from);
    }
    part.acknowledge(header);
    batch.putHeader();
    batch.append(from);
    if (part.arrayDirect) {
      batch.appendArrayDirect(array, elementBytes);
    }
    if (array.sourceFailure != null) {
      abort(part, batch.beginFrame(FrameType.ABORT, 0), batch);
    } else if (part.last) {
      array.releaseCopy();
    }
  }

  /** Takes back an array in a frame that was begun. */
  private static void abort(PlannedFrame part, FrameHeader header, OutputBatch batch) {
    header.channel = part.channel;
    header.sequence = part.sequence;
    if (!part.begins) {
      part.acknowledge(header);
    }
    batch.putHeader();
  }

  /** A part of an array that was taken back: only what rides on its frame is said. */
  private static void dropPart(PlannedFrame part, OutputBatch batch) {
    part.dropped = part.payload;
    batch.plan().brokeOff = true;
    if (part.acknowledged != 0) {
      FrameHeader header = batch.beginFrame(FrameType.ACK, 0);
      header.channel = part.channel;
      header.sequence = part.acknowledged;
      batch.putHeader();
    }
  }

  private static int copies(PlannedFrame part, OutboundArray array) {
    OutboundParts parts = array.parts;
    if (parts == null || part.blockOf < 0) {
      return array.codec.traits().copiesToEncode();
    }
    int copies = parts.blocks(part.blockOf).traits().copiesToEncode();
    return copies == Receipt.UNKNOWN ? copies : copies + COPIES_FOR_BLOCK;
  }

  /** Counts what an encoding copies, and what the way to the kernel does. */
  static void countCopies(OutboundArray array, long bytes, int copies, int copiesToKernel) {
    if (copies == Receipt.UNKNOWN || array.copiedBytes == Receipt.UNKNOWN) {
      array.copiedBytes = Receipt.UNKNOWN;
    } else {
      array.copiedBytes += bytes * (copies + copiesToKernel);
    }
  }

  private static int checksum(ByteBuffer space, int from) {
    int to = space.position();
    int limit = space.limit();
    space.limit(to).position(from);
    CRC32C checksum = new CRC32C();
    checksum.update(space);
    space.limit(limit).position(to);
    return (int) checksum.getValue();
  }
}
