package io.arraywire.engine;

import io.arraywire.ArrayHeader;
import io.arraywire.ArraySlice;
import io.arraywire.Delivery;
import io.arraywire.Receipt;
import io.arraywire.SendOptions;
import io.arraywire.codec.CompressionReason;
import io.arraywire.frame.FrameLayout;
import io.arraywire.message.Message;
import io.arraywire.source.ArraySource;
import io.arraywire.spi.Codec;
import io.arraywire.spi.MemoryPool;
import io.arraywire.spi.PooledMemory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One array that is sent. Which parts of it go into frames is decided under the connection's lock;
 * the writing thread makes the frames without it. A caller that takes the array back ({@link
 * Outbound#withdraw}) waits until no frame of it is being made.
 *
 * <p>Used for one array after the other where all goes well, so that in the long run an array costs
 * no garbage; see {@link OutboundArrayPool}. What completes it touches it no more.
 */
final class OutboundArray {
  private static final AtomicReferenceFieldUpdater<OutboundArray, @Nullable PooledMemory> COPY =
      AtomicReferenceFieldUpdater.newUpdater(OutboundArray.class, PooledMemory.class, "copy");

  private static final ArraySlice NOTHING = ArraySlice.of(new byte[0]);

  private static final AtomicIntegerFieldUpdater<OutboundArray> STAGE =
      AtomicIntegerFieldUpdater.newUpdater(OutboundArray.class, "stage");

  private static final int WAITS = 0;
  private static final int BEGUN = 1;
  private static final int WHOLE = 2;

  /** Of what is copied when it is accepted: more is worth memory of the pool. */
  private static final int MOST_OWN_BYTES = 1 << 10;

  OutboundChannel channel;
  ArraySource source;

  /** How many elements it has. */
  long count;

  Codec codec;

  /** Where each part of a message ends of which some are in blocks; null for all else. */
  @Nullable OutboundParts parts;

  SendOptions options;
  byte[] attributes;
  long encodedBytes;

  /** Completes once, with the receipt or a typed failure. */
  final ReusableFuture<Receipt> done = new ReusableFuture<>();

  /** For a caller that waits for the first byte to leave. */
  final BooleanSupplier hasBegun = this::hasBegun;

  /** Where the outcome goes instead, if no thread waits for it. */
  @Nullable CompletableFuture<Receipt> passedTo;

  /** Whether nobody hears of the outcome. */
  boolean isUnwatched;

  /** Hears if sending fails; null unless the array is a request of this side. */
  @Nullable Consumer<Throwable> failsWith;

  /** Whether {@code SendWatch} gives it up where nothing moves: no thread waits that would. */
  boolean timed;

  /** The next of those that are done at the same time, or that are free. */
  @Nullable OutboundArray next;

  /** How many are free, this one included, while it is. */
  int free;

  /** When it was accepted, by {@link System#nanoTime()}; 0 if nobody wants to know. */
  long acceptedAt;

  // Guarded by the connection's lock.

  /** The array's number, 0 until its first frame is planned. */
  long sequence;

  /** Elements and bytes that are in frames, planned or made. */
  long framedElements;

  long framedBytes;

  /** When a part of it was planned last, or allowed, and it was not whole in frames by that. */
  long movedAt;

  /** How many looks have seen it wait since something moved on its channel. */
  int stillLooks;

  boolean handedOff;

  /** Whether it is whole in frames. */
  boolean framed;

  boolean acknowledged;

  /** Whether somebody wants to know what the peer has yet to say of it. */
  boolean awaited;

  /** Whether it goes to a subscriber. */
  boolean published;

  /** What it has taken of the budget. */
  long charge;

  /** What counts the caller's array while it is here; null if that is not counted. */
  @Nullable HeldArrays holder;

  /** Completes when there is room for it in the queue, where somebody waits for that. */
  @Nullable CompletableFuture<Void> accepted;

  private boolean withdrawn;

  /** Bytes of a message by the arrays that they lie in; negative until somebody asks. */
  private long bytesPerPiece = -1;

  // The writing thread's.

  long wireBytes;
  long copiedBytes;
  long operations;

  /** Why it is compressed or not, where the connection chooses. */
  @Nullable CompressionReason reason;

  private int lastOperation;

  /** Why its source could not be read, once that is so. */
  @Nullable SourceFailure sourceFailure;

  // Any thread's.

  /** How far it has got, one of the three below. */
  private volatile int stage;

  /** Completes when the first byte is about to leave, where somebody waits for that. */
  private volatile @Nullable CompletableFuture<Void> begun;

  /** The encoded elements, where they were copied when the array was accepted; else null. */
  private volatile @Nullable PooledMemory copy;

  /** Once the channel has taken a part straight from an array. */
  private @Nullable ArrayDirectPart direct;

  /** What few elements were copied into last. */
  private @Nullable ArraySlice own;

  OutboundArray(
      OutboundChannel channel,
      ArraySource source,
      Codec codec,
      SendOptions options,
      byte[] attributes,
      long encodedBytes) {
    this.channel = channel;
    this.source = source;
    count = source.count();
    this.codec = codec;
    parts = OutboundParts.of(codec, source);
    this.options = options;
    this.attributes = attributes;
    this.encodedBytes = encodedBytes;
  }

  /** Takes the next array. Nobody else knows it. */
  void reuse(
      OutboundChannel nextChannel,
      ArraySource nextSource,
      Codec nextCodec,
      SendOptions nextOptions,
      byte[] nextAttributes,
      long nextEncodedBytes) {
    channel = nextChannel;
    source = nextSource;
    count = nextSource.count();
    codec = nextCodec;
    parts = OutboundParts.of(nextCodec, nextSource);
    options = nextOptions;
    attributes = nextAttributes;
    encodedBytes = nextEncodedBytes;
  }

  /** Forgets the array. Nobody else knows it any more. */
  void clear() {
    OpenedSource.close(source);
    source = NOTHING;
    parts = null;
    count = 0;
    options = SendOptions.handedOff();
    next = null;
    done.reset();
    passedTo = null;
    isUnwatched = false;
    failsWith = null;
    timed = false;
    acceptedAt = 0;
    sequence = 0;
    framedElements = 0;
    framedBytes = 0;
    movedAt = 0;
    stillLooks = 0;
    handedOff = false;
    framed = false;
    acknowledged = false;
    awaited = false;
    published = false;
    charge = 0;
    holder = null;
    accepted = null;
    withdrawn = false;
    bytesPerPiece = -1;
    wireBytes = 0;
    copiedBytes = 0;
    operations = 0;
    reason = null;
    lastOperation = 0;
    sourceFailure = null;
    // The next use begins with more than that.
    STAGE.lazySet(this, WAITS);
    if (begun != null) {
      begun = null;
    }
    if (direct != null) {
      direct.clear();
    }
    releaseCopy();
  }

  /** What it takes up in the queue. */
  long queueBytes() {
    return queueBytes(encodedBytes, attributes);
  }

  /** What an array of that size takes up in the queue. */
  static long queueBytes(long encodedBytes, byte[] attributes) {
    return encodedBytes + attributes.length + FrameLayout.ARRAY_COST;
  }

  // Under the lock.

  /** What its next frame costs of the peer's credit beside its payload. */
  int overhead() {
    return sequence == 0 ? FrameLayout.ARRAY_COST + attributes.length : 0;
  }

  /** What is not yet in frames. */
  long bytesLeft() {
    return encodedBytes - framedBytes;
  }

  long elementsLeft() {
    return count - framedElements;
  }

  /**
   * How many bytes lie in one array; 0 if they do not travel as they lie there. Not for {@code
   * OpenedSource}.
   */
  long bytesPerPiece() {
    if (parts != null) {
      return parts.bytesPerPieceAt(framedBytes);
    }
    if (bytesPerPiece < 0) {
      boolean lies =
          codec instanceof PartsCodec ofParts
              ? ofParts.isLittleEndian()
              : ArrayDirect.suits(codec, source.type());
      Message message = PartsCodec.messageIn(source);
      bytesPerPiece =
          !lies ? 0 : message == null ? encodedBytes : PartsPieces.bytesPerPiece(message.parts());
    }
    return bytesPerPiece;
  }

  boolean isFramed() {
    return sequence != 0 && framedBytes == encodedBytes;
  }

  boolean isWithdrawn() {
    return withdrawn;
  }

  boolean isToBeAcknowledged() {
    return options.delivery() == Delivery.PROCESSED;
  }

  /**
   * Puts the next elements into a frame.
   *
   * @param bytes the payload
   */
  void plan(PlannedFrame part, int elements, int bytes) {
    part.array = this;
    part.begins = sequence == 0;
    if (sequence == 0) {
      sequence = ++channel.lastSequence;
    }
    part.sequence = sequence;
    part.firstElement = framedElements;
    part.elements = elements;
    part.payload = bytes;
    framedElements += elements;
    framedBytes += bytes;
    part.last = isFramed();
  }

  /** How far an array had got when it was withdrawn. */
  enum Progress {
    NOT_BEGUN,
    PARTLY_FRAMED,
    FRAMED
  }

  /** No further frame is planned. {@link Outbound#withdraw} has the rest. */
  Progress withdraw() {
    withdrawn = true;
    if (sequence == 0) {
      return Progress.NOT_BEGUN;
    }
    return isFramed() ? Progress.FRAMED : Progress.PARTLY_FRAMED;
  }

  /** Grows with what is in frames of it, and with what the peer allows of its channel. */
  long progress() {
    return framedBytes + channel.allowed;
  }

  // For waiting callers.

  private boolean hasBegun() {
    return stage != WAITS;
  }

  /** Whether all of it is in frames, so that nothing but the kernel and the peer holds it up. */
  boolean hasFramed() {
    return stage == WHOLE;
  }

  /** Completes when the first byte is about to leave. */
  CompletableFuture<Void> begun() {
    CompletableFuture<Void> told = begun;
    if (told == null) {
      told = new CompletableFuture<>();
      begun = told;
      if (hasBegun()) {
        told.complete(null);
      }
    }
    return told;
  }

  // The writing thread.

  /** A frame of it is made. */
  void made(PlannedFrame part) {
    stage = part.last ? WHOLE : BEGUN;
    if (part.begins) {
      done.nudge();
      CompletableFuture<Void> told = begun;
      if (told != null) {
        told.complete(null);
      }
    }
  }

  /** Encodes elements, with its codec, or with that of raw blocks. */
  void encode(PlannedFrame part, Codec with, ByteBuffer target) {
    ByteBuffer copied = copied(part);
    if (copied != null) {
      target.put(copied);
    } else {
      Codec encoder = parts == null ? with : parts.encoder();
      CheckedCodec.encode(encoder, source, part.firstElement, part.elements, target);
    }
  }

  /** The plain elements of a part, where they were copied; else null. */
  @Nullable ByteBuffer copied(PlannedFrame part) {
    PooledMemory copied = copy;
    if (copied == null) {
      return null;
    }
    ByteBuffer from = copied.buffer().duplicate();
    int width = codec.encoding().elementBytes(source.type());
    int at = (int) part.firstElement * width;
    return from.position(at).limit(at + part.elements * width);
  }

  /** The blocks that others make of the same copy; null where nobody does. */
  @Nullable SharedBlocks sharedBlocks() {
    return copy instanceof SharedMemory.Share share ? share.blocks() : null;
  }

  /** Whether the channel can take it straight from the array. */
  boolean isInArray() {
    return copy == null;
  }

  /** The elements of a frame are to be taken by the channel straight from the array. */
  void lendArrayDirect(PlannedFrame part) {
    if (source instanceof OpenedSource opened) {
      opened.check();
    }
    ArrayDirectPart lent = direct;
    if (lent == null) {
      lent = new ArrayDirectPart();
      direct = lent;
    }
    lent.lend(source, codec, part.firstElement, part.elements);
  }

  /** Has the channel take at most that many bytes; returns what it returned. */
  long writeArrayDirect(ArrayIo io, int atMost) throws IOException {
    return lent().write(io, atMost);
  }

  /** Whether what was lent lies in direct memory. */
  boolean isInMemory() {
    ArrayDirectPart lent = direct;
    return lent != null && lent.isInMemory();
  }

  /** Has the channel take buffers, and behind them at most that many bytes of direct memory. */
  long writeGathered(ArrayIo io, ByteBuffer[] before, int first, int buffers, int atMost)
      throws IOException {
    return lent().writeGathered(io, before, first, buffers, atMost);
  }

  private ArrayDirectPart lent() {
    ArrayDirectPart lent = direct;
    if (lent == null) {
      throw new IllegalStateException("nothing was lent to the channel");
    }
    return lent;
  }

  /** Saves what the channel has yet to take straight from the array. Any thread. */
  void saveArrayDirect() {
    ArrayDirectPart lent = direct;
    if (lent != null) {
      lent.save();
    }
  }

  /** Counts a channel operation, once however many of its frames it wrote. */
  void countOperation(int operation) {
    if (operation != lastOperation) {
      lastOperation = operation;
      operations++;
    }
  }

  // Copies.

  /** Takes a copy of the elements, so that the array is the caller's again. Not accepted yet. */
  void copy(MemoryPool pool) {
    if (source.bytes() <= MOST_OWN_BYTES && source instanceof ArraySlice slice) {
      source = copyOf(slice);
      return;
    }
    int elements = (int) count;
    int bytes = elements * codec.encoding().elementBytes(source.type());
    PooledMemory memory = pool.acquire(Math.max(1, bytes), codec.traits().staging());
    boolean kept = false;
    try {
      CheckedCodec.encode(Blocks.plain(codec), source, 0, elements, memory.buffer().clear());
      memory.buffer().flip();
      copy = memory;
      kept = true;
    } finally {
      if (!kept) {
        memory.release();
      }
    }
  }

  /** A copy of few elements, in an array that serves again and again. */
  private ArraySlice copyOf(ArraySlice elements) {
    ArraySlice mine = own;
    if (mine == null || mine.type() != elements.type() || mine.length() != elements.length()) {
      mine = ArraySlice.ofArray(elements.type().newArray(elements.length())).as(elements.type());
      own = mine;
    }
    if (codec instanceof PartsCodec) {
      CheckedCodec.encode(
          codec, elements, 0, elements.length(), ByteBuffer.wrap((byte[]) mine.array()));
    } else {
      System.arraycopy(elements.array(), elements.offset(), mine.array(), 0, elements.length());
    }
    return mine;
  }

  /** Takes encoded elements from somebody else, to be released like a copy of its own. */
  void lend(PooledMemory encoded) {
    copy = encoded;
  }

  /** Gives the copy back, if there is one. Any thread, when no frame of it is being made. */
  void releaseCopy() {
    PooledMemory copied = copy;
    if (copied != null && COPY.compareAndSet(this, copied, null)) {
      copied.release();
    }
  }

  // The outcome.

  /** For observers; what is more than an array can have is said to be that. */
  ArrayHeader header() {
    return new ArrayHeader(
        source.type(),
        (int) Math.min(count, Integer.MAX_VALUE),
        sequence,
        options.attributes(),
        ChannelId.seen(channel.id),
        0);
  }

  Receipt receipt() {
    return channel.receipt(this);
  }

  /**
   * Tells its sender that it is done. Returns whether it is free now; otherwise it is the sender's
   * from here on.
   */
  boolean complete(Completions completions) {
    CompletableFuture<Receipt> user = passedTo;
    HeldArrays counted = holder;
    long bytes = counted == null ? 0 : source.bytes();
    OpenedSource.close(source);
    boolean free = user != null || isUnwatched;
    Receipt receipt = receipt();
    boolean first = done.complete(receipt);
    if (first && counted != null) {
      counted.giveBack(bytes);
    }
    if (first && user != null) {
      completions.add(user, receipt, null);
    }
    return first && free;
  }

  /** Tells its sender that it has failed. */
  void fail(Completions completions, Throwable cause) {
    CompletableFuture<Receipt> user = passedTo;
    HeldArrays counted = holder;
    long bytes = counted == null ? 0 : source.bytes();
    OpenedSource.close(source);
    boolean first = done.completeExceptionally(cause);
    if (first && counted != null) {
      counted.giveBack(bytes);
    }
    if (first && user != null) {
      completions.add(user, null, cause);
    }
    Consumer<Throwable> asked = failsWith;
    if (first && asked != null) {
      asked.accept(cause);
    }
  }
}
