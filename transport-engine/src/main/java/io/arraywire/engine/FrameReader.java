package io.arraywire.engine;

import io.arraywire.ArraywireException;
import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.ErrorCode;
import io.arraywire.ProtocolException;
import io.arraywire.frame.FrameHeader;
import io.arraywire.frame.FrameLayout;
import io.arraywire.frame.FrameType;
import io.arraywire.spi.Codec;
import io.arraywire.wire.ArrayEnvelope;
import io.arraywire.wire.HandshakeMessage;
import io.arraywire.wire.Preamble;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Reads the handshake and then frames: a state machine over bytes in any portions. */
final class FrameReader extends Inbound implements IntFunction<@Nullable Encoding> {
  /** What is copied with the lock. */
  private static final int SMALL_BYTES = 1 << 10;

  private static final byte[] NO_REST = {};

  private @Nullable Preamble preamble;

  /** The array whose attributes are read. */
  private @Nullable InboundArray begun;

  private boolean peerSaidGoodbye;

  /** Tables of parts that have come. Any thread forgets them when the connection is at rest. */
  @Nullable KnownTables tables;

  FrameReader(FrameScope scope, InboundChannel first) {
    super(scope, first, State.PREAMBLE, Preamble.BYTES);
  }

  FrameScope scope() {
    return (FrameScope) scope;
  }

  /** The encoding of a code that this side decodes; parts of messages ask. */
  @Override
  public @Nullable Encoding apply(int code) {
    return InboundParts.encoding(scope.context(), code);
  }

