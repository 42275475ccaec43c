package io.arraywire.engine;

import io.arraywire.SendOptions;
import io.arraywire.frame.FrameLayout;
import org.jspecify.annotations.Nullable;

/**
 * Writes arrays as another writer does, but each element with a channel operation of its own: for
 * codecs that are there to be compared.
 */
final class ElementwiseWriter implements ArrayWriter {
  private final ArrayWriter writer;

  ElementwiseWriter(ArrayWriter writer) {
    this.writer = writer;
  }

  @Override
  public SendCodecs codecs() {
    return writer.codecs();
  }

  @Override
  public int chunkBytes() {
    return writer.chunkBytes();
  }

  @Override
  public boolean isFramed() {
    return writer.isFramed();
  }

  @Override
  public void check(SendOptions options) {
    writer.check(options);
  }

  @Override
  public boolean isArrayDirect(OutboundArray array, Link link) {
    return writer.isArrayDirect(array, link);
  }

  @Override
  public @Nullable PlannedFrame plan(
      BatchPlan plan, OutboundArray array, SendCredit credit, Link link) {
    if (!array.codec.traits().elementwise()) {
      return writer.plan(plan, array, credit, link);
    }
    PlannedFrame part = plan.isEmpty() ? writer.plan(plan, array, credit, link) : null;
    if (part != null) {
      plan.close();
    }
    return part;
  }

  @Override
  public void write(PlannedFrame part, OutputBatch batch) {
    writer.write(part, batch);
    OutboundArray array = part.array();
    if (!array.codec.traits().elementwise()) {
      return;
    }
    int lead = part.prefix;
    if (writer.isFramed()) {
      lead += FrameLayout.HEADER_BYTES + (part.begins ? array.attributes.length : 0);
    }
    batch.writeElementwise(lead, array.codec.encoding().elementBytes(array.source.type()));
  }
}
