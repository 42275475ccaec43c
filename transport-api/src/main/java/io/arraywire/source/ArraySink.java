package io.arraywire.source;

import io.arraywire.ArraySlice;
import io.arraywire.ElementType;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/**
 * Takes the elements of an array that arrives: a slice of an array ({@link ArraySlice} is one), a
 * file, or whatever your own class writes to. A {@link io.arraywire.TargetHandler} names one for
 * each array; the counterpart of {@link ArraySource}.
 *
 * <pre>{@code
 * Handlers.ofArrays((connection, array) -> done(array.tag()))
 *     .withTargets(
 *         (connection, header) ->
 *             ArraySink.file(file(header), header.type(), ByteOrder.LITTLE_ENDIAN));
 * }</pre>
 *
 * <p>Elements go to a sink as they arrive, at most {@value #PIECE_BYTES} bytes at a time, so memory
 * does not grow with the array. They are read from the network straight into that memory. What had
 * come before the handler named the sink, at most {@link
 * io.arraywire.TransportOptions#inboxBytes()}, is copied there. A sink other than a slice may take
 * more elements than an array can have. All this holds for encodings that send elements as they lie
 * in memory, but not in plain mode.
 *
 * <p><b>After the last element</b> Arraywire calls {@link ElementWriter#finish}, then {@link
 * ElementWriter#close}, and then the {@link io.arraywire.ArrayHandler}. The {@link
 * io.arraywire.ReceivedArray#slice()} of its array is empty, unless the sink is a slice. The array
 * is acknowledged when that handler has returned.
 *
 * <p><b>Errors.</b> A sink that cannot be opened or written refuses its own array. The rest of it
 * is read and dropped, its sender gets {@link io.arraywire.RemoteRejectedException}, and the
 * connection lives on. An {@link io.arraywire.ArraywireException#refusal} that the sink throws
 * reaches the sender with its words. A {@code new ArraywireException(ErrorCode.REJECTED, ...)} ends
 * the connection, and the peer is told why: better where the sender of a large array should not go
 * on with it. For any other exception the sender gets its text, and the log of this side has the
 * rest.
 *
 * <p>An array that does not come whole, since its sender withdraws it or the connection ends,
 * closes the writer without {@code finish}.
 *
 * <p><b>Threads.</b> The thread that calls the handler opens a sink. That thread and the one that
 * reads the connection write it, one at a time, so both wait for the disk. With many connections on
 * an event loop, keep large files to a transport of their own. The sinks made here may be opened by
 * several threads.
 */
public interface ArraySink {
  /** The most bytes that are written at a time. */
  int PIECE_BYTES = 256 << 10;

  /**
   * The type of the elements.
   *
   * @return the element type, the same at every call; an array of another type is refused
   */
  ElementType type();

  /**
   * Begins to write the elements of one array. A sink that was named for several arrays may be
   * opened for all of them at the same time.
   *
   * @param count how many elements come
   * @param order the byte order in which they come to {@link ElementWriter#write}
   * @return writes them, and is closed afterwards in any case
   * @throws IOException if they cannot be written, or there is no room for so many
   */
  ElementWriter open(long count, ByteOrder order) throws IOException;

  /**
   * A new file of nothing but elements. It gets its name when the array has come whole. Until then
   * it is a file {@code .arraywire-*.part} in the same directory, which is removed if the array
   * does not come whole.
   *
   * @param path the file; if there is one already, the array is refused
   * @param type the type of the elements
   * @param order the byte order to write
   * @return takes the elements of one array
   */
  static ArraySink file(Path path, ElementType type, ByteOrder order) {
    return new FileSink(null, path, 0, type, order, Long.MAX_VALUE);
  }

  /**
   * A region of a file, such as the one behind a header of your own.
   *
   * @param channel open for writing, which it must stay until the array has come whole or its
   *     writer is closed. Its position is neither used nor moved. You close it
   * @param position where the first element goes, in bytes
   * @param type the type of the elements
   * @param order the byte order to write
   * @param room how many elements there is room for; an array of more is refused
   * @return takes the elements of one array at a time
   * @throws IllegalArgumentException if position or room is negative
   */
  static ArraySink file(
      FileChannel channel, long position, ElementType type, ByteOrder order, long room) {
    return new FileSink(channel, null, position, type, order, room);
  }
}
