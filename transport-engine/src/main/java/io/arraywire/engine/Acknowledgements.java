package io.arraywire.engine;

import io.arraywire.ErrorCode;
import io.arraywire.ProtocolException;
import io.arraywire.frame.FrameType;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the peer has said of the arrays that it was sent, and what this side owes the peer for its
 * own: acknowledgements and credit. Guarded by the connection's lock.
 */
final class Acknowledgements {
  private final EventDispatcher events;

  /** Channels that owe the peer an acknowledgement or credit. */
  private LazyQueue<OutboundChannel> owing = LazyQueue.empty();

  /** Arrays that the peer has yet to acknowledge, and of which somebody wants to know. */
  private int missing;

  /** What this side allows the peer on all channels together. */
  private long granted;

  Acknowledgements(EventDispatcher events) {
    this.events = events;
  }

  // What the peer says.

  boolean isMissingSome() {
    return missing > 0;
  }

  int missing() {
    return missing;
  }

  /** The peer is to acknowledge an array. */
  void expect(OutboundArray array) {
    array.channel.unacknowledged = array.channel.unacknowledged.plus(array);
    array.awaited = true;
    missing++;
  }

  /** Nobody wants to know any more what the peer says of an array. */
  void forget(OutboundArray array) {
    if (array.awaited) {
      array.awaited = false;
      missing--;
    }
  }

  /** The peer is not to acknowledge an array that broke off. */
  void brokeOff(OutboundArray array) {
    if (array.channel.unacknowledged.remove(array)) {
      forget(array);
    }
  }

  /** The full number of which a header carried the low 32 bits. */
  static long widen(OutboundChannel channel, int low) {
    OutboundArray first = channel.unacknowledged.peek();
    long base = first == null ? channel.lastSequence : first.sequence;
    long wide = base + (low - (int) base);
    // Nothing that was sent has such a number; the error names the one in the header.
    return wide < 0 ? Integer.toUnsignedLong(low) : wide;
  }

  /** The peer has processed arrays. Returns a chain of those that are done by that. */
  @Nullable OutboundArray acknowledged(OutboundChannel channel, long sequence)
      throws ProtocolException {
    if (sequence < 0 || sequence > channel.lastSequence) {
      throw new ProtocolException(
          ErrorCode.PROTOCOL_VIOLATION,
          "an acknowledgement of an array that was not sent",
          "acknowledged",
          Long.toUnsignedString(sequence),
          "sent",
          channel.lastSequence);
    }
    OutboundArray first = null;
    OutboundArray last = null;
    for (OutboundArray array = channel.unacknowledged.peek();
        array != null && array.sequence <= sequence;
        array = channel.unacknowledged.peek()) {
      channel.unacknowledged.remove();
      forget(array);
      array.acknowledged = true;
      // The peer can be faster than the writing thread, which has yet to note what it wrote.
      if (array.handedOff) {
        events.acknowledged(array);
        if (last == null) {
          first = array;
        } else {
          last.next = array;
        }
        last = array;
      }
    }
    return first;
  }

  /** The peer refuses an array; returns it if somebody waits for it. */
  @Nullable OutboundArray rejected(OutboundChannel channel, long sequence)
      throws ProtocolException {
    if (sequence < 1
        || sequence > channel.lastSequence
        || ++channel.rejections > channel.lastSequence) {
      throw new ProtocolException(
          ErrorCode.PROTOCOL_VIOLATION,
          "a refusal of an array that was not sent, or of one that was refused before",
          "refused",
          Long.toUnsignedString(sequence),
          "sent",
          channel.lastSequence);
    }
    for (Iterator<OutboundArray> i = channel.unacknowledged.iterator(); i.hasNext(); ) {
      OutboundArray array = i.next();
      if (array.sequence == sequence) {
        i.remove();
        forget(array);
        return array;
      }
    }
    return null;
  }

  // What this side owes.

  /** Arrays of the peer are processed. */
  void processed(OutboundChannel channel, long sequence) {
    channel.processed = Math.max(channel.processed, sequence);
    owe(channel);
  }

  /**
   * This side allows the peer more, on a channel and on all of them, in bytes since the beginning.
   */
  void grant(OutboundChannel channel, long onChannel, long onConnection) {
    granted = onConnection;
    channel.granted = onChannel;
    if (channel.granted == channel.grantedSaid) {
      // Only the connection has more: said on this channel all the same.
      channel.grantedSaid--;
    }
    owe(channel);
  }

  /** The peer has its first credit from the handshake. */
  void grantedInHandshake(OutboundChannel channel, long onChannel, long onConnection) {
    channel.granted = onChannel;
    channel.grantedSaid = onChannel;
    granted = Math.max(granted, onConnection);
  }

  private void owe(OutboundChannel channel) {
    if (!channel.owing && channel.owes()) {
      channel.owing = true;
      owing = owing.plus(channel);
    }
  }

  boolean owesNothing() {
    return owing.isEmpty();
  }

  /** The channel that has owed something longest; null if none does. */
  @Nullable OutboundChannel firstOwing() {
    OutboundChannel first = owing.peek();
    while (first != null && !first.owes()) {
      owing.remove().owing = false;
      first = owing.peek();
    }
    return first;
  }

  /** What the next array of a channel is to acknowledge, which is then said; 0 for nothing. */
  long sayWithArray(OutboundChannel channel) {
    if (channel.processed == channel.processedSaid) {
      return 0;
    }
    channel.processedSaid = channel.processed;
    return channel.processed;
  }

  /** Says all that a channel owes, in one frame. */
  void sayTo(BatchPlan plan, OutboundChannel channel) {
    if (channel.granted == channel.grantedSaid) {
      plan.add(FrameType.ACK, channel.id, 0).sequence = channel.processed;
    } else {
      PlannedFrame credit = plan.add(FrameType.CREDIT, channel.id, 0);
      credit.tag = channel.granted;
      credit.count = granted;
      channel.grantedSaid = channel.granted;
      credit.acknowledged = channel.processed == channel.processedSaid ? 0 : channel.processed;
    }
    channel.processedSaid = channel.processed;
  }

  // The end.

  /** Gives back memory that it needs no more. */
  void trim(List<OutboundChannel> channels) {
    owing = owing.trimmed();
    for (OutboundChannel channel : channels) {
      channel.unacknowledged = channel.unacknowledged.trimmed();
    }
  }

  /** Forgets what the peer has yet to acknowledge, and adds it to a list. */
  void drop(List<OutboundChannel> channels, List<OutboundArray> all) {
    for (OutboundChannel channel : channels) {
      channel.unacknowledged.forEach(this::forget);
      all.addAll(channel.unacknowledged);
      channel.unacknowledged.clear();
    }
  }
}
