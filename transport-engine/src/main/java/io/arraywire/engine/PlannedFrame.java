package io.arraywire.engine;

import io.arraywire.frame.FrameHeader;
import io.arraywire.frame.FrameLayout;
import io.arraywire.frame.FrameType;
import org.jspecify.annotations.Nullable;

/**
 * One frame of a batch: decided on with the connection's lock, made without it. Serves again and
 * again. The writing thread's.
 */
final class PlannedFrame {
  /** A control frame that is made already; null for the others. */
  byte @Nullable [] bytes;

  FrameType type = FrameType.PING;

  /** The array that the frame carries a part of; null if it carries none. */
  @Nullable OutboundArray array;

  int channel;
  long sequence;

  /** The tag and the count of a frame without elements. */
  long tag;

  long count;

  /** What the peer is told to be processed on the channel; 0 if nothing. */
  long acknowledged;

  // A part of an array.

  /** Whether it is the first part, and whether it is the last one. */
  boolean begins;

  boolean last;

  /** Whether the channel takes the elements straight from the array. */
  boolean arrayDirect;

  long firstElement;
  int elements;

  /** The part of a message that it holds a block of; negative if it holds none of a message. */
  int blockOf = -1;

  /** Bytes before the elements, and bytes of the payload. */
  int prefix;

  int payload;

  /** Bytes that were charged and are not sent, since the source of the elements has failed. */
  int dropped;

  /** Where it lies among the bytes of the batch. */
  long from;

  long to;

  /** The array of a frame that carries a part of one. */
  OutboundArray array() {
    OutboundArray carried = array;
    if (carried == null) {
      throw new IllegalStateException("a frame without an array");
    }
    return carried;
  }

  /** Tells the peer what is processed, in the header of a frame that says more than that. */
  void acknowledge(FrameHeader header) {
    if (acknowledged != 0) {
      header.flags |= FrameLayout.FLAG_ACKNOWLEDGES;
      header.acknowledged = (int) acknowledged;
    }
  }

  /** Forgets what it was. */
  void clear() {
    bytes = null;
    array = null;
    sequence = 0;
    tag = 0;
    count = 0;
    acknowledged = 0;
    dropped = 0;
    blockOf = -1;
  }
}
