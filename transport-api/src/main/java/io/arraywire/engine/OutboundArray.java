package io.arraywire.engine;

import io.arraywire.ArrayHeader;
import io.arraywire.ArraySlice;
import io.arraywire.Receipt;
import io.arraywire.SendOptions;
import io.arraywire.spi.BulkElements;
import io.arraywire.spi.Codec;
import io.arraywire.spi.MemoryPool;
import io.arraywire.spi.PooledMemory;
import io.arraywire.wire.FrameLayout;
import io.arraywire.wire.MessageText;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One array on its way out. Its progress belongs to the writing thread; its monitor guards the
 * caller's array, so that a caller who withdraws it has it back as soon as {@link #withdraw()}
 * returns.
 *
 * <p>Used for one array after the other where all goes well, so that in the long run an array costs
 * no garbage; see {@link Outbound#giveBack}. What completes it touches it no more.
 */
final class OutboundArray {
  private static final ArraySlice NOTHING = ArraySlice.of(new byte[0]);

  /** Of what is copied when it is accepted: more is worth memory of the pool. */
  private static final int MOST_OWN_BYTES = 1 << 10;

  OutboundChannel channel;
  ArraySlice slice;
  SendOptions options;
  byte[] attributes;
  long encodedBytes;

  /** Completes once, with the receipt or a typed failure. */
  final ReusableFuture<Receipt> done = new ReusableFuture<>();

  /** For who waits for the first byte to leave. */
  final BooleanSupplier hasBegun = this::hasBegun;

  /** Where the outcome goes instead, if nobody waits for it. */
  @Nullable CompletableFuture<Receipt> passedTo;

  /** Whether nobody hears of the outcome. */
  boolean isUnwatched;

  /** The next of those that are done at the same time. */
  @Nullable OutboundArray next;

  private volatile boolean isBegun;

  /** The array's number, 0 until its first frame is made. */
  long sequence;

  /** When it was accepted, by {@link System#nanoTime()}; 0 if nobody wants to know. */
  long acceptedAt;

  /** Elements and bytes that are in frames already. */
  int encodedElements;

  long framedBytes;

  long wireBytes;
  long copiedBytes;
  long operations;

  // Guarded by the connection's lock.
  boolean handedOff;

  /** Whether it is whole in frames. */
  boolean framed;

  boolean acknowledged;

  /** Whether it goes to a subscriber. */
  boolean published;

  /** What it has taken of the budget. */
  long charge;

  /** Completes when there is room for it in the queue, where somebody waits for that. */
  @Nullable CompletableFuture<Void> accepted;

  private long lastOperation;

  /** Written with the monitor; read without it under the connection's lock, which is taken last. */
  private volatile boolean withdrawn;

  // What the channel is to take straight from the array: bytes from its beginning.
  private long arrayDirectFrom;
  private long arrayDirectTo;

  /**
   * The same, saved from the beginning of an element on when the array was given back meanwhile;
   * null if there was no memory.
   */
  private byte @Nullable [] saved;

  private boolean isSaved;

  /** Completes when the first byte is about to leave, where somebody waits for that. */
  private @Nullable CompletableFuture<Void> begun;

  /** What few elements were copied into last. */
  private @Nullable ArraySlice own;

  /** The encoded elements, where they were copied when the array was accepted; else null. */
  private @Nullable PooledMemory copy;

  OutboundArray(
      OutboundChannel channel,
      ArraySlice slice,
      SendOptions options,
      byte[] attributes,
      long encodedBytes) {
    this.channel = channel;
    this.slice = slice;
    this.options = options;
    this.attributes = attributes;
    this.encodedBytes = encodedBytes;
  }

  /** Takes the next array. Nobody else knows it, so this needs no monitor. */
  void reuse(
      OutboundChannel nextChannel,
      ArraySlice nextSlice,
      SendOptions nextOptions,
      byte[] nextAttributes,
      long nextEncodedBytes) {
    channel = nextChannel;
    slice = nextSlice;
    options = nextOptions;
    attributes = nextAttributes;
    encodedBytes = nextEncodedBytes;
  }

  /** Forgets the array. Nobody else knows it any more, so this needs no monitor. */
  void clear() {
    slice = NOTHING;
    options = SendOptions.handedOff();
    next = null;
    done.reset();
    passedTo = null;
    isUnwatched = false;
    isBegun = false;
    sequence = 0;
    acceptedAt = 0;
    encodedElements = 0;
    framedBytes = 0;
    wireBytes = 0;
    copiedBytes = 0;
    operations = 0;
    handedOff = false;
    framed = false;
    acknowledged = false;
    published = false;
    charge = 0;
    accepted = null;
    lastOperation = 0;
    withdrawn = false;
    arrayDirectFrom = 0;
    arrayDirectTo = 0;
    saved = null;
    isSaved = false;
    begun = null;
    if (copy != null) {
      releaseCopy();
    }
  }

  /** What it takes up in the queue. */
  long queueBytes() {
    return queueBytes(encodedBytes, attributes);
  }

  /** What an array of that size takes up in the queue. */
  static long queueBytes(long encodedBytes, byte[] attributes) {
    return encodedBytes + attributes.length + FrameLayout.ARRAY_COST;
  }

  /** What its next frame costs of the peer's credit beside its payload. */
  int overhead() {
    return sequence == 0 ? FrameLayout.ARRAY_COST + attributes.length : 0;
  }

  /** What is not yet in frames. */
  long bytesLeft() {
    return encodedBytes - framedBytes;
  }

  /** Its first frame is made. Under its monitor. */
  void begins(long number) {
    sequence = number;
    isBegun = true;
    done.nudge();
    if (begun != null) {
      begun.complete(null);
    }
  }

  /** Grows with what is in frames of it, and with what the peer allows of its channel. */
  synchronized long progress() {
    return framedBytes + channel.allowed;
  }

  /** Whether all of it is in frames, so that nothing but the kernel and the peer holds it up. */
  synchronized boolean hasFramed() {
    return isFramed();
  }

  private boolean hasBegun() {
    return isBegun;
  }

  /** Completes when the first byte is about to leave. */
  synchronized CompletableFuture<Void> begun() {
    if (begun == null) {
      begun = new CompletableFuture<>();
      if (sequence != 0) {
        begun.complete(null);
      }
    }
    return begun;
  }

  /**
   * Takes a copy of the elements, so that the array is the caller's again. Nobody else knows it
   * yet, so this needs no monitor.
   */
  void copy(Codec codec, MemoryPool pool) {
    if (slice.bytes() <= MOST_OWN_BYTES) {
      slice = copyOf(slice);
      return;
    }
    int bytes = slice.length() * codec.encoding().elementBytes(slice.type());
    PooledMemory memory = pool.acquire(Math.max(1, bytes), codec.traits().staging());
    boolean whole = false;
    try {
      encode(codec, slice.length(), memory.buffer().clear());
      memory.buffer().flip();
      encodedElements = 0;
      copy = memory;
      whole = true;
    } finally {
      if (!whole) {
        memory.release();
      }
    }
  }

  /** A copy of few elements, in an array that serves again and again. */
  private ArraySlice copyOf(ArraySlice elements) {
    ArraySlice mine = own;
    if (mine == null || mine.type() != elements.type() || mine.length() != elements.length()) {
      mine = ArraySlice.ofArray(elements.type().newArray(elements.length()));
      own = mine;
    }
    System.arraycopy(elements.array(), elements.offset(), mine.array(), 0, elements.length());
    return mine;
  }

  /** Takes encoded elements from somebody else, to be released like a copy of its own. */
  synchronized void lend(PooledMemory encoded) {
    copy = encoded;
  }

  /** Gives the copy back, if there is one. */
  synchronized void releaseCopy() {
    if (copy != null) {
      copy.release();
      copy = null;
    }
  }

  /** Encodes the next elements, unless the array was withdrawn; returns whether it was not. */
  synchronized boolean encode(Codec codec, int elements, ByteBuffer target) {
    if (withdrawn) {
      return false;
    }
    PooledMemory copied = copy;
    if (copied != null) {
      ByteBuffer from = copied.buffer().duplicate();
      int width = codec.encoding().elementBytes(slice.type());
      from.position(encodedElements * width).limit((encodedElements + elements) * width);
      target.put(from);
      encodedElements += elements;
    } else if (elements > 0) {
      encode(codec, slice, encodedElements, elements, target);
      encodedElements += elements;
    }
    return true;
  }

  /** Whether the channel can take it straight from the array. Under its monitor. */
  boolean isInArray() {
    return copy == null;
  }

  /** The next elements are a frame that the channel takes straight from the array. */
  synchronized void lendArrayDirect(int elements) {
    int width = slice.type().bytes();
    arrayDirectFrom = (long) (slice.offset() + encodedElements) * width;
    arrayDirectTo = arrayDirectFrom + (long) elements * width;
    encodedElements += elements;
  }

  /** Has the channel take at most that many bytes; returns what it returned. */
  synchronized long writeArrayDirect(ArrayIo io, int atMost) throws IOException {
    int bytes = (int) Math.min(atMost, arrayDirectTo - arrayDirectFrom);
    long written;
    if (!isSaved) {
      written = io.write(slice.array(), arrayDirectFrom, bytes);
    } else if (saved == null) {
      throw new IOException("no memory to save what was left of an array that was withdrawn");
    } else {
      written = io.write(saved, saved.length - (arrayDirectTo - arrayDirectFrom), bytes);
    }
    arrayDirectFrom += Math.max(0, written);
    return written;
  }

  /** Saves what is promised to the peer of a frame, for the caller takes the array back. */
  private void saveArrayDirect() {
    if (arrayDirectFrom == arrayDirectTo || isSaved) {
      return;
    }
    isSaved = true;
    try {
      int width = slice.type().bytes();
      // Whole elements, of which the first may have gone in part.
      int first = (int) (arrayDirectFrom / width);
      int elements = (int) (arrayDirectTo / width) - first;
      ByteBuffer bytes = ByteBuffer.allocate(elements * width);
      BulkElements.put(
          slice.type(), slice.array(), first, elements, bytes, ByteOrder.nativeOrder());
      saved = bytes.array();
    } catch (OutOfMemoryError e) {
      // Said when the channel asks for the bytes, which ends the connection.
      saved = null;
    }
  }

  /** Has a codec encode elements, and checks that it wrote what it must. */
  static void encode(Codec codec, ArraySlice slice, int first, int elements, ByteBuffer target) {
    if (elements == 0) {
      return;
    }
    int expected = target.position() + elements * codec.encoding().elementBytes(slice.type());
    codec.encode(slice.type(), slice.array(), slice.offset() + first, elements, target);
    if (target.position() != expected) {
      throw new IllegalStateException(
          MessageText.brief(
              "a codec wrote another number of bytes than its encoding prescribes",
              "codec",
              codec.name(),
              "expectedPosition",
              expected,
              "position",
              target.position()));
    }
  }

  /** How far an array had got when it was withdrawn. */
  enum Progress {
    NOT_BEGUN,
    PARTLY_FRAMED,
    FRAMED
  }

  /** From its return on, nobody touches the array any more. */
  synchronized Progress withdraw() {
    withdrawn = true;
    saveArrayDirect();
    if (sequence == 0) {
      return Progress.NOT_BEGUN;
    }
    return isFramed() ? Progress.FRAMED : Progress.PARTLY_FRAMED;
  }

  /** Withdraws it unless its first frame is made; returns whether it did. */
  synchronized boolean withdrawUnlessBegun() {
    if (sequence != 0) {
      return false;
    }
    withdrawn = true;
    return true;
  }

  boolean isWithdrawn() {
    return withdrawn;
  }

  /** Counts a channel operation, once however many of its frames it wrote. */
  void countOperation(long operation) {
    if (operation != lastOperation) {
      lastOperation = operation;
      operations++;
    }
  }

  int remainingElements() {
    return slice.length() - encodedElements;
  }

  boolean isFramed() {
    return sequence != 0 && framedBytes == encodedBytes;
  }

  ArrayHeader header() {
    return new ArrayHeader(
        slice.type(), slice.length(), sequence, options.attributes(), channel.id, 0);
  }

  /** The receipt; the one of the array before on this channel where that says the same. */
  Receipt receipt() {
    Receipt last = channel.lastReceipt;
    if (last != null
        && last.elements() == slice.length()
        && last.wireBytes() == wireBytes
        && last.copiedBytes() == copiedBytes
        && last.channelOperations() == operations) {
      return last;
    }
    Receipt next = new Receipt(slice.length(), wireBytes, copiedBytes, operations, 0);
    channel.lastReceipt = next;
    return next;
  }

  /**
   * Tells whoever wants to know that it is done. Returns whether it is free now; otherwise it is
   * theirs from here on.
   */
  boolean complete(Completions completions) {
    CompletableFuture<Receipt> user = passedTo;
    if (user == null && !isUnwatched) {
      done.complete(receipt());
      return false;
    }
    Receipt receipt = receipt();
    boolean first = done.complete(receipt);
    if (first && user != null) {
      completions.add(user, receipt, null);
    }
    return first;
  }

  /** Tells whoever wants to know that it has failed. */
  void fail(Completions completions, Throwable cause) {
    CompletableFuture<Receipt> user = passedTo;
    if (done.completeExceptionally(cause) && user != null) {
      completions.add(user, null, cause);
    }
  }
}
