package io.arraywire.engine;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.arraywire.ArraySlice;
import io.arraywire.spi.BulkElements;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * The part of an array that the channel takes straight from the array's own memory. The writing
 * thread lends and writes it; any thread saves it for a caller that takes the array back.
 */
final class ArrayDirectPart {
  @GuardedBy("this")
  private @Nullable ArraySlice slice;

  /** Bytes from the beginning of the array. */
  @GuardedBy("this")
  private long from;

  @GuardedBy("this")
  private long to;

  /** From the beginning of an element on; null if there was no memory. */
  @GuardedBy("this")
  private byte @Nullable [] saved;

  @GuardedBy("this")
  private boolean isSaved;

  /** The channel is to take these elements next. */
  synchronized void lend(ArraySlice elements, int first, int count) {
    int width = elements.type().bytes();
    slice = elements;
    from = (long) (elements.offset() + first) * width;
    to = from + (long) count * width;
  }

  /** Has the channel take at most that many bytes; returns what it returned. */
  synchronized long write(ArrayIo io, int atMost) throws IOException {
    int bytes = (int) Math.min(atMost, to - from);
    long written;
    if (!isSaved && slice != null) {
      written = io.write(slice.array(), from, bytes);
    } else if (saved == null) {
      throw new IOException("no memory to save what was left of an array that was withdrawn");
    } else {
      written = io.write(saved, saved.length - (to - from), bytes);
    }
    from += Math.max(0, written);
    return written;
  }

  /** Saves what is promised to the peer of a frame: the caller takes the array back. */
  synchronized void save() {
    if (from == to || isSaved || slice == null) {
      return;
    }
    isSaved = true;
    try {
      int width = slice.type().bytes();
      // Whole elements, of which the first may have gone in part.
      int first = (int) (from / width);
      int elements = (int) (to / width) - first;
      ByteBuffer bytes = ByteBuffer.allocate(elements * width);
      BulkElements.put(
          slice.type(), slice.array(), first, elements, bytes, ByteOrder.nativeOrder());
      saved = bytes.array();
    } catch (OutOfMemoryError e) {
      // Said when the channel asks for the bytes, which ends the connection.
      saved = null;
    }
  }

  /** Forgets the array. */
  synchronized void clear() {
    slice = null;
    from = 0;
    to = 0;
    saved = null;
    isSaved = false;
  }
}
