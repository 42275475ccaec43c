package io.arraywire.engine;

import io.arraywire.ErrorCode;
import io.arraywire.ProtocolException;
import io.arraywire.frame.FrameLayout;
import io.arraywire.wire.FlowOffer;

/**
 * What the peer allows this side to send on all channels together, in bytes since the beginning,
 * and what was sent of that. {@link OutboundChannel} has the same for one channel. Guarded by the
 * connection's lock.
 */
final class SendCredit {
  /** In plain mode, and until the peer has said what it allows. */
  static final FlowOffer UNLIMITED = new FlowOffer(1, Long.MAX_VALUE, Long.MAX_VALUE, 0, 0);

  /** What must be left for the first elements of an array: one, and what stands before it. */
  private static final int LEAST_PAYLOAD_BYTES = 64;

  /** Written under the lock; any thread reads it. */
  private volatile FlowOffer peer = UNLIMITED;

  private long allowed = Long.MAX_VALUE;
  private long charged;

  /** How much of what was charged has been answered; see {@link EffectlessFrames#covered}. */
  private long answered;

  /** The handshake has said what the peer allows. */
  void agreed(FlowOffer flowOfPeer) {
    peer = flowOfPeer;
    allowed = peer.connectionCredit();
  }

  /** A channel has its first credit. */
  void begin(OutboundChannel channel) {
    channel.allowed = peer.channelCredit();
  }

  /** What may be sent on a channel now. */
  long left(OutboundChannel channel) {
    return Math.min(channel.allowed - channel.charged, allowed - charged);
  }

  /** Whether the first array of a channel may go on. */
  boolean mayContinue(OutboundChannel channel, int chunkBytes) {
    OutboundArray array = channel.queue.element();
    if (array.isWithdrawn()) {
      return true;
    }
    // Not in ever smaller pieces: the peer gives credit when half of it is used up.
    long wanted = array.overhead() + Math.min(array.bytesLeft(), chunkBytes);
    return left(channel) >= Math.min(wanted, half());
  }

  private long half() {
    FlowOffer flow = peer;
    return Math.min(flow.channelCredit(), flow.connectionCredit()) / 2;
  }

  /**
   * The most bytes of attributes that an array may have: they leave with its first elements. Any
   * thread.
   */
  long mostAttributeBytes() {
    return half() - FrameLayout.ARRAY_COST - LEAST_PAYLOAD_BYTES;
  }

  /** Which credit an array of a channel waits for that may not go on. */
  SendStall stall(OutboundChannel channel) {
    return channel.allowed - channel.charged <= allowed - charged
        ? SendStall.CREDIT
        : SendStall.CONNECTION_CREDIT;
  }

  /** Bytes of a frame are about to be sent. */
  void charge(OutboundChannel channel, long bytes) {
    channel.charged += bytes;
    charged += bytes;
  }

  /** What the peer allows on all channels together. */
  long allowed() {
    return allowed;
  }

  /** The peer allows more; returns whether that changed anything. */
  boolean allow(OutboundChannel channel, long onChannel, long onConnection)
      throws ProtocolException {
    if (onChannel < channel.allowed || onConnection < allowed) {
      throw new ProtocolException(
          ErrorCode.PROTOCOL_VIOLATION,
          "the peer took back credit that it had given",
          "channel",
          ChannelId.fact(channel.id),
          "channelCredit",
          Long.toUnsignedString(onChannel),
          "before",
          channel.allowed,
          "connectionCredit",
          Long.toUnsignedString(onConnection),
          "connectionBefore",
          allowed);
    }
    boolean changed = onChannel > channel.allowed || onConnection > allowed;
    channel.allowed = onChannel;
    allowed = onConnection;
    return changed;
  }

  /** An ACK or CREDIT has come; returns whether the arrays that were sent account for it. */
  boolean coversAnswer() {
    long covered = EffectlessFrames.covered(answered, charged, peer.connectionCredit());
    if (covered == EffectlessFrames.NOT_COVERED) {
      return false;
    }
    answered = covered;
    return true;
  }

  /** Says what is left for a channel, where the peer limits it. */
  void describe(OutboundChannel channel, StringBuilder to) {
    if (!peer.equals(UNLIMITED)) {
      to.append(", creditLeft[").append(ChannelId.words(channel.id)).append("]=");
      to.append(left(channel));
    }
  }
}
