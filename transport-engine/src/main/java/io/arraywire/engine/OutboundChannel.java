package io.arraywire.engine;

import io.arraywire.ArrayAttributes;
import io.arraywire.Receipt;
import io.arraywire.codec.CompressionReason;
import io.arraywire.message.PartTable;
import io.arraywire.wire.ArrayEnvelope;
import io.arraywire.wire.AttributesBody;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The outgoing half of a channel: what waits to be sent on it, what waits to be acknowledged, and
 * how much the peer allows. Guarded by the connection's lock, but for what the writing thread
 * counts.
 */
final class OutboundChannel {
  final int id;

  /** Senders that wait until there is room in the queue. */
  LazyQueue<OutboundArray> waiting = LazyQueue.empty();

  LazyQueue<OutboundArray> queue = LazyQueue.empty();
  LazyQueue<OutboundArray> unacknowledged = LazyQueue.empty();

  /** What was accepted and the kernel has not yet taken. */
  long queuedBytes;

  long lastSequence;

  /** The last one that was given out: the next array often costs the same. */
  @Nullable Receipt lastReceipt;

  /** What was sent last with a message of parts. Any thread's, without the lock. */
  private @Nullable TableBytes lastTable;

  /** How many refusals have come. */
  long rejections;

  /** Of the peer's arrays: the last one processed, and the last one that the peer was told of. */
  long processed;

  long processedSaid;

  /** What the peer allows to be sent on this channel, in bytes since the beginning. */
  long allowed = Long.MAX_VALUE;

  /** What was sent of that. The writing thread's. */
  long charged;

  /** What this side allows the peer, and what the peer was told of that. */
  long granted;

  long grantedSaid;

  /** Since when the queue is full, and since when the credit is used up; 0 if not, or unwatched. */
  long fullSince;

  long creditlessSince;

  /** With a subscription of the peer: the most that waits for it. */
  long queueLimit = Long.MAX_VALUE;

  /** What is to be said when the queue is empty. */
  byte @Nullable [] last;

  /** Whether everything that waited was given up. */
  boolean dropped;

  /** Whether the channel is in the line of those that have something to send. */
  boolean listed;

  /** Whether the channel is in the line of those that owe an acknowledgement or credit. */
  boolean owing;

  /** What {@code SendWatch} has seen, once it has looked. */
  @Nullable SendSeen seen;

  /** The channel of this connection that was opened next. */
  @Nullable OutboundChannel next;

  OutboundChannel(int id) {
    this.id = id;
  }

  /** The bytes of attributes to which a connection adds nothing. Without the lock. */
  byte[] bytesOf(ArrayAttributes attributes) {
    PartTable table = attributes.parts();
    if (table == null) {
      return AttributesBody.write(ArrayEnvelope.of(attributes));
    }
    TableBytes made = TableBytes.of(lastTable, attributes, table);
    lastTable = made;
    return made.bytes;
  }

  /** Forgets what only a channel needs that sends. */
  void trim() {
    lastTable = null;
  }

  /**
   * Changes whenever something of what waits moves, or the peer allows more; not when an array is
   * taken back. Plain mode charges nothing, and counts what is written.
   */
  long progress(OutboundArray oldest) {
    return charged + allowed + lastSequence + (oldest.framed ? oldest.sequence : 0);
  }

  /**
   * What has waited longest of its arrays that somebody may wait for; null if nothing waits. What
   * is published waits for nobody until it finds no room.
   */
  @Nullable OutboundArray oldest() {
    for (OutboundArray queued : queue) {
      if (!queued.published || !waiting.isEmpty()) {
        return queued;
      }
    }
    OutboundArray first = waiting.peek();
    if (first != null) {
      return first;
    }
    for (OutboundArray sent : unacknowledged) {
      if (sent.awaited) {
        return sent;
      }
    }
    return null;
  }

  /** The published array that was queued first of those of which no byte has left. */
  @Nullable OutboundArray oldestPublished() {
    for (OutboundArray array : queue) {
      if (array.published && array.sequence == 0) {
        return array;
      }
    }
    return null;
  }

  /** Every published array that is not whole in frames. */
  List<OutboundArray> published() {
    List<OutboundArray> all = new ArrayList<>(queue);
    all.addAll(waiting);
    all.removeIf(array -> !array.published);
    return all;
  }

  boolean owes() {
    return processed != processedSaid || granted != grantedSaid;
  }

  /** The receipt of an array; the one of the array before where that says the same. */
  Receipt receipt(OutboundArray array) {
    Receipt last = lastReceipt;
    String encoding = array.codec.encoding().name();
    boolean named = array.options.codec() != null || (array.parts != null && array.reason == null);
    CompressionReason reason = named ? CompressionReason.NAMED : array.reason;
    if (last != null
        && encoding.equals(last.encoding())
        && reason == last.compression()
        && last.elements() == array.count
        && last.wireBytes() == array.wireBytes
        && last.copiedBytes() == array.copiedBytes
        && last.channelOperations() == array.operations) {
      return last;
    }
    Receipt next =
        new Receipt(
            array.count, array.wireBytes, array.copiedBytes, array.operations, 0, encoding, reason);
    lastReceipt = next;
    return next;
  }
}
