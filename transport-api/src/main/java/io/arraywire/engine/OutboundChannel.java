package io.arraywire.engine;

import io.arraywire.Receipt;
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

  /** Whether the channel is in the line of those that have something to send. */
  boolean listed;

  /** Whether the channel is in the line of those that owe an acknowledgement or credit. */
  boolean owing;

  /** What {@link SendWatch} has seen, once it has looked. */
  SendWatch.@Nullable Seen seen;

  OutboundChannel(int id) {
    this.id = id;
  }

  /** Changes whenever something of what waits moves, or the peer allows more. */
  long progress(OutboundArray oldest) {
    return charged + allowed + lastSequence + oldest.sequence + oldest.framedBytes;
  }

  boolean owes() {
    return processed != processedSaid || granted != grantedSaid;
  }
}
