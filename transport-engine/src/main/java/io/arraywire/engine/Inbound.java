package io.arraywire.engine;

import io.arraywire.ArraywireException;
import io.arraywire.ProtocolException;
import io.arraywire.frame.FrameHeader;
import io.arraywire.frame.FrameLayout;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The incoming half of a connection: takes bytes in whatever portions they come and makes arrays of
 * them. This class puts the elements where they belong; what stands around them is read by {@link
 * FrameReader} or, in plain mode, {@link PlainReader}.
 *
 * <p>Every value is checked before the next may be used, in the order that {@code docs/protocol.md}
 * prescribes; memory is taken only after all checks. The reading thread's alone.
 */
abstract class Inbound extends InboundPortion {
  /** The part of the stream that is expected. In plain mode the header is an element count. */
  enum State {
    PREAMBLE,
    MESSAGE,
    ANSWER,
    HEADER,
    CONTROL_BODY,
    ATTRIBUTES,
    PLACE,
    PREFIX,
    ELEMENTS,
    BLOCK_HEAD,
    BLOCK,
    ZEROS,
    ENDED
  }

  /** These stand for what an idle connection does not hold, and are never written to. */
  private static final FrameHeader NO_HEADER = new FrameHeader();

  private static final ByteBuffer NO_BYTES = ByteBuffer.allocate(FrameLayout.HEADER_BYTES);
  private static final byte[] NO_REST = {};

  final InboundScope scope;

  FrameHeader header = NO_HEADER;
  private @Nullable FrameScratch scratch;

  State state;
  ByteBuffer small = ByteBuffer.allocate(FrameLayout.HEADER_BYTES);

  boolean checksums;

  /** Whether the peer has said who it is. Any thread asks. */
  volatile boolean peerTrusted;

  /** The channel of the frame that is being looked at; how many have an array arriving. */
  InboundChannel at;

  private int arrivingArrays;
  long frameRemaining;

  /** How many bytes of the frame follow the block, or the raw part, that is being read. */
  long behindBlock;

  int wireBytesBefore;

  // The read operation that is being looked at.
  private long operation;

  /** The one that brought the first byte of the frame. */
  private long frameOperation;

  byte copiesOfWindow;

  /** Whether what came last was an array or an answer to one, and not a heartbeat. */
  boolean movedArrays;

  /** Whether the last array was worth moving array-direct, so that the next one may be, too. */
  boolean lastWasLarge;

  private long bytesReceived;

  /** Bytes of elements that have come, as on the wire, of all arrays; for any thread. */
  long elementBytes;

  /** Frames of arrays that have begun, which may overflow; for any thread. */
  int arrayFrames;

  /** Whether the connection's lock is held for an array that is small. */
  boolean locked;

  /**
   * How often elements of arrays came; for any thread. May overflow: only changes of it matter, and
   * an idle connection is small.
   */
  short moves;

  /** How many frames have begun and how many have ended: odd while a part of one has come. */
  private int frameEdges;

  Inbound(InboundScope scope, InboundChannel first, State begin, int bytes) {
    this.scope = scope;
    at = first;
    state = begin;
    small.limit(bytes);
  }

  /** The reader that a transport's options ask for. */
  static Inbound of(FrameScope scope, InboundChannel first) {
    return scope.context().options().plainType() == null
        ? new FrameReader(scope, first)
        : new PlainReader(scope, first);
  }

  void agreed(boolean withChecksums) {
    checksums = withChecksums;
  }

  final long bytesReceived() {
    return bytesReceived;
  }

  final SocketAddress peer() {
    return scope.remoteAddress();
  }

  /** Odd inside a frame, another number for each; for any thread. */
  final int frameEdges() {
    return frameEdges;
  }

  final boolean isInsideArray() {
    return arrivingArrays > 0;
  }

  /** What was read, by one operation if {@code fresh}, or is being looked at again. */
  final boolean accept(ByteBuffer in, boolean fresh) throws ArraywireException {
    if (fresh) {
      operation++;
    }
    int before = in.position();
    copiesOfWindow = (byte) scope.context().copies(in.isDirect());
    beginPortion();
    try {
      return take(in);
    } finally {
      bytesReceived += in.position() - before;
    }
  }

  /** Takes bytes; returns false if reading must stop and what is left be kept. */
  abstract boolean take(ByteBuffer in) throws ArraywireException;

  /** The frame is over and was checked, and another may follow; false if a block follows in it. */
  abstract boolean frameEnds() throws ArraywireException;

