package io.arraywire.engine;

import io.arraywire.frame.FrameLayout;
import io.arraywire.spi.Codec;

/** Says how far the next read should go. The reading thread's. */
final class ReadLimit {
  /**
   * How far a read goes before the peer is known. Most hellos are shorter, and a longer one takes
   * several reads. So few bytes behind a hello are kept while an authenticator decides.
   */
  static final int OF_STRANGER = 512;

  private ReadLimit() {}

  /** Whether the peer still has to say who it is, or waits for an answer. */
  static boolean isOfStranger(Inbound in) {
    return in.state.compareTo(Inbound.State.ANSWER) <= 0;
  }

  /** The most that should be read next, so that a strategy or a lease is not read past. */
  static int of(Inbound in) {
    if (in.state == Inbound.State.BLOCK) {
      // It is decoded where it lies, if it lies there whole.
      return Integer.MAX_VALUE;
    }
    if (in.state == Inbound.State.ELEMENTS) {
      // What follows the payload, which goes to directSpace, is a header.
      return in.isLease() || in.arrayRoom() > 0 ? FrameLayout.HEADER_BYTES : Integer.MAX_VALUE;
    }
    if (in.state != Inbound.State.ENDED
        && (in.at.next.leaseIsNext() || in.isLease() || expectsLarge(in))) {
      return Math.max(1, in.small.remaining());
    }
    return Integer.MAX_VALUE;
  }

  /** Whether what comes next is best not read beyond its header. */
  private static boolean expectsLarge(Inbound in) {
    if (in.at.arriving != null) {
      return in.arrayRoom() > 0;
    }
    // The count of plain mode is too little to be read apart.
    return in instanceof FrameReader
        && in.state == Inbound.State.HEADER
        && (in.lastWasLarge || in.isArrayDirect(in.at.next.bytesOfNextTarget()))
        && in.isArrayDirect(Long.MAX_VALUE);
  }

  /** The same where a codec is there that is to be shown reading one element at a time. */
  static int ofElementwise(Inbound in) {
    Codec arriving = in.at.codec;
    Codec current = arriving == null ? in.scope.context().firstCodec() : arriving;
    if (!current.traits().elementwise() || in.state == Inbound.State.ENDED) {
      return of(in);
    }
    return in.state == Inbound.State.ELEMENTS
        ? (int) Math.min(current.encoding().elementBytes(in.at.array().type()), in.frameRemaining)
        : Math.max(1, in.small.remaining());
  }
}
