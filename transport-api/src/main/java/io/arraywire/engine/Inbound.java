package io.arraywire.engine;

import io.arraywire.ArrayAttributes;
import io.arraywire.ArraywireException;
import io.arraywire.BadLengthException;
import io.arraywire.CountMismatchException;
import io.arraywire.CreditExceededException;
import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.FrameTooLargeException;
import io.arraywire.MemoryBudgetException;
import io.arraywire.PayloadChecksumException;
import io.arraywire.ProtocolException;
import io.arraywire.SequenceGapException;
import io.arraywire.TruncatedException;
import io.arraywire.UnexpectedFrameException;
import io.arraywire.UnknownCodeException;
import io.arraywire.spi.Codec;
import io.arraywire.wire.ArrayEnvelope;
import io.arraywire.wire.AttributesBody;
import io.arraywire.wire.FaultBody;
import io.arraywire.wire.FrameHeader;
import io.arraywire.wire.FrameLayout;
import io.arraywire.wire.FrameType;
import io.arraywire.wire.HandshakeMessage;
import io.arraywire.wire.Preamble;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The incoming half of a connection: takes bytes in whatever portions they come and makes arrays of
 * them.
 *
 * <p>Every value is checked before the next may be used, in the order that {@code docs/protocol.md}
 * prescribes; memory is taken only after all checks. The reading thread's alone.
 */
final class Inbound {
  /**
   * A chunk that brings less, and not the rest of its array, costs more than it brings; the peer is
   * allowed a few of them. Half of the least size of frames.
   */
  private static final int LEAST_USEFUL_BYTES = 512;

  /** The longest array that every JVM can make. */
  private static final int MOST_ELEMENTS = Integer.MAX_VALUE - 8;

  private enum State {
    PREAMBLE,
    MESSAGE,
    HEADER,
    CONTROL_BODY,
    ATTRIBUTES,
    PLACE,
    PREFIX,
    ELEMENTS,
    PLAIN_COUNT,
    ENDED
  }

  private final ProtocolConnection connection;

  /** These stand for what an idle connection does not hold, and are never written to. */
  private static final FrameHeader NO_HEADER = new FrameHeader();

  private static final ByteBuffer NO_BYTES = ByteBuffer.allocate(FrameLayout.HEADER_BYTES);

  private static final byte[] NO_REST = {};

  private FrameHeader header = NO_HEADER;
  private @Nullable FrameScratch scratch;

  /** Made for the first frame that may need it. */
  private @Nullable CRC32C checksum;

  private State state;
  private ByteBuffer small = ByteBuffer.allocate(FrameLayout.HEADER_BYTES);
  private @Nullable Preamble preamble;

  private @Nullable ElementType plainType;
  private boolean checksums;

  /** The channel of the frame that is being looked at. */
  private InboundChannel at;

  /** How many channels have an array arriving. */
  private int arrivingArrays;

  private long frameRemaining;
  private long wireBytesBefore;
  private boolean peerSaidGoodbye;

  // The read operation that is being looked at.
  private long operation;

  /** The one that brought the first byte of the frame. */
  private long frameOperation;

  private byte copiesOfWindow;

  /** Whether what came last was an array or an answer to one, and not a sign of life. */
  private boolean movedArrays;

  /** Whether the last array was worth moving arrayDirect, so that the next one may be, too. */
  private boolean lastWasLarge;

  private long bytesReceived;

  /** The same of the elements of arrays, and the frames that brought them, which may overflow. */
  private long elementBytes;

  private int arrayFrames;

  /**
   * How often elements of arrays came. May overflow: only changes of it matter, and an idle
   * connection is small.
   */
  private short moves;

  /** How many frames have begun and how many have ended: odd while a part of one has come. */
  private int frameEdges;

  Inbound(ProtocolConnection connection, InboundChannel first) {
    this.connection = connection;
    at = first;
    plainType = connection.context.options().plainType();
    state = plainType == null ? State.PREAMBLE : State.PLAIN_COUNT;
    small.limit(plainType == null ? Preamble.BYTES : 4);
  }

