package io.arraywire.engine;

import io.arraywire.ArraywireException;
import io.arraywire.frame.FrameHeader;
import io.arraywire.frame.FrameType;
import io.arraywire.wire.ArrayEnvelope;
import io.arraywire.wire.HandshakeMessage;
import io.arraywire.wire.Preamble;
import org.jspecify.annotations.Nullable;

/** What the reader of frames asks of its connection. The reading thread's. */
interface FrameScope extends InboundScope {
  /** The peer has said who it is. */
  void handshake(Preamble preamble, HandshakeMessage message) throws ArraywireException;

  /**
   * Whether the peer has its answer to the handshake, so that frames may come. If somebody has
   * decided on it meanwhile, the answer is given here.
   *
   * @throws ArraywireException if the peer is refused
   */
  boolean isAnswered() throws ArraywireException;

  /** The largest encoded array that the peer may send. */
  long maxArrayBytes();

  /** The header of a frame has come. */
  void frameCame();

  /** The channel or subscription of a frame, which must be one of those that were agreed on. */
  InboundChannel channelOfFrame(int id) throws ArraywireException;

  /** A channel on which an array has begun and not ended; null if there is none. */
  @Nullable InboundChannel insideArray();

  /** A header says what the peer has processed, with the low half of a sequence. */
  void acknowledged(InboundChannel channel, int low) throws ArraywireException;

  /** A control frame has come whole, of a type that the reader has no use for. */
  void control(FrameHeader header, InboundChannel channel, byte[] body) throws ArraywireException;

  /** Checks what travels with an array, and returns how many published ones are missing before. */
  long checkEnvelope(ArrayEnvelope envelope, long count, InboundChannel channel)
      throws ArraywireException;

  /** A frame came that has no effect, or may have none. */
  void useless(FrameType type) throws ArraywireException;

  /** The peer sends no further arrays. */
  void peerSaidGoodbye();
}
