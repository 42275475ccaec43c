package io.arraywire.engine;

import io.arraywire.SendOptions;
import io.arraywire.frame.FrameType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/** Writes arrays in plain mode: the length, then the elements, without frames and credit. */
final class PlainWriter implements ArrayWriter {
  private final SendCodecs codecs;
  private final int chunkBytes;

  /** Copies per byte between a heap buffer and the kernel. */
  private final int heapCopies;

  PlainWriter(SendCodecs codecs, int chunkBytes, int heapCopies) {
    this.codecs = codecs;
    this.chunkBytes = chunkBytes;
    this.heapCopies = heapCopies;
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
    return false;
  }

  @Override
  public void check(SendOptions options) {
    SendChecks.checkPlain(options);
  }

  @Override
  public boolean isArrayDirect(OutboundArray array, Link link) {
    return false;
  }

  @Override
  public @Nullable PlannedFrame plan(
      BatchPlan plan, OutboundArray array, SendCredit credit, Link link) {
    int width = array.codec.encoding().elementBytes(array.source.type());
    int prefix = array.sequence == 0 ? Integer.BYTES : 0;
    int room = Math.min(plan.room() - prefix, chunkBytes);
    if (room < width) {
      return null;
    }
    int elements = (int) Math.min(array.elementsLeft(), room / width);
    PlannedFrame part =
        plan.add(FrameType.ARRAY, array.channel.id, prefix + (long) elements * width);
    part.arrayDirect = false;
    part.prefix = prefix;
    array.plan(part, elements, elements * width);
    return part;
  }

  @Override
  public void write(PlannedFrame part, OutputBatch batch) {
    OutboundArray array = part.array();
    ByteBuffer space = batch.space();
    int from = space.position();
    if (part.begins) {
      space.order(ByteOrder.BIG_ENDIAN).putInt((int) array.count);
    }
    array.encode(part, array.codec, space);
    int copies = array.codec.traits().copiesToEncode();
    FrameWriter.countCopies(array, part.payload, copies, space.isDirect() ? 0 : heapCopies);
    batch.append(from);
    if (part.last) {
      array.releaseCopy();
    }
  }
}
