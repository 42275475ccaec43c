package io.arraywire.engine;

import io.arraywire.ArraywireException;
import io.arraywire.frame.FrameHeader;
import io.arraywire.frame.FrameLayout;
import io.arraywire.frame.FrameType;
import io.arraywire.wire.FaultBody;
import java.nio.ByteBuffer;

/** Makes the frames that carry no elements, ready to be queued. Pure functions. */
final class ControlFrames {
  private static final byte[] NO_BODY = {};

  private ControlFrames() {}

  static byte[] of(FrameType type, int channel) {
    return of(type, channel, NO_BODY);
  }

  static byte[] of(FrameType type, int channel, byte[] body) {
    FrameHeader header = new FrameHeader().clear(type);
    header.channel = channel;
    return frame(header, body);
  }

  /** The answer to a ping, or a heartbeat with tag 0, which answers none. */
  static byte[] pong(long tag) {
    FrameHeader header = new FrameHeader().clear(FrameType.PONG);
    header.tag = tag;
    return frame(header, NO_BODY);
  }

  /** Asks the peer whether it lives. */
  static byte[] ping() {
    return of(FrameType.PING, 0);
  }

  /** Asks for a pong with a tag. */
  static byte[] ping(long tag) {
    FrameHeader header = new FrameHeader().clear(FrameType.PING);
    header.tag = tag;
    return frame(header, NO_BODY);
  }

  /** Nobody waits for the reply to a request. */
  static byte[] cancel(long request) {
    FrameHeader header = new FrameHeader().clear(FrameType.CANCEL);
    header.tag = request;
    return frame(header, NO_BODY);
  }

  static byte[] rejected(int channel, long sequence, ArraywireException refusal) {
    FrameHeader header = new FrameHeader().clear(FrameType.REJECTED);
    header.channel = channel;
    header.sequence = sequence;
    return frame(header, FaultBody.write(refusal));
  }

  static byte[] goodbye() {
    return of(FrameType.GOODBYE, 0);
  }

  /** Why this side ends the connection. */
  static byte[] error(ArraywireException cause) {
    return of(FrameType.ERROR, 0, FaultBody.write(cause));
  }

  private static byte[] frame(FrameHeader header, byte[] body) {
    header.payloadBytes = body.length;
    ByteBuffer frame = ByteBuffer.allocate(FrameLayout.HEADER_BYTES + body.length);
    header.write(frame);
    frame.put(body);
    return frame.array();
  }
}
