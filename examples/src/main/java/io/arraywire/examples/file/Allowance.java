package io.arraywire.examples.file;

import io.arraywire.ProtocolException;
import io.arraywire.frame.FrameHeader;
import io.arraywire.wire.FlowOffer;

/**
 * What the peer allows to be sent on channel 0, in bytes since the beginning; see {@code
 * docs/protocol.md}, section Credit. For one thread.
 */
final class Allowance {
  private final long half;
  private long onChannel;
  private long onConnection;
  private long charged;

  Allowance(FlowOffer first) {
    onChannel = first.channelCredit();
    onConnection = first.connectionCredit();
    half = Math.min(onChannel, onConnection) / 2;
  }

  /** Whether to send so many bytes now: a peer need not allow more than half at a time. */
  boolean suffices(long bytes) {
    return left() >= Math.min(bytes, half);
  }

  long left() {
    return Math.min(onChannel, onConnection) - charged;
  }

  /** A frame of an array is sent. */
  void charge(long bytes) {
    charged += bytes;
  }

  /** A CREDIT frame has come. */
  void credited(FrameHeader credit) throws ProtocolException {
    if (credit.tag < onChannel || credit.count < onConnection) {
      throw FramedSocket.unexpected(
          "credit that was given was taken back",
          "onChannel",
          credit.tag,
          "before",
          onChannel,
          "onConnection",
          credit.count,
          "connectionBefore",
          onConnection);
    }
    onChannel = credit.tag;
    onConnection = credit.count;
  }
}
