package io.arraywire.engine;

import io.arraywire.ArraywireException;
import io.arraywire.ElementType;
import io.arraywire.ErrorCode;
import io.arraywire.HandshakeException;
import io.arraywire.ProtocolException;
import io.arraywire.wire.Preamble;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Reads a stream in plain mode: arrays of one type, one after the other, each behind its element
 * count.
 */
final class PlainReader extends Inbound {
  private static final int COUNT_BYTES = Integer.BYTES;

  /** What a peer in framed mode says first, where a count is expected. */
  private static final int FRAMED = Integer.reverseBytes(Preamble.MAGIC);

  PlainReader(FrameScope scope, InboundChannel first) {
    super(scope, first, State.HEADER, COUNT_BYTES);
  }

  @Override
  boolean take(ByteBuffer in) throws ArraywireException {
    while (true) {
      switch (state) {
        case HEADER -> {
          if (small.position() == 0 && in.hasRemaining() && !mayBegin(1)) {
            return false;
          }
          if (!gather(in)) {
            return true;
          }
          count(small.flip().order(ByteOrder.BIG_ENDIAN).getInt());
        }
        case PLACE -> {
          if (!at.inbox.admit(at.array(), at.codec())) {
            return false;
          }
          placed();
        }
        case PREFIX -> {
          if (!prefix(in)) {
            return true;
          }
        }
        case ELEMENTS -> {
          if (!elements(in)) {
            return true;
          }
        }
        case ENDED -> {
          in.position(in.limit());
          return true;
        }
        default -> throw new IllegalStateException("not in plain mode: " + state);
      }
    }
  }

  private void count(int count) throws ArraywireException {
    ElementType type = scope.context().options().plainType();
    if (type == null) {
      throw new IllegalStateException("not in plain mode");
    }
    if (count == FRAMED) {
      throw new HandshakeException(
          ErrorCode.NEGOTIATION_FAILED,
          "the peer is in framed mode and this side in plain mode: set plain at both ends or at"
              + " neither",
          "plainType",
          type.typeName(),
          "peer",
          scope.remoteAddress());
    }
    long bytes = ArrayChecks.checkPlain(type, count, scope.context().options());
    at.codec = scope.context().plainCodec();
    at.arrayBytes = bytes;
    at.arrayReceived = 0;
    frameRemaining = bytes;
    wireBytesBefore = COUNT_BYTES;
    begins(at.inbox.begin(type, count, at.nextSequence++, bytes));
    state = State.PLACE;
  }

  @Override
  void checkBegin() {
    // Any count may begin an array.
  }

  @Override
  boolean frameEnds() {
    expect(State.HEADER, COUNT_BYTES);
    return true;
  }

  @Override
  void streamEnded() throws ProtocolException {
    if (state == State.ENDED) {
      return;
    }
    if (at.arriving != null) {
      throw ArrayChecks.endedInside(at);
    }
    if (state != State.HEADER || small.position() > 0) {
      throw ArrayChecks.endedInside("the stream ended inside a frame", small);
    }
  }
}
