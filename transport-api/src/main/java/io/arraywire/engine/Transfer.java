package io.arraywire.engine;

import io.arraywire.ArraySlice;
import io.arraywire.Receipt;
import io.arraywire.SendOptions;
import io.arraywire.spi.Codec;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;

/**
 * One array on its way out. Its progress belongs to the writing thread; its monitor guards the
 * caller's array, so that a caller who withdraws it has it back as soon as {@link #withdraw()}
 * returns.
 */
final class Transfer {
  final ArraySlice slice;
  final SendOptions options;
  final byte[] attributes;
  final long encodedBytes;

  /** Completes once, with the receipt or a typed failure. */
  final CompletableFuture<Receipt> done = new CompletableFuture<>();

  /** The array's number, 0 until its first frame is made. */
  long sequence;

  /** Elements and bytes that are in frames already. */
  int encodedElements;

  long framedBytes;

  long wireBytes;
  long copiedBytes;
  long operations;

  // Guarded by the connection's lock.
  boolean handedOff;
  boolean acknowledged;

  private long lastOperation;
  private boolean withdrawn;

  Transfer(ArraySlice slice, SendOptions options, byte[] attributes, long encodedBytes) {
    this.slice = slice;
    this.options = options;
    this.attributes = attributes;
    this.encodedBytes = encodedBytes;
  }

  /** Encodes the next elements, unless the array was withdrawn; returns whether it was not. */
  synchronized boolean encode(Codec codec, int elements, ByteBuffer target) {
    if (withdrawn) {
      return false;
    }
    if (elements > 0) {
      int expected = target.position() + elements * codec.encoding().elementBytes(slice.type());
      codec.encode(slice.type(), slice.array(), slice.offset() + encodedElements, elements, target);
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
      encodedElements += elements;
    }
    return true;
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

  synchronized boolean isWithdrawn() {
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

  Receipt receipt() {
    return new Receipt(slice.length(), wireBytes, copiedBytes, operations, 0);
  }
}
