package io.arraywire.engine;

import io.arraywire.Encoding;
import io.arraywire.Receipt;
import io.arraywire.frame.FrameHeader;
import io.arraywire.frame.FrameLayout;
import io.arraywire.frame.FrameType;
import io.arraywire.message.PartTable;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** Puts arrays into ARRAY and CHUNK frames. */
final class FrameWriter implements ArrayWriter {
  private final SendCodecs codecs;
  private final boolean checksums;
  private final int chunkBytes;

  /** The same for arrays that the channel takes straight from their own memory. */
  private final int arrayDirectChunkBytes;

  /** Copies per byte between a heap buffer and the kernel. */
  private final int heapCopies;

  FrameWriter(
      SendCodecs codecs,
      boolean checksums,
      int chunkBytes,
      int arrayDirectChunkBytes,
      int heapCopies) {
    this.codecs = codecs;
    this.checksums = checksums;
    this.chunkBytes = chunkBytes;
    this.arrayDirectChunkBytes = arrayDirectChunkBytes;
    this.heapCopies = heapCopies;
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
    return !checksums
        && ArrayDirect.suits(array.codec, array.slice.type())
        && ArrayDirect.pays(array.encodedBytes, link);
  }

  @Override
  public @Nullable PlannedFrame plan(
      BatchPlan plan, OutboundArray array, SendCredit credit, Link link) {
    Encoding encoding = array.codec.encoding();
    boolean begins = array.sequence == 0;
    int prefix = begins ? encoding.prefixBytes(array.slice.type(), array.slice.length()) : 0;
    int attributes = begins ? array.attributes.length : 0;
    int overhead = array.overhead();
    boolean direct = isArrayDirect(array, link) && array.isInArray();
    long wanted =
        Math.min(
            Math.min(array.bytesLeft(), direct ? arrayDirectChunkBytes : chunkBytes),
            credit.left(array.channel) - overhead);
    long staged = attributes + (direct ? prefix : wanted);
    if (staged > plan.room()) {
      return null;
    }
    int width = encoding.elementBytes(array.slice.type());
    int elements = (int) Math.min(array.elementsLeft(), (wanted - prefix) / width);
    if (array.codec == PartsCodec.INSTANCE && elements < array.elementsLeft() && elements > 7) {
      // No element is cut.
      elements &= -Long.BYTES;
    }
    int payload = prefix + elements * width;
    FrameType type = begins ? FrameType.ARRAY : FrameType.CHUNK;
    PlannedFrame part = plan.add(type, array.channel.id, staged);
    part.arrayDirect = direct;
    part.prefix = prefix;
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
    Encoding encoding = array.codec.encoding();
    int elementBytes = part.payload - part.prefix;
    int attributes = part.begins ? array.attributes.length : 0;
    FrameHeader header =
        batch.beginFrame(
            part.type, attributes + (part.arrayDirect ? (long) part.prefix : (long) part.payload));
    ByteBuffer space = batch.space();
    int from = space.position();
    space.put(array.attributes, 0, attributes);
    if (part.prefix > 0) {
      encoding.putPrefix(array.slice.type(), array.slice.length(), space);
    }
    if (part.arrayDirect) {
      array.lendArrayDirect(part);
    } else {
      array.encode(part, space);
      countCopies(array, part.payload, space.isDirect() ? 0 : heapCopies);
    }
    PartTable parts = array.options.attributes().parts();
    // A table names encoding and type of each part.
    header.encoding = parts == null ? encoding.code() : 0;
    header.elementType = parts == null ? array.slice.type().code() : 0;
    header.attributeBytes = attributes;
    header.channel = part.channel;
    header.sequence = part.sequence;
    header.tag = array.options.attributes().tag();
    header.count = parts == null ? array.slice.length() : parts.elements();
    header.arrayBytes = part.begins ? array.encodedBytes : part.firstElement;
    header.payloadBytes = part.payload;
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
    if (part.last) {
      array.releaseCopy();
    }
  }

  /** Counts what an encoding copies, and what the way to the kernel does. */
  static void countCopies(OutboundArray array, long bytes, int copiesToKernel) {
    int copies = array.codec.traits().copiesToEncode();
    if (copies == Receipt.UNKNOWN) {
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