  /** Checks the first bytes of the part that is expected. */
  abstract void checkBegin() throws ArraywireException;

  final void ignoreFurther() {
    state = State.ENDED;
  }

  /** The stream ended; throws if that was inside of something. */
  abstract void streamEnded() throws ProtocolException;

  // How to read on.

  final long payloadRemaining() {
    return state == State.ELEMENTS ? frameRemaining : 0;
  }

  final boolean isLease() {
    InboundArray array = at.arriving;
    return array != null && array.sink.isPooled();
  }

  /** How much of the array that is arriving can still go straight into its own memory. */
  final int arrayRoom() {
    InboundArray array = at.arriving;
    boolean asItLies = at.blocks == null || state == State.ELEMENTS;
    return array != null && array.isPlaced() && asItLies && isArrayDirect(at.arrayBytes)
        ? array.sink.arrayRoom()
        : 0;
  }

  final boolean isArrayDirect(long arrayBytes) {
    return !checksums && ArrayDirect.pays(arrayBytes, scope.link());
  }

  /** How many of the next bytes go straight into an array's own memory; 0 if none do. */
  final int arrayBytes() {
    return state == State.ELEMENTS ? (int) Math.min(frameRemaining, arrayRoom()) : 0;
  }

  /** Has the channel read into the array; returns what it returned. */
  final long acceptArray(ArrayIo io, int atMost) throws ArraywireException, IOException {
    InboundArray into = at.array();
    long read;
    try {
      read = into.sink.fill(io, atMost);
    } catch (OutOfMemoryError e) {
      throw Failures.noMemoryFor(into.header(), e);
    }
    if (read > 0) {
      operation++;
      bytesReceived += read;
      payloadCame(into, read, read);
    }
    return read;
  }

  /** Memory that the next payload bytes can be read into by the channel itself, or null. */
  final @Nullable ByteBuffer directSpace() {
    InboundArray lease = at.arriving;
    if (state != State.ELEMENTS || lease == null || frameRemaining == 0) {
      return null;
    }
    return lease.sink.space(frameRemaining);
  }

  /** The channel has read into the direct space. */
  final void acceptDirect(ByteBuffer space, int bytes) throws ArraywireException {
    operation++;
    bytesReceived += bytes;
    if (checksums) {
      ByteBuffer read = space.duplicate();
      read.position(space.position() - bytes).limit(space.position());
      checksum().update(read);
    }
    InboundArray lease = at.array();
    lease.sink.advance(bytes);
    lease.sink.countCopies(scope.context().copies(space.isDirect()), bytes);
    payloadCame(lease, bytes, bytes);
  }

  // Arrays.

  /** An array begins of which all is known but its place. */
  final void begins(InboundArray array) {
    arrivingArrays++;
    at.arriving = array;
  }

  /** The array has its place; its elements follow, or what stands before them. */
  final void placed() throws ArraywireException {
    InboundArray array = at.array();
    array.wireBytes = wireBytesBefore;
    at.countedOperation = 0;
    countOperations(array);
    int prefix = at.codec().encoding().prefixBytes(array.type(), array.count());
    if (prefix > 0) {
      array.wireBytes += prefix;
      expect(State.PREFIX, prefix);
    } else {
      elementsFollow();
    }
  }

  void elementsFollow() throws ArraywireException {
    state = State.ELEMENTS;
    if (frameRemaining == 0) {
      endFrame();
    }
  }

  /** Takes what stands before the elements; returns whether it is whole. */
  final boolean prefix(ByteBuffer in) throws ArraywireException {
    InboundArray array = at.array();
    countOperations(array);
    if (!gather(in)) {
      return false;
    }
    byte[] prefix = gathered();
    checksum().update(prefix);
    at.codec().encoding().checkPrefix(array.type(), array.count(), ByteBuffer.wrap(prefix));
    frameRemaining -= prefix.length;
    at.arrayReceived += prefix.length;
    elementsFollow();
    return true;
  }

  /** Takes element bytes; returns whether the frame is over. */
  final boolean elements(ByteBuffer in) throws ArraywireException {
    int portion = (int) Math.min(in.remaining(), frameRemaining);
    if (portion == 0) {
      return false;
    }
    if (checksums) {
      FrameScratch.update(checksum(), in, portion);
    }
    InboundArray into = at.array();
    try {
      if (locked) {
        into.sink.putWithLock(in, portion);
      } else {
        into.sink.put(in, portion);
      }
    } catch (OutOfMemoryError e) {
      throw Failures.noMemoryFor(into.header(), e);
    }
    into.sink.countCopies(copiesOfWindow, portion);
    return payloadCame(into, portion, portion);
  }

