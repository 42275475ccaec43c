package io.arraywire.engine;

import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.ElementType;
import io.arraywire.LeasedArray;
import io.arraywire.ProtocolException;
import io.arraywire.Receipt;
import io.arraywire.spi.BulkElements;
import io.arraywire.spi.MemoryPool;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Where the elements of an arriving array go. Filled by the reading thread alone; the monitor
 * guards memory of the caller's that is being filled.
 */
abstract class Sink {
  long copiedBytes;

  /**
   * Takes payload bytes, in whatever portions they come.
   *
   * @param source the bytes, from its position, which is advanced
   * @param bytes how many
   */
  abstract void put(ByteBuffer source, int bytes) throws ProtocolException;

  /** As {@link #put}, with the connection's lock, which keeps others from the caller's memory. */
  void putWithLock(ByteBuffer source, int bytes) throws ProtocolException {
    put(source, bytes);
  }

  /**
   * Takes a block, whole. What was put before it ends with an element.
   *
   * @param bytes those of the block remain in it; its position is of no meaning afterwards
   * @param block what it is, and memory for elements that do not go straight into an array
   */
  void putBlock(ByteBuffer bytes, BlockScratch block) throws ProtocolException {
    CheckedCodec.decodeBlock(block, bytes, block.elements(block.type(), block.count()), 0);
    countCopies(block.codec().traits().copiesToDecode(), block.plainBytes());
    ByteBuffer plain = block.plain();
    put(plain, plain.remaining());
  }

  /**
   * Memory for the next bytes to be read into by the channel itself, or null if there is no such.
   */
  @Nullable ByteBuffer space(long atMost) {
    return null;
  }

  /** Whether it has such memory, so that bytes are best not read elsewhere. */
  boolean isPooled() {
    return false;
  }

  /** Bytes were read into {@link #space}. */
  void advance(int bytes) {
    throw new IllegalStateException("no space was lent");
  }

  /**
   * How many of the next bytes can be read into the array itself, past the codec; 0 if they must
   * pass through {@link #put}.
   */
  int arrayRoom() {
    return 0;
  }

  /** Reads at most that many into the array itself; returns what the channel returned. */
  long fill(ArrayIo io, int atMost) throws IOException {
    throw new IllegalStateException("this sink has no array to read into");
  }

  /** Goes on in memory of its own; from its return on nobody touches the caller's. */
  void redirect() {}

  /** Its memory has a limit from here on: its handler has named no target for it. */
  void limit(ArrivalShare share) {}

  /** Goes on in the caller's memory, which has room for all elements. */
  void rebind(ArraySlice target) {
    throw new IllegalStateException("this sink's memory is not to be changed");
  }

  /** Goes on in pooled memory, to be lent out. */
  void rebindToPool(MemoryPool pool) {
    throw new IllegalStateException("this sink's memory is not to be changed");
  }

  /** Goes on in a sink of the user's, which is closed if it does not. */
  void rebind(WritingSink target) {
    target.discard();
    throw new IllegalStateException("this sink's memory is not to be changed");
  }

  /**
   * The array is complete, and nothing more comes. The thread that hands it out calls it, without
   * the connection's lock.
   *
   * @return why the array is refused, or null
   */
  @Nullable ArraywireException finish() {
    return refusal();
  }

  /** Why the array got no memory, or null. It has taken no more since. */
  @Nullable ArraywireException refusal() {
    return null;
  }

  /** The array is its receiver's affair from now on: what it takes is no longer counted. */
  void release() {}

  /** Takes no more; from its return on nobody touches the caller's memory. */
  void stop() {}

  /** The array is complete: the elements as an array, freshly made where they do not lie in one. */
  abstract ArraySlice slice();

  /** The array is complete: puts the elements where they are wanted, if they are not there. */
  @SuppressWarnings("ReferenceEquality") // It is the very same array that is meant.
  void deliver(ArraySlice target, int count) {
    // Once: a sink gives its memory away with it.
    ArraySlice slice = slice();
    if (slice.array() != target.array()) {
      copy(slice.array(), slice.offset(), target, count);
    }
  }

  /** Copies elements to where they are wanted. */
  final void copy(Object from, int offset, ArraySlice target, int count) {
    BulkElements.copy(from, offset, target.array(), target.offset(), count);
    countCopies(1, (long) count * target.type().bytes());
  }

  /** For those whose elements are elsewhere, or nowhere. */
  static ArraySlice none(ElementType type) {
    return ArraySlice.ofArray(type.newArray(0)).as(type);
  }

  /** The array is complete: the elements on loan, those of {@link #slice} where nothing is said. */
  LeasedArray lease(LeaseFacts facts) {
    return new HeapLease(facts, slice());
  }

  /** The array will not be used: gives pooled memory back. */
  void discard() {}

  /** Bytes copied inside the JVM so far, or that this is not known. */
  long copied() {
    return copiedBytes;
  }

  /** Bytes from the pool that the elements take. */
  long pooledBytes() {
    return 0;
  }

  void countCopies(int copiesPerByte, long bytes) {
    if (copiesPerByte == Receipt.UNKNOWN || copiedBytes == Receipt.UNKNOWN) {
      copiedBytes = Receipt.UNKNOWN;
    } else {
      copiedBytes += copiesPerByte * bytes;
    }
  }
}