  @Override
  boolean take(ByteBuffer in) throws ArraywireException {
    while (true) {
      switch (state) {
        case PREAMBLE -> {
          if (!gather(in)) {
            return true;
          }
          preamble = Preamble.read(gathered());
          expect(State.MESSAGE, preamble.messageBytes());
        }
        case MESSAGE -> {
          if (!gather(in)) {
            return true;
          }
          message(gathered());
        }
        case ANSWER -> {
          if (!scope().isAnswered()) {
            return false;
          }
          state = State.HEADER;
        }
        case HEADER -> {
          if (small.position() == 0) {
            if (!in.hasRemaining()) {
              giveScratchBack();
              return true;
            }
            if (!mayBegin(1)) {
              return false;
            }
            frameBegins();
          }
          if (!gather(in)) {
            return true;
          }
          if (lacksHeader()) {
            takeScratch();
          }
          header.read(small.flip());
          header(in);
        }
        case CONTROL_BODY -> {
          if (!gather(in)) {
            return true;
          }
          byte[] body = gathered();
          checkChecksum(body);
          expect(State.HEADER, FrameLayout.HEADER_BYTES);
          control(body);
        }
        case ATTRIBUTES -> {
          if (!gather(in)) {
            return true;
          }
          carries(AttributesReader.read(this));
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
        case BLOCK_HEAD -> {
          if (small.position() == 0 && in.hasRemaining() && !mayBegin(FRAMES_OF_A_BLOCK)) {
            return false;
          }
          if (!gather(in)) {
            return true;
          }
          BlockReader.begins(this, small.flip());
        }
        case BLOCK -> {
          if (!BlockReader.take(this, in)) {
            return true;
          }
        }
        case ZEROS -> {
          if (!gather(in)) {
            return true;
          }
          BlockReader.zeros(this, small.flip());
        }
        case ENDED -> {
          in.position(in.limit());
          return true;
        }
      }
    }
  }

  private void message(byte[] message) throws ArraywireException {
    Preamble first = preamble;
    if (first == null) {
      throw new IllegalStateException("a message without its preamble");
    }
    first.checkMessage(message);
    preamble = null;
    expect(State.HEADER, FrameLayout.HEADER_BYTES);
    scope().handshake(first, HandshakeMessage.read(message));
    // The authenticator decides about the peer before this reads its first frame.
    state = State.ANSWER;
  }

  @Override
  void checkBegin() throws ProtocolException {
    if (state == State.HEADER) {
      FrameHeader.checkMagic(small, 0);
    } else if (state == State.PREAMBLE) {
      Preamble.checkMagic(small, 0);
    }
  }

  @Override
  void streamEnded() throws ProtocolException {
    if (state == State.ENDED || peerSaidGoodbye) {
      return;
    }
    InboundChannel broken = scope().insideArray();
    if (broken != null) {
      throw ArrayChecks.endedInside(broken);
    }
    if (state != State.HEADER || small.position() > 0) {
      String text =
          switch (state) {
            case PREAMBLE ->
                "the peer closed the connection during the handshake; it may be in plain mode, or"
                    + " no Arraywire peer";
            case MESSAGE, ANSWER -> "the peer closed the connection during the handshake";
            default -> "the stream ended inside a frame";
          };
      throw ArrayChecks.endedInside(text, small);
    }
  }

  // Frames.

  private void header(ByteBuffer in) throws ArraywireException {
    FrameScope scope = scope();
    FrameType type = header.type;
    scope.frameCame();
    movedArrays = type != FrameType.PING && type != FrameType.PONG;
    if (header.channel != at.id) {
      at = scope.channelOfFrame(header.channel);
    }
    if (header.has(FrameLayout.FLAG_ACKNOWLEDGES)) {
      scope.acknowledged(at, header.acknowledged);
    }
    resetChecksum();
    wireBytesBefore = FrameLayout.HEADER_BYTES;
    if (type == FrameType.ARRAY) {
      arrayHeader(in);
    } else if (type == FrameType.CHUNK) {
      chunkHeader();
    } else {
      controlHeader();
    }
  }

  private void controlHeader() throws ProtocolException {
    if (header.payloadBytes > FrameLayout.MAX_CONTROL_BYTES || header.attributeBytes != 0) {
      throw new ProtocolException(
          ErrorCode.FRAME_TOO_LARGE,
          "a control frame is too large",
          "type",
          header.type,
          "declared",
          header.payloadBytes + header.attributeBytes,
          "limit",
          FrameLayout.MAX_CONTROL_BYTES);
    }
    expect(State.CONTROL_BODY, (int) header.payloadBytes);
  }

  private void control(byte[] body) throws ArraywireException {
    switch (header.type) {
      case ABORT -> abort();
      case GOODBYE -> goodbye();
      default -> scope().control(header, at, body);
    }
  }

  private void goodbye() throws ArraywireException {
    if (peerSaidGoodbye) {
      scope().useless(FrameType.GOODBYE);
      return;
    }
    InboundChannel inside = scope().insideArray();
    if (inside != null) {
      throw new ProtocolException(
          ErrorCode.PROTOCOL_VIOLATION,
          "a goodbye inside an array",
          "sequence",
          inside.array().sequence());
    }
    peerSaidGoodbye = true;
    scope().peerSaidGoodbye();
  }

  private void abort() throws ArraywireException {
    InboundArray withdrawn = at.arriving;
    if (withdrawn == null || header.sequence != withdrawn.sequence()) {
      throw new ProtocolException(
          ErrorCode.PROTOCOL_VIOLATION,
          "an array was withdrawn that is not arriving",
          "sequence",
          Long.toUnsignedString(header.sequence),
          "arriving",
          withdrawn == null ? "none" : withdrawn.sequence());
    }
    if (at.arrayReceived < EffectlessFrames.LEAST_ABORTED_BYTES) {
      scope().useless(FrameType.ABORT);
    }
    at.inbox.aborted(withdrawn);
    over();
  }

  private void arrayHeader(ByteBuffer in) throws ArraywireException {
    if (peerSaidGoodbye) {
      throw new ProtocolException(
          ErrorCode.PROTOCOL_VIOLATION,
          "an array after a goodbye",
          "sequence",
          Long.toUnsignedString(header.sequence));
    }
    if (ChannelId.isSubscription(at.id) && header.attributeBytes == 0) {
      throw new ProtocolException(
          ErrorCode.PROTOCOL_VIOLATION,
          "an array of a subscription does not say which publication it is",
          "channel",
          ChannelId.fact(at.id));
    }
    Codec decoder = ArrayChecks.checkArray(header, at, scope.context(), scope().maxArrayBytes());
    ArrayChecks.checkFlag(header, checksums);
    arrayFrames++;
    at.inbox = at.next;
    if (decoder.encoding().isInBlocks()) {
      // Each block is charged when its head has come.
      at.blocks = decoder;
      Codec plain = Blocks.plain(decoder);
      InboundArray array = at.inbox.begin(header, ArrayChecks.type(header), plain, 0);
      array.encoding = decoder.encoding().name();
      begun(array, plain);
    } else if (isSmall(in, decoder)) {
      smallArray(in, decoder);
    } else {
      ElementType type = ArrayChecks.type(header);
      // A message is charged when its table has said what its bytes are.
      long charge = ArrayChecks.hasTable(header) ? 0 : header.payloadBytes;
      begun(at.inbox.begin(header, type, decoder, charge), decoder);
    }
  }

  /** An array has begun, whose first frame is charged. */
  private void begun(InboundArray array, Codec decoder) throws ArraywireException {
    at.nextSequence++;
    at.codec = decoder;
    at.encodingCode = header.encoding;
    array.headerCount = header.count;
    at.arrayBytes = header.arrayBytes;
    at.arrayReceived = 0;
    frameRemaining = header.payloadBytes;
    if (header.attributeBytes > 0) {
      begun = array;
      wireBytesBefore += header.attributeBytes;
      AttributesReader.follow(this);
      return;
    }
    begins(array);
    if (array.isPlaced()) {
      placed();
    } else {
      state = State.PLACE;
    }
  }

  /**
   * Whether an array has come whole with its header and can be put into its place while the lock is
   * held. That is so if it takes little: a copy as it lies in memory.
   */
  private boolean isSmall(ByteBuffer in, Codec decoder) {
    return header.attributeBytes == 0
        && header.payloadBytes == header.arrayBytes
        && header.payloadBytes <= Math.min(SMALL_BYTES, in.remaining())
        && decoder.traits().verbatim();
  }

  /**
   * It begins and is complete in one critical section. Without attributes it is no reply, after
   * which something would be to be done without the lock.
   */
  private void smallArray(ByteBuffer in, Codec decoder) throws ArraywireException {
    ReentrantLock lock = scope.lock();
    lock.lock();
    locked = true;
    try {
      begun(
          at.inbox.begun(header, ArrayChecks.type(header), decoder, header.payloadBytes), decoder);
      if (state == State.ELEMENTS) {
        boolean unused = elements(in);
      }
    } finally {
      locked = false;
      lock.unlock();
    }
  }

  /** What travels with the array that begins. */
  private void carries(ArrayEnvelope envelope) throws ArraywireException {
    if (!envelope.attributes().shapeHolds(header.count)) {
      throw new ProtocolException(
          ErrorCode.COUNT_MISMATCH,
          "the shape does not hold as many elements as there are",
          "attributes",
          envelope.attributes(),
          "count",
          header.count);
    }
    InboundArray array = begun;
    if (array == null) {
      throw new IllegalStateException("attributes without their array");
    }
    ArrayEnvelope seen =
        ArrayChecks.hasTable(header) ? BlockReader.begin(this, array, envelope) : envelope;
    long dropped = scope().checkEnvelope(seen, header.count, at);
    begun = null;
    array.carries(seen, dropped);
    begins(array);
    state = State.PLACE;
  }

  private void chunkHeader() throws ArraywireException {
    ArrayChecks.checkChunk(header, at, scope.context());
    ArrayChecks.checkFlag(header, checksums);
    InboundArray array = at.array();
    arrayFrames++;
    if (at.blocks == null) {
      at.inbox.goOn(array, header.payloadBytes);
      checkUseful(header.payloadBytes, at.arrayBytes - at.arrayReceived);
    }
    frameRemaining = header.payloadBytes;
    array.wireBytes += FrameLayout.HEADER_BYTES;
    countOperations(array);
    elementsFollow();
  }

  /** Counts a short piece, unless it is the first of its array or the last of what is left. */
  void checkUseful(long bytes, long left) throws ArraywireException {
    if (bytes < EffectlessFrames.LEAST_USEFUL_BYTES
        && bytes < left
        && (header.type == FrameType.CHUNK || at.arrayReceived > 0)) {
      scope().useless(FrameType.CHUNK);
    }
  }

  @Override
  void elementsFollow() throws ArraywireException {
    if (at.blocks == null || frameRemaining == 0) {
      super.elementsFollow();
    } else {
      BlockReader.follows(this);
    }
  }

  @Override
  boolean frameEnds() throws ArraywireException {
    if (at.blocks != null && BlockReader.goesOn(this)) {
      return false;
    }
    checkChecksum(NO_REST);
    expect(State.HEADER, FrameLayout.HEADER_BYTES);
    return true;
  }

  /** Checks what has come of a payload, all of it. */
  void checkChecksum() throws ProtocolException {
    checkChecksum(NO_REST);
  }

  private void checkChecksum(byte[] rest) throws ProtocolException {
    if (header.has(FrameLayout.FLAG_PAYLOAD_CHECKSUM)) {
      checksum().update(rest);
      ArrayChecks.checkChecksum(header, (int) checksum().getValue());
    }
  }
}
