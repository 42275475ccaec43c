package io.arraywire.engine;

import io.arraywire.Encoding;
import io.arraywire.frame.FrameHeader;
import io.arraywire.frame.FrameLayout;
import io.arraywire.frame.FrameType;
import io.arraywire.spi.MemoryKind;
import org.jspecify.annotations.Nullable;

/**
 * Makes batches of queued arrays and control frames, in two steps: frames are planned in one
 * critical section, then made without the lock. The writing thread's.
 */
final class BatchWriter {
  private static final int LARGEST_FRAME_OVERHEAD =
      FrameLayout.HEADER_BYTES + FrameLayout.MAX_ATTRIBUTE_BYTES + Encoding.MAX_PREFIX_BYTES;

  private BatchWriter() {}

  // Planning, under the lock.

  /**
   * Plans a batch; returns whether there is anything in it.
   *
   * @param small whether it should hold no more than control frames and a small array
   */
  static boolean plan(
      Outbound outbound, OutputBatch batch, @Nullable ArrayWriter arrays, boolean small) {
    BatchPlan plan = batch.plan();
    EngineContext context = outbound.scope.context();
    MemoryKind kind = arrays == null ? MemoryKind.HEAP : arrays.codecs().first().traits().staging();
    int chunk = arrays == null ? 0 : arrays.chunkBytes();
    int large = Math.max(context.batchBytes(), chunk + LARGEST_FRAME_OVERHEAD);
    batch.prepare(kind, small ? context.smallBatchBytes() : large, context.batchBytes());
    planRound(outbound, plan, arrays);
    if (plan.isEmpty() && small) {
      // What is small has large attributes, perhaps.
      batch.prepare(kind, large, context.batchBytes());
      planRound(outbound, plan, arrays);
    }
    return plan.beginsMaking();
  }

  /** Plans more for the batch that is being made; returns whether there is more. */
  static boolean planMore(Outbound outbound, BatchPlan plan, @Nullable ArrayWriter arrays) {
    plan.beginRound();
    planRound(outbound, plan, arrays);
    return plan.beginsMaking();
  }

  private static void planRound(Outbound outbound, BatchPlan plan, @Nullable ArrayWriter arrays) {
    while (!plan.isRoundOver() && planControl(outbound, plan, arrays)) {
      OutboundChannel turn = turn(outbound, arrays);
      if (arrays == null || turn == null || !planArray(outbound, plan, arrays, turn)) {
        return;
      }
      outbound.queue.next(turn);
    }
  }

  private static @Nullable OutboundChannel turn(Outbound outbound, @Nullable ArrayWriter arrays) {
    return arrays == null ? null : outbound.queue.turn(arrays.chunkBytes());
  }

  /**
   * Plans what goes before arrays: control frames, acknowledgements and credit. Returns whether
   * there is room for more.
   */
  private static boolean planControl(
      Outbound outbound, BatchPlan plan, @Nullable ArrayWriter arrays) {
    while (!plan.isFull()) {
      if (outbound.control.moveTo(plan)) {
        continue;
      }
      if (!outbound.control.isEmpty()) {
        return false;
      }
      OutboundChannel first = outbound.owing();
      // An acknowledgement alone rides on the next frame of its channel, if one goes out now.
      if (first == null
          || (first.granted == first.grantedSaid && first.equals(turn(outbound, arrays)))) {
        return true;
      }
      outbound.acknowledgements.sayTo(plan, first);
    }
    return false;
  }

  /** Plans a frame of the first array of a channel; returns false if there is no room for it. */
  private static boolean planArray(
      Outbound outbound, BatchPlan plan, ArrayWriter arrays, OutboundChannel channel) {
    OutboundArray array = channel.queue.element();
    if (array.isWithdrawn()) {
      planAbort(plan, arrays, array);
      outbound.queue.giveUpFirst(channel);
      return true;
    }
    PlannedFrame part = arrays.plan(plan, array, outbound.credit, outbound.scope.link());
    if (part == null) {
      return false;
    }
    if (!outbound.control.isLastQueued()) {
      part.acknowledged = outbound.acknowledgements.sayWithArray(channel);
    }
    if (part.last) {
      outbound.queue.framed(array);
      if (array.isToBeAcknowledged()) {
        outbound.acknowledgements.expect(array);
      }
    } else {
      array.movedAt = outbound.scope.context().runtime().nanoTime();
    }
    return true;
  }

  private static void planAbort(BatchPlan plan, ArrayWriter arrays, OutboundArray withdrawn) {
    if (arrays.isFramed()) {
      plan.add(FrameType.ABORT, withdrawn.channel.id, 0).sequence = withdrawn.sequence;
    }
  }

  // Making, without the lock.

  /** Makes what is planned. */
  static void make(
      EngineContext context, Link link, OutputBatch batch, @Nullable ArrayWriter arrays) {
    BatchPlan plan = batch.plan();
    if (plan.round() == 0) {
      batch.begin(context.pool(), link.space(batch.plannedBytes()));
    }
    for (int i = plan.round(); i < plan.size(); i++) {
      PlannedFrame frame = plan.get(i);
      long begin = batch.bytes();
      make(frame, batch, arrays);
      batch.endFrame(frame, begin);
    }
  }

  private static void make(PlannedFrame frame, OutputBatch batch, @Nullable ArrayWriter arrays) {
    byte[] ready = frame.bytes;
    if (ready != null) {
      batch.appendBytes(ready);
    } else if (frame.array != null && arrays != null) {
      arrays.write(frame, batch);
    } else {
      FrameHeader header = batch.beginFrame(frame.type, 0);
      header.channel = frame.channel;
      header.sequence = frame.sequence;
      header.tag = frame.tag;
      header.count = frame.count;
      frame.acknowledge(header);
      batch.putHeader();
    }
  }
}