  void agreed(boolean withChecksums) {
    checksums = withChecksums;
  }

  long bytesReceived() {
    return bytesReceived;
  }

  /** Bytes of elements that have come, of all arrays; for any thread. */
  long elementBytes() {
    return elementBytes;
  }

  /** Frames of arrays that have begun; for any thread. */
  int arrayFrames() {
    return arrayFrames;
  }

  SocketAddress peer() {
    return connection.remoteAddress();
  }

  /** Changes when something of an array comes; for any thread. */
  int moves() {
    return moves;
  }

  /** Odd inside a frame, another number for each; for any thread. */
  int frameEdges() {
    return frameEdges;
  }

  boolean hasMovedArrays() {
    return movedArrays;
  }

  boolean isInsideArray() {
    return arrivingArrays > 0;
  }

  /** What was read, by one operation if {@code fresh}, or is being looked at again. */
  boolean accept(ByteBuffer in, boolean fresh) throws ArraywireException {
    if (fresh) {
      operation++;
    }
    int before = in.position();
    try {
      return accept(in);
    } finally {
      bytesReceived += in.position() - before;
    }
  }

  @SuppressWarnings("ReferenceEquality") // It is that very header that must stay empty.
  private boolean accept(ByteBuffer in) throws ArraywireException {
    copiesOfWindow = (byte) connection.context.copies(in.isDirect());
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
          byte[] message = gathered();
          Preamble first = preamble;
          if (first == null) {
            throw new IllegalStateException("a message without its preamble");
          }
          first.checkMessage(message);
          preamble = null;
          expect(State.HEADER, FrameLayout.HEADER_BYTES);
          connection.handshake(first, HandshakeMessage.read(message));
        }
        case HEADER -> {
          if (!in.hasRemaining() && small.position() == 0) {
            giveScratchBack();
            return true;
          }
          if (!gather(in)) {
            return true;
          }
          if (header == NO_HEADER) {
            takeScratch();
          }
          header.read(small.flip());
          header();
        }
        case CONTROL_BODY -> {
          if (!gather(in)) {
            return true;
          }
          byte[] body = gathered();
          checkChecksum(body);
          expect(State.HEADER, FrameLayout.HEADER_BYTES);
          controlBody(body);
        }
        case ATTRIBUTES -> {
          if (!gather(in)) {
            return true;
          }
          byte[] body = gathered();
          checksum().update(body);
          carries(AttributesBody.readEnvelope(header.tag, body));
        }
        case PLACE -> {
          if (!place()) {
            return false;
          }
        }
        case PREFIX -> {
          countOperations(arrival());
          if (!gather(in)) {
            return true;
          }
          byte[] prefix = gathered();
          checksum().update(prefix);
          InboundArray array = array();
          codec().encoding().checkPrefix(array.type(), array.count(), ByteBuffer.wrap(prefix));
          frameRemaining -= prefix.length;
          at.arrayReceived += prefix.length;
          state = State.ELEMENTS;
          if (frameRemaining == 0) {
            endFrame();
          }
        }
        case ELEMENTS -> {
          if (!elements(in)) {
            return true;
          }
        }
        case PLAIN_COUNT -> {
          if (!gather(in)) {
            return true;
          }
          plainCount(small.flip().order(ByteOrder.BIG_ENDIAN).getInt());
        }
        case ENDED -> {
          in.position(in.limit());
          return true;
        }
      }
    }
  }

  void ignoreFurther() {
    state = State.ENDED;
  }

  /** The stream ended; throws if that was inside of something. */
  void streamEnded() throws TruncatedException {
    if (state == State.ENDED || peerSaidGoodbye) {
      return;
    }
    InboundChannel broken = connection.channels.insideArray();
    if (broken != null) {
      at = broken;
      throw new TruncatedException(
          "the stream ended inside an array; no part of it was delivered",
          "received",
          at.arrayReceived,
          "expected",
          at.arrayBytes,
          "sequence",
          array().sequence());
    }
    if ((state != State.HEADER && state != State.PLAIN_COUNT) || small.position() > 0) {
      String text =
          switch (state) {
            case PREAMBLE ->
                "the peer closed the connection during the handshake; it may be in plain mode, or"
                    + " no Arraywire peer";
            case MESSAGE -> "the peer closed the connection during the handshake";
            default -> "the stream ended inside a frame";
          };
      throw new TruncatedException(text, "received", small.position(), "expected", small.limit());
    }
  }

  /** The most that should be read next, so that a strategy or a lease is not read past. */
  int readLimit() {
    Codec arriving = at.codec;
    Codec current = arriving == null ? connection.context.firstCodec() : arriving;
    boolean elementwise = current.traits().elementwise();
    if (state == State.ELEMENTS) {
      if (elementwise) {
        int width = current.encoding().elementBytes(array().type());
        return (int) Math.min(width, frameRemaining);
      }
      if (isLease() || arrayRoom() > 0) {
        // What follows the payload, which goes to directSpace, is a header.
        return FrameLayout.HEADER_BYTES;
      }
      return Integer.MAX_VALUE;
    }
    if (state != State.ENDED
        && (elementwise || at.next.leaseIsNext() || isLease() || expectsLarge())) {
      return Math.max(1, small.remaining());
    }
    return Integer.MAX_VALUE;
  }

  long payloadRemaining() {
    return state == State.ELEMENTS ? frameRemaining : 0;
  }

  private boolean isLease() {
    InboundArray arrival = at.arrival;
    return arrival != null && arrival.sink.isPooled();
  }

  /** How much of the array that is arriving can still go straight into its own memory. */
  private int arrayRoom() {
    InboundArray arrival = at.arrival;
    return arrival != null && isArrayDirect(at.arrayBytes) ? arrival.sink.arrayRoom() : 0;
  }

  /** Whether what comes next is best not read beyond its header. */
  private boolean expectsLarge() {
    if (at.arrival != null) {
      return arrayRoom() > 0;
    }
    return state == State.HEADER
        && (lastWasLarge || isArrayDirect(at.next.bytesOfNextTarget()))
        && isArrayDirect(Long.MAX_VALUE);
  }

  private boolean isArrayDirect(long arrayBytes) {
    return !checksums && connection.isArrayDirect(arrayBytes);
  }

  /** How many of the next bytes go straight into an array's own memory; 0 if none do. */
  int arrayBytes() {
    return state == State.ELEMENTS ? (int) Math.min(frameRemaining, arrayRoom()) : 0;
  }

  /** Has the channel read into the array; returns what it returned. */
  long acceptArray(ArrayIo io, int atMost) throws ArraywireException, IOException {
    InboundArray into = arrival();
    long read;
    try {
      read = into.sink.fill(io, atMost);
    } catch (OutOfMemoryError e) {
      throw Failures.noMemoryFor(array().header(), e);
    }
    if (read > 0) {
      operation++;
      bytesReceived += read;
      payloadCame(into, read);
    }
    return read;
  }

  /** Memory that the next payload bytes can be read into by the channel itself, or null. */
  @Nullable ByteBuffer directSpace() {
    InboundArray lease = at.arrival;
    if (state != State.ELEMENTS || lease == null || frameRemaining == 0) {
      return null;
    }
    return lease.sink.space(frameRemaining);
  }

  /** The channel has read into the direct space. */
  void acceptDirect(ByteBuffer space, int bytes) throws ArraywireException {
    operation++;
    bytesReceived += bytes;
    if (checksums) {
      ByteBuffer read = space.duplicate();
      read.position(space.position() - bytes).limit(space.position());
      checksum().update(read);
    }
    InboundArray lease = arrival();
    lease.sink.advance(bytes);
    lease.sink.countCopies(connection.context.copies(space.isDirect()), bytes);
    payloadCame(lease, bytes);
  }

  /** Bytes of an array have found their place; returns whether the frame is over. */
  private boolean payloadCame(InboundArray into, long bytes) throws ArraywireException {
    into.wireBytes += bytes;
    elementBytes += bytes;
    moves++;
    countOperations(into);
    frameRemaining -= bytes;
    at.arrayReceived += bytes;
    if (frameRemaining > 0) {
      return false;
    }
    endFrame();
    return true;
  }

  private CRC32C checksum() {
    if (checksum == null) {
      checksum = new CRC32C();
    }
    return checksum;
  }

  private Codec codec() {
    Codec codec = at.codec;
    if (codec == null) {
      throw new IllegalStateException("no array is arriving");
    }
    return codec;
  }

  private InboundArray array() {
    InboundArray arriving = at.arriving;
    if (arriving == null) {
      throw new IllegalStateException("no array is arriving");
    }
    return arriving;
  }

  private InboundArray arrival() {
    InboundArray arrival = at.arrival;
    if (arrival == null) {
      throw new IllegalStateException("no array has its place");
    }
    return arrival;
  }

  /** Counts the operations since the last one counted that brought bytes of an array. */
  private void countOperations(InboundArray array) {
    long counted = Math.max(at.countedOperation, frameOperation - 1);
    array.operations += operation - counted;
    at.countedOperation = operation;
  }

  // Gathering what is small and fixed in size.

  private void expect(State next, int bytes) {
    state = next;
    if (next == State.HEADER && (frameEdges & 1) == 1) {
      frameEdges++;
    }
    if (small.capacity() < bytes || small.capacity() > FrameLayout.HEADER_BYTES) {
      small =
          scratch != null && bytes <= FrameLayout.HEADER_BYTES
              ? scratch.small()
              : ByteBuffer.allocate(Math.max(bytes, FrameLayout.HEADER_BYTES));
    }
    small.clear().limit(bytes);
  }

  @SuppressWarnings("ReferenceEquality") // It is that very buffer that must stay empty.
  private boolean gather(ByteBuffer in) throws ArraywireException {
    if (small == NO_BYTES) {
      takeScratch();
    }
    int before = small.position();
    if (before == 0 && (state == State.HEADER || state == State.PLAIN_COUNT)) {
      frameOperation = operation;
    }
    int portion = Math.min(in.remaining(), small.remaining());
    int limit = in.limit();
    in.limit(in.position() + portion);
    small.put(in);
    in.limit(limit);
    if (before == 0 && portion > 0 && state == State.HEADER) {
      frameEdges++;
    }
    if (before < 4 && small.position() >= 4) {
      if (state == State.HEADER) {
        FrameHeader.checkMagic(small, 0);
      } else if (state == State.PREAMBLE) {
        Preamble.checkMagic(small, 0);
      }
    }
    return !small.hasRemaining();
  }

  /** Takes what reading a frame needs; an idle connection holds none of it. */
  @SuppressWarnings("ReferenceEquality") // They are those that must stay empty.
  private void takeScratch() {
    FrameScratch taken = scratch;
    if (taken == null) {
      taken = connection.context.scratches().take();
      scratch = taken;
    }
    header = taken.header();
    if (small == NO_BYTES) {
      small = taken.small().clear();
    }
  }

  private void giveScratchBack() {
    header = NO_HEADER;
    small = NO_BYTES;
    FrameScratch given = scratch;
    if (given != null) {
      scratch = null;
      connection.context.scratches().giveBack(given);
    }
  }

  private byte[] gathered() {
    if (small.limit() == 0) {
      return NO_REST;
    }
    byte[] bytes = new byte[small.limit()];
    small.flip().get(bytes);
    return bytes;
  }

  // Frames.

  private void header() throws ArraywireException {
    connection.frameCame();
    movedArrays = header.type != FrameType.PING && header.type != FrameType.PONG;
    if (header.type == FrameType.CREDIT && !connection.channels.keepsCredit()) {
      throw new UnknownCodeException(
          "credit, which was not agreed on in the handshake", "type", FrameType.CREDIT.code());
    }
    if (header.type == FrameType.CANCEL && !connection.keepsRequests()) {
      throw new UnknownCodeException(
          "a cancelled request, though requests were not agreed on in the handshake",
          "type",
          FrameType.CANCEL.code());
    }
    if (header.type.code() >= FrameType.SUBSCRIBE.code() && !connection.keepsSubscriptions()) {
      throw new UnknownCodeException(
          "a subscription, though subscriptions were not agreed on in the handshake",
          "type",
          header.type.code());
    }
    at = connection.channels.ofFrame(header.channel, at);
    if (header.has(FrameLayout.FLAG_ACKNOWLEDGES)) {
      connection.acknowledged(at.id, header.acknowledged);
    }
    if (checksum != null) {
      checksum.reset();
    }
    wireBytesBefore = FrameLayout.HEADER_BYTES;
    switch (header.type) {
      case ARRAY -> arrayHeader();
      case CHUNK -> chunkHeader();
      default -> {
        if (header.payloadBytes > FrameLayout.MAX_CONTROL_BYTES || header.attributeBytes != 0) {
          throw new FrameTooLargeException(
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
    }
  }

  private void controlBody(byte[] body) throws ArraywireException {
    switch (header.type) {
      case SUBSCRIBE -> connection.subscriptions().subscribed(at.id, body);
      case SUBSCRIBED -> connection.subscriptions().begun(at.id);
      case UNSUBSCRIBE -> connection.subscriptions().unsubscribed(at.id);
      case UNSUBSCRIBED -> connection.subscriptions().ended(at, body);
      case CANCEL -> connection.requests().cancelledByPeer(header.tag);
      case ACK -> connection.acknowledgedAll(at.id, header.sequence);
      case CREDIT -> connection.credited(at.id, header.tag, header.count);
      case REJECTED -> connection.rejected(at.id, header.sequence, FaultBody.read(body));
      case PING -> {
        connection.useless(header.type);
        connection.pong(header.tag);
      }
      case PONG -> connection.useless(header.type); // A sign of life, by its coming.
      case ERROR -> throw FaultBody.read(body);
      case ABORT -> abort();
      case GOODBYE -> goodbye();
      case ARRAY, CHUNK -> throw new IllegalStateException("not a control frame");
    }
  }

  private void goodbye() throws ProtocolException {
    if (peerSaidGoodbye) {
      connection.useless(FrameType.GOODBYE);
      return;
    }
    InboundChannel inside = connection.channels.insideArray();
    if (inside != null) {
      at = inside;
      throw new UnexpectedFrameException(
          "a goodbye inside an array", "sequence", array().sequence());
    }
    peerSaidGoodbye = true;
    connection.termination().peerSaidGoodbye();
  }

  private void abort() throws ProtocolException {
    if (at.arriving == null || header.sequence != array().sequence()) {
      throw new UnexpectedFrameException(
          "an array was withdrawn that is not arriving",
          "sequence",
          header.sequence,
          "arriving",
          at.arriving == null ? "none" : array().sequence());
    }
    if (at.arrayReceived < EffectlessFrames.LEAST_ABORTED_BYTES) {
      connection.useless(FrameType.ABORT);
    }
    at.inbox.aborted(arrival());
    arrivingArrays--;
    at.ends();
  }

  private void arrayHeader() throws ArraywireException {
    if (peerSaidGoodbye) {
      throw new UnexpectedFrameException("an array after a goodbye", "sequence", header.sequence);
    }
    if (at.arriving != null) {
      throw new UnexpectedFrameException(
          "an array inside an array", "sequence", header.sequence, "arriving", array().sequence());
    }
    at.inbox = at.next;
    ElementType type = ElementType.fromCode(header.elementType);
    Codec decoder = connection.context.decoder(header.encoding);
    if (decoder == null) {
      throw new UnknownCodeException(
          "an encoding that was not agreed",
          "encoding",
          header.encoding,
          "agreed",
          connection.context.offer().encodingNames());
    }
    Encoding encoding = decoder.encoding();
    if (type == null || !encoding.supports(type)) {
      throw new UnknownCodeException(
          "an element type that was not agreed",
          "elementType",
          type == null ? header.elementType : type.javaName(),
          "encoding",
          encoding.name());
    }
    checkSizes(encoding, type);
    if (header.sequence != at.nextSequence) {
      throw new SequenceGapException(
          "an array out of order", "sequence", header.sequence, "expected", at.nextSequence);
    }
    checkFlag();
    charge(true, FrameLayout.ARRAY_COST + header.attributeBytes);
    at.nextSequence++;
    at.codec = decoder;
    at.encodingCode = header.encoding;
    at.arrayBytes = header.arrayBytes;
    at.arrayReceived = 0;
    frameRemaining = header.payloadBytes;
    if (header.attributeBytes > 0) {
      wireBytesBefore += header.attributeBytes;
      expect(State.ATTRIBUTES, header.attributeBytes);
    } else {
      begins();
      array().tagged(header.tag);
      state = State.PLACE;
    }
  }

  /** Length within limits, then count times size against length, in long arithmetic. */
  private void checkSizes(Encoding encoding, ElementType type) throws ProtocolException {
    long maxArrayBytes = connection.context.options().maxArrayBytes();
    if (header.attributeBytes > FrameLayout.MAX_ATTRIBUTE_BYTES) {
      throw new FrameTooLargeException(
          "too many attribute bytes",
          "declared",
          header.attributeBytes,
          "limit",
          FrameLayout.MAX_ATTRIBUTE_BYTES);
    }
    // Lengths on the wire are unsigned: what looks negative is larger than any limit.
    if (header.arrayBytes < 0 || header.arrayBytes > maxArrayBytes) {
      throw new FrameTooLargeException(
          "the array is larger than this side accepts (raise maxArrayBytes here)",
          "declared",
          Long.toUnsignedString(header.arrayBytes),
          "limit",
          maxArrayBytes);
    }
    checkFrameBytes();
    if (header.count < 0) {
      throw new BadLengthException(
          "an impossible element count", "count", Long.toUnsignedString(header.count));
    }
    int width = encoding.elementBytes(type);
    boolean overflows = Math.multiplyHigh(header.count, width) != 0 || header.count * width < 0;
    if (overflows || header.count * width > header.arrayBytes) {
      throw countMismatch(width);
    }
    if (header.count > MOST_ELEMENTS) {
      throw new FrameTooLargeException(
          "more elements than a Java array can hold",
          "declared",
          header.count,
          "limit",
          MOST_ELEMENTS);
    }
    int count = (int) header.count;
    if (encoding.encodedBytes(type, count) != header.arrayBytes) {
      throw countMismatch(width);
    }
    int prefix = encoding.prefixBytes(type, count);
    int least = prefix + (count > 0 ? width : 0);
    if (header.payloadBytes < least || header.payloadBytes > header.arrayBytes) {
      throw new BadLengthException(
          "the first chunk of an array is too short or too long",
          "payloadBytes",
          header.payloadBytes,
          "least",
          least,
          "most",
          header.arrayBytes);
    }
    checkWholeElements(header.payloadBytes - prefix, width);
  }

  private void checkFrameBytes() throws FrameTooLargeException {
    int maxFrameBytes = connection.context.options().maxFrameBytes();
    if (header.payloadBytes > maxFrameBytes) {
      throw new FrameTooLargeException(
          "the frame is larger than this side accepts (raise maxFrameBytes here)",
          "declared",
          header.payloadBytes,
          "limit",
          maxFrameBytes);
    }
  }

  private CountMismatchException countMismatch(int width) {
    return new CountMismatchException(
        "element count, element size and byte length do not agree",
        "count",
        header.count,
        "elementBytes",
        width,
        "arrayBytes",
        header.arrayBytes);
  }

  private void checkWholeElements(long bytes, int width) throws CountMismatchException {
    if (bytes % width != 0) {
      throw new CountMismatchException(
          "a chunk does not end with an element", "bytes", bytes, "elementBytes", width);
    }
  }

  /** Takes the cost of a frame of an array from the peer's credit. */
  private void charge(boolean begins, int overhead) throws ArraywireException {
    arrayFrames++;
    if (!at.inbox.charge(begins, overhead, header.payloadBytes)) {
      throw new CreditExceededException(
          "the peer sent more than it was allowed to",
          "channel",
          at.id,
          "bytes",
          overhead + header.payloadBytes,
          "allowed",
          at.inbox.creditLeft());
    }
    long left = at.arrayBytes - at.arrayReceived;
    if (!begins && header.payloadBytes < LEAST_USEFUL_BYTES && header.payloadBytes < left) {
      connection.useless(header.type);
    }
    if (at.inbox.isOverBudget()) {
      throw new MemoryBudgetException(
          "the connections of this side hold more arrays that nobody has taken than there is memory"
              + " for; take them faster, lower connectionInboxBytes, or have fewer connections",
          "channel",
          at.id,
          "leftForInboxes",
          connection.context.inboxBudget().leftInWords());
    }
  }

  private void checkFlag() throws UnexpectedFrameException {
    if (header.has(FrameLayout.FLAG_PAYLOAD_CHECKSUM) != checksums) {
      throw new UnexpectedFrameException(
          checksums
              ? "a payload without the checksum that was agreed"
              : "a payload with a checksum that was not agreed");
    }
  }

  private void chunkHeader() throws ArraywireException {
    if (at.arriving == null) {
      throw new UnexpectedFrameException("a chunk without an array", "sequence", header.sequence);
    }
    InboundArray array = array();
    if (header.encoding != at.encodingCode
        || header.elementType != array.type().code()
        || header.count != array.count()
        || header.attributeBytes != 0) {
      throw new UnexpectedFrameException(
          "a chunk that does not belong to the array that is arriving",
          "sequence",
          header.sequence);
    }
    if (header.arrayBytes < 0) {
      throw new BadLengthException(
          "an impossible offset", "offset", Long.toUnsignedString(header.arrayBytes));
    }
    checkFrameBytes();
    if (header.payloadBytes == 0 || header.payloadBytes > at.arrayBytes - at.arrayReceived) {
      throw new BadLengthException(
          "a chunk is empty or longer than what is left of its array",
          "payloadBytes",
          header.payloadBytes,
          "left",
          at.arrayBytes - at.arrayReceived);
    }
    checkWholeElements(header.payloadBytes, codec().encoding().elementBytes(array.type()));
    if (header.sequence != array.sequence() || header.arrayBytes != at.arrayReceived) {
      throw new SequenceGapException(
          "a chunk out of order",
          "sequence",
          header.sequence,
          "expected",
          array.sequence(),
          "offset",
          header.arrayBytes,
          "expectedOffset",
          at.arrayReceived);
    }
    checkFlag();
    charge(false, 0);
    frameRemaining = header.payloadBytes;
    arrival().wireBytes += FrameLayout.HEADER_BYTES;
    countOperations(arrival());
    state = State.ELEMENTS;
  }

  private void plainCount(int count) throws ArraywireException {
    ElementType type = plainType;
    if (type == null) {
      throw new IllegalStateException("not in plain mode");
    }
    if (count < 0) {
      throw new BadLengthException("a negative element count", "count", count);
    }
    at.codec = connection.context.plainCodec();
    at.arrayBytes = (long) count * type.bytes();
    long limit = connection.context.options().maxArrayBytes();
    if (at.arrayBytes > limit || count > MOST_ELEMENTS) {
      throw new FrameTooLargeException(
          "the array is larger than this side accepts (raise maxArrayBytes here)",
          "declared",
          at.arrayBytes,
          "count",
          count,
          "limit",
          limit);
    }
    at.arrayReceived = 0;
    frameRemaining = at.arrayBytes;
    wireBytesBefore = 4;
    InboundArray arriving = at.inbox.arrival();
    arriving.begins(type, count, at.nextSequence++, at.id, at.arrayBytes);
    arrivingArrays++;
    at.arriving = arriving;
    state = State.PLACE;
  }

  /** An array begins of which the header says what it is. */
  private void begins() {
    ElementType type = ElementType.fromCode(header.elementType);
    if (type == null) {
      throw new IllegalStateException("checked before");
    }
    InboundArray arriving = at.inbox.arrival();
    arriving.begins(type, (int) header.count, header.sequence, at.id, header.arrayBytes);
    arrivingArrays++;
    at.arriving = arriving;
  }

  /** What travels with the array that begins. */
  private void carries(ArrayEnvelope envelope) throws ProtocolException {
    ArrayAttributes attributes = envelope.attributes();
    if (!attributes.shapeHolds(header.count)) {
      throw new CountMismatchException(
          "the shape does not hold as many elements as there are",
          "attributes",
          attributes,
          "count",
          header.count);
    }
    connection.checkRequest(envelope, header.count);
    long dropped = connection.checkPublication(envelope, at.id);
    begins();
    array().carries(envelope, dropped);
    state = State.PLACE;
  }

  /** All checks are passed: finds memory, or says that reading must stop. */
  private boolean place() throws ArraywireException {
    InboundArray placed;
    try {
      placed = at.inbox.admit(array(), codec(), connection.isPeerTrusted());
    } catch (OutOfMemoryError e) {
      throw Failures.noMemoryFor(array().header(), e);
    }
    if (placed == null) {
      return false;
    }
    at.arrival = placed;
    placed.wireBytes = wireBytesBefore;
    at.countedOperation = 0;
    countOperations(placed);
    int prefix = codec().encoding().prefixBytes(array().type(), array().count());
    if (prefix > 0) {
      placed.wireBytes += prefix;
      expect(State.PREFIX, prefix);
    } else {
      state = State.ELEMENTS;
      if (frameRemaining == 0) {
        endFrame();
      }
    }
    return true;
  }

  /** Takes element bytes; returns whether the frame is over. */
  private boolean elements(ByteBuffer in) throws ArraywireException {
    int portion = (int) Math.min(in.remaining(), frameRemaining);
    if (portion == 0) {
      return false;
    }
    if (checksums) {
      int limit = in.limit();
      int position = in.position();
      in.limit(position + portion);
      checksum().update(in);
      in.limit(limit).position(position);
    }
    InboundArray into = arrival();
    try {
      into.sink.put(in, portion);
    } catch (OutOfMemoryError e) {
      throw Failures.noMemoryFor(array().header(), e);
    }
    into.sink.countCopies(copiesOfWindow, portion);
    return payloadCame(into, portion);
  }

  private void endFrame() throws ArraywireException {
    if (plainType == null) {
      checkChecksum(NO_REST);
    }
    if (plainType == null) {
      expect(State.HEADER, FrameLayout.HEADER_BYTES);
    } else {
      expect(State.PLAIN_COUNT, 4);
    }
    if (at.arrayReceived == at.arrayBytes) {
      InboundArray whole = arrival();
      lastWasLarge = isArrayDirect(at.arrayBytes);
      arrivingArrays--;
      at.ends();
      at.inbox.complete(whole);
    }
  }

  private void checkChecksum(byte[] rest) throws PayloadChecksumException {
    if (!header.has(FrameLayout.FLAG_PAYLOAD_CHECKSUM)) {
      return;
    }
    checksum().update(rest);
    int computed = (int) checksum().getValue();
    if (computed != header.payloadChecksum) {
      throw new PayloadChecksumException(
          "a payload was damaged on its way; it was not delivered",
          "sequence",
          header.sequence,
          "declared",
          "0x" + Integer.toHexString(header.payloadChecksum),
          "computed",
          "0x" + Integer.toHexString(computed));
    }
  }
}
