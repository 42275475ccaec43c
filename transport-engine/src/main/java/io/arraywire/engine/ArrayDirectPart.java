package io.arraywire.engine;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.arraywire.ArraySlice;
import io.arraywire.message.Message;
import io.arraywire.source.ArraySource;
import io.arraywire.source.ElementReader;
import io.arraywire.spi.BulkElements;
import io.arraywire.spi.Codec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The part of an array that the channel takes straight from where its elements lie: the array's own
 * memory, direct memory, or a file. The writing thread lends and writes it; any thread saves it for
 * a caller that takes the array back.
 */
final class ArrayDirectPart {
  private static final ByteBuffer[] NO_BUFFERS = {};

  @GuardedBy("this")
  private @Nullable ArraySource source;

  /** Where the elements lie if that is not the array of a slice. */
  @GuardedBy("this")
  private ElementReader.@Nullable Region region;

  /** The pieces of a message of parts, which lie in arrays of their own. */
  @GuardedBy("this")
  private @Nullable PartsPieces pieces;

  /** Direct memory, of which position and limit are ours. */
  @GuardedBy("this")
  private @Nullable ByteBuffer view;

  /** What one operation writes, that view behind headers. */
  @GuardedBy("this")
  private ByteBuffer[] gathered = NO_BUFFERS;

  /** Bytes from the beginning of the array, of the region, or of the window that is lent. */
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
  @SuppressWarnings("ReferenceEquality") // It is the very same source that is meant.
  synchronized void lend(ArraySource elements, Codec codec, long first, int count) {
    int width = elements.type().bytes();
    if (source != elements) {
      region = OpenedSource.region(elements, codec);
      view =
          region instanceof ElementReader.Region.Memory memory ? memory.bytes().duplicate() : null;
      Message message = PartsCodec.messageIn(elements);
      pieces = message == null ? null : new PartsPieces(message);
    }
    source = elements;
    int offset = elements instanceof ArraySlice slice ? slice.offset() : 0;
    from = (offset + first) * width;
    if (region instanceof ElementReader.Region.Windows windows) {
      int window = (int) (from / windows.stepBytes());
      view = windows.bytes().get(window).duplicate();
      from -= window * windows.stepBytes();
    }
    to = from + (long) count * width;
  }

  /** Has the channel take at most that many bytes; returns what it returned. */
  synchronized long write(ArrayIo io, int atMost) throws IOException {
    int bytes = (int) Math.min(atMost, to - from);
    long written;
    if (isSaved) {
      written = writeSaved(io, bytes);
    } else if (pieces != null) {
      written = pieces.write(io, from, bytes);
    } else if (source instanceof ArraySlice slice) {
      written = io.write(slice.array(), from, bytes);
    } else {
      written = writeRegion(io, bytes);
    }
    from += Math.max(0, written);
    return written;
  }

  /** Whether the elements lie in direct memory, and nobody has taken them back. */
  synchronized boolean isInMemory() {
    return view != null && !isSaved;
  }

  /** Has the channel take buffers, and behind them at most that many bytes of direct memory. */
  synchronized long writeGathered(ArrayIo io, ByteBuffer[] before, int first, int count, int atMost)
      throws IOException {
    int bytes = (int) Math.min(atMost, to - from);
    long ahead = 0;
    for (int i = first; i < first + count; i++) {
      ahead += before[i].remaining();
    }
    if (gathered.length <= count) {
      gathered = new ByteBuffer[count + 1];
    }
    System.arraycopy(before, first, gathered, 0, count);
    gathered[count] =
        isSaved
            ? savedBytes(bytes)
            : Objects.requireNonNull(view, "no direct memory was lent")
                .limit((int) from + bytes)
                .position((int) from);
    long written = io.write(gathered, 0, count + 1);
    from += Math.max(0, written - ahead);
    return written;
  }

  @GuardedBy("this")
  private long writeRegion(ArrayIo io, int bytes) throws IOException {
    ByteBuffer memory = view;
    if (memory != null) {
      return io.write(memory.limit((int) from + bytes).position((int) from));
    }
    ElementReader.Region.InFile file =
        (ElementReader.Region.InFile) Objects.requireNonNull(region, "no region was lent");
    long at = file.position() + from;
    long written = io.transfer(file.channel(), at, bytes);
    if (written == 0 && file.channel().size() < at + bytes) {
      ((OpenedSource) Objects.requireNonNull(source)).check();
      throw new IOException("a file became shorter while the channel took elements from it");
    }
    return written;
  }

  @GuardedBy("this")
  private long writeSaved(ArrayIo io, int bytes) throws IOException {
    ByteBuffer rest = savedBytes(bytes);
    return source instanceof ArraySlice
        ? io.write(Objects.requireNonNull(saved), rest.position(), bytes)
        : io.write(rest);
  }

  @GuardedBy("this")
  private ByteBuffer savedBytes(int bytes) throws IOException {
    byte[] rest = saved;
    if (rest == null) {
      throw new IOException("no memory to save what was left of an array that was withdrawn");
    }
    return ByteBuffer.wrap(rest, (int) (rest.length - (to - from)), bytes);
  }

  /** Saves what is promised to the peer of a frame: the caller takes the array back. */
  synchronized void save() {
    if (from == to || isSaved || source == null) {
      return;
    }
    isSaved = true;
    try {
      int width = source.type().bytes();
      // Whole elements, of which the first may have gone in part.
      long first = from / width;
      int elements = (int) (to / width - first);
      ByteBuffer bytes = ByteBuffer.allocate(elements * width);
      if (source instanceof ArraySlice slice && pieces != null) {
        PartsCodec.INSTANCE.encode(slice.type(), slice.array(), (int) first, elements, bytes);
      } else if (source instanceof ArraySlice slice) {
        BulkElements.put(
            slice.type(), slice.array(), (int) first, elements, bytes, ByteOrder.nativeOrder());
      } else if (view != null) {
        bytes.put(view.limit((int) to).position((int) first * width));
      } else {
        ElementReader.Region.InFile file =
            (ElementReader.Region.InFile) Objects.requireNonNull(region, "no region was lent");
        long at = file.position() + first * width;
        while (bytes.hasRemaining() && file.channel().read(bytes, at + bytes.position()) >= 0) {
          // On to the rest.
        }
        if (bytes.hasRemaining()) {
          return;
        }
      }
      saved = bytes.array();
    } catch (OutOfMemoryError | IOException | RuntimeException e) {
      // Said when the channel asks for the bytes, which ends the connection.
      saved = null;
    }
  }

  /** Forgets the array. */
  synchronized void clear() {
    source = null;
    region = null;
    pieces = null;
    view = null;
    gathered = NO_BUFFERS;
    from = 0;
    to = 0;
    saved = null;
    isSaved = false;
  }
}
