package io.arraywire.engine;

import io.arraywire.ArrayHeader;
import io.arraywire.ArraySlice;
import io.arraywire.Receipt;
import io.arraywire.SendOptions;
import io.arraywire.spi.Codec;
import io.arraywire.spi.MemoryPool;
import io.arraywire.spi.PooledMemory;
import io.arraywire.wire.FrameLayout;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One array on its way out. Its progress belongs to the writing thread; its monitor guards the
 * caller's array, so that a caller who withdraws it has it back as soon as {@link #withdraw()}
 * returns.
 */
final class Transfer {
  final OutboundChannel channel;
  final ArraySlice slice;
  final SendOptions options;
  final byte[] attributes;
  final long encodedBytes;

  /** Completes once, with the receipt or a typed failure. */
  final CompletableFuture<Receipt> done = new CompletableFuture<>();

  /** Completes when the first byte is about to leave. */
  final CompletableFuture<Void> begun = new CompletableFuture<>();

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

  /** Completes when there is room for it in the queue, where somebody waits for that. */
  @Nullable CompletableFuture<Void> accepted;

  private long lastOperation;

  /** Written with the monitor; read without it under the connection's lock, which is taken last. */
  private volatile boolean withdrawn;

  /** The encoded elements, where they were copied when the array was accepted; else null. */
  private @Nullable PooledMemory copy;

  Transfer(
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

  /** What it takes up in the queue. */
  long queueBytes() {
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

  /** Its first frame is made. */
  void begins(long number) {
    sequence = number;
    begun.complete(null);
  }

  /** Takes a copy of the elements, so that the array is the caller's again. */
  synchronized void copy(Codec codec, MemoryPool pool) {
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

  /** Has a codec encode elements, and checks that it wrote what it must. */
  static void encode(Codec codec, ArraySlice slice, int first, int elements, ByteBuffer target) {
    if (elements == 0) {
      return;
    }
    int expected = target.position() + elements * codec.encoding().elementBytes(slice.type());
    codec.encode(slice.type(), slice.array(), slice.offset() + first, elements, target);
    if (target.position() != expected) {
      throw new IllegalStateException(
          "a codec wrote another number of bytes than its encoding prescribes (codec="
              + codec.name()
              + ", expectedPosition="
              + expected
              + ", position="
              + target.position()
              + ")");
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

  Receipt receipt() {
    return new Receipt(slice.length(), wireBytes, copiedBytes, operations, 0);
  }
}
