package io.arraywire.engine;

import io.arraywire.frame.FrameHeader;
import io.arraywire.frame.FrameLayout;
import java.nio.ByteBuffer;

/**
 * What a connection needs as long as frames come in.
 *
 * @param header the frame's
 * @param small its bytes, and others of which there are as few
 */
record FrameScratch(FrameHeader header, ByteBuffer small) {
  static FrameScratch create() {
    return new FrameScratch(new FrameHeader(), ByteBuffer.allocate(FrameLayout.HEADER_BYTES));
  }
}