  /** Bytes of an array have found their place, as that many of plain elements. */
  final boolean payloadCame(InboundArray into, long bytes, long plain) throws ArraywireException {
    into.wireBytes += bytes;
    if (state != State.BLOCK) {
      came(bytes);
    }
    countOperations(into);
    frameRemaining -= bytes;
    at.arrayReceived += plain;
    if (frameRemaining > 0) {
      return false;
    }
    endFrame();
    return true;
  }

  /** Bytes of elements have come, though it may be that they make none yet. */
  final void came(long bytes) {
    at.came += bytes;
    elementBytes += bytes;
    moves++;
  }

  /** The content of a frame, or of one block in it, is in its place. */
  final void endFrame() throws ArraywireException {
    if (frameEnds() && at.arrayReceived == at.arrayBytes) {
      InboundArray whole = at.array();
      lastWasLarge = at.blocks == null && isArrayDirect(at.arrayBytes);
      over();
      if (locked) {
        Runnable unused = at.inbox.completed(whole);
      } else {
        at.inbox.complete(whole);
      }
    }
  }

  /** The array is complete, or was withdrawn. */
  final void over() {
    arrivingArrays--;
    at.ends();
  }

  /** Counts the operations since the last one counted that brought bytes of an array. */
  final void countOperations(InboundArray array) {
    long counted = Math.max(at.countedOperation, frameOperation - 1);
    array.operations += operation - counted;
    at.countedOperation = operation;
  }

  // Checksums.

  final CRC32C checksum() {
    return takeScratch().checksum();
  }

  final void resetChecksum() {
    if (scratch != null) {
      scratch.checksum().reset();
    }
  }

  // Gathering what is small and fixed in size.

  final void expect(State next, int bytes) {
    state = next;
    if (next == State.HEADER && (frameEdges & 1) == 1) {
      frameEdges++;
    }
    // Attributes may be many: their memory grows as they come.
    int first = next == State.ATTRIBUTES ? Math.min(bytes, FrameScratch.FIRST_BYTES) : bytes;
    if (small.capacity() < first || small.capacity() > FrameLayout.HEADER_BYTES) {
      small =
          scratch != null && first <= FrameLayout.HEADER_BYTES
              ? scratch.small()
              : ByteBuffer.allocate(Math.max(first, FrameLayout.HEADER_BYTES));
    }
    small.clear().limit(first);
  }

  @SuppressWarnings("ReferenceEquality") // It is that very buffer that must stay empty.
  final boolean gather(ByteBuffer in) throws ArraywireException {
    if (small == NO_BYTES) {
      takeScratch();
    }
    int before = small.position();
    if (before == 0 && state == State.HEADER) {
      frameOperation = operation;
    }
    int whole = state == State.ATTRIBUTES ? header.attributeBytes : small.limit();
    small = FrameScratch.gather(in, small, whole);
    if (before < Integer.BYTES && small.position() >= Integer.BYTES) {
      checkBegin();
    }
    return !small.hasRemaining();
  }

  /** The first byte of a frame is there, whose end {@link #expect} notes. */
  final void frameBegins() {
    frameEdges++;
  }

  /** Takes what reading a frame needs; an idle connection holds none of it. */
  @SuppressWarnings("ReferenceEquality") // They are those that must stay empty.
  final FrameScratch takeScratch() {
    FrameScratch taken = scratch;
    if (taken == null) {
      taken = scope.context().scratches().take();
      taken.checksum().reset();
      scratch = taken;
    }
    header = taken.header();
    if (small == NO_BYTES) {
      small = taken.small().clear();
    }
    return taken;
  }

  @SuppressWarnings("ReferenceEquality") // It is that very header that must stay empty.
  final boolean lacksHeader() {
    return header == NO_HEADER;
  }

  final void giveScratchBack() {
    header = NO_HEADER;
    small = NO_BYTES;
    FrameScratch given = scratch;
    if (given != null) {
      scratch = null;
      given.blocks().rest();
      scope.context().scratches().giveBack(given);
    }
  }

  final byte[] gathered() {
    if (small.limit() == 0) {
      return NO_REST;
    }
    byte[] bytes = new byte[small.limit()];
    small.flip().get(bytes);
    return bytes;
  }
}
