package io.arraywire.engine;

import io.arraywire.ArraywireException;
import io.arraywire.frame.FrameHeader;

/**
 * Understands control frames of one type.
 *
 * @param <P> the part of a connection that they are for
 */
@FunctionalInterface
interface FrameHandler<P> {
  /** A frame has come whole. On the reading thread, without the lock. */
  void frame(P part, FrameHeader header, InboundChannel channel, byte[] body)
      throws ArraywireException;
}
