package io.arraywire.source;

import io.arraywire.ArraySlice;
import io.arraywire.ElementType;
import java.io.IOException;
import java.nio.Buffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/**
 * Elements to be sent, wherever they lie. They may be a slice of an array ({@link ArraySlice} is
 * one), a typed buffer, a region of a file, a memory segment or rows. Or your own class reads them.
 * Every method that sends takes one.
 *
 * <pre>{@code
 * connection.send(ArraySource.file(Path.of("weights.bin"), ElementType.FLOAT));
 * connection.send(ArraySource.rows(table), SendOptions.defaults().shape(table.length, columns));
 * }</pre>
 *
 * <p>The receiver sees an array; nothing tells where its elements came from. {@code transport-nio}
 * writes direct memory and files past the heap ({@code transferTo} for a file). That takes an
 * encoding in which elements travel as they lie there, and no checksums. Otherwise the elements are
 * read into the frame that carries them, and no more of them at a time.
 *
 * <p><b>Ownership.</b> Like an array, the memory or the file belongs to Arraywire until {@code
 * send} returns or throws, or until the stage of {@code sendAsync} completes. Neither change nor
 * free nor truncate it in between. {@code offer} and {@code publish} read everything before they
 * return. With {@link io.arraywire.Delivery#SESSION} that time lasts until the far side has
 * acknowledged the array, since a new connection sends it again from its first element. Nothing but
 * the source itself is kept for that, no copy. <b>A change meanwhile</b> may be sent unnoticed.
 * Arraywire always notices a file that became shorter, and another modification time of a file that
 * was given by its path. The send then fails with {@link io.arraywire.ErrorCode#SOURCE_FAILED}, and
 * the far side delivers nothing of it.
 *
 * <p><b>Errors.</b> A source that cannot be read fails its own send with {@link
 * io.arraywire.ErrorCode#SOURCE_FAILED}, and nothing of the array is delivered. The connection
 * lives on, except in plain mode, and except where the channel had begun to take the elements past
 * the heap.
 *
 * <p><b>Threads.</b> The sources made here are immutable and may be sent by several threads. The
 * thread that writes the connection reads them, so it waits for the disk. With many connections on
 * an event loop, keep large files to a connection of their own.
 *
 * <p><b>Your own</b> source implements three methods. Its reader runs on that thread, too.
 */
public interface ArraySource {

  /**
   * The type of the elements.
   *
   * @return the element type, the same at every call
   */
  ElementType type();

  /**
   * How many elements there are.
   *
   * @return the number, the same at every call
   */
  long count();

  /**
   * Begins to read the elements. Called once for each time that they are sent.
   *
   * @return reads them, and is closed when they are sent or given up
   * @throws IOException if they cannot be read
   */
  ElementReader open() throws IOException;

  /**
   * The memory that the elements take.
   *
   * @return bytes, which may exceed {@link Integer#MAX_VALUE}
   */
  default long bytes() {
    return count() * type().bytes();
  }

  /**
   * The elements of a typed buffer, {@code byte} elements of a {@code ByteBuffer}; see {@link
   * #of(Buffer, ElementType)}.
   *
   * @param buffer on the heap or direct, in any byte order
   * @return its elements from position to limit, not copied
   */
  static ArraySource of(Buffer buffer) {
    return BufferElements.of(buffer, ElementType.ofBuffer(buffer));
  }

  /**
   * The elements of a buffer from its position to its limit, as they are now. The buffer's own
   * position does not move, and may move later. They are shared and not copied.
   *
   * <p>{@code transport-nio} sends a direct {@code ByteBuffer} without a copy if its byte order is
   * the encoding's. A direct typed buffer takes JDK 22 or later for that. A buffer of an array that
   * is not read-only is the slice of that array.
   *
   * @param buffer a typed buffer whose elements the type's {@linkplain ElementType#carrier()
   *     carrier} holds, or a {@code ByteBuffer} with the bytes of elements in its byte order
   * @param type the type that the elements are meant as
   * @return the elements
   * @throws IllegalArgumentException if the buffer does not hold elements of the type, or bytes
   *     that are not whole elements; of {@code boolean} only arrays are sent
   */
  static ArraySource of(Buffer buffer, ElementType type) {
    return BufferElements.of(buffer, type);
  }

  /**
   * The elements of a memory segment, JDK 22 or later. They are shared and not copied, and sent
   * past the heap as those of a direct buffer are.
   *
   * @param segment a {@code java.lang.foreign.MemorySegment} that any thread may read: not of a
   *     confined arena. Keep its arena open for as long as the segment belongs to Arraywire
   * @param type the type of its elements
   * @param order their byte order
   * @return the elements
   * @throws IllegalArgumentException if it is no such segment, or its bytes are not whole elements;
   *     of {@code boolean} only arrays are sent
   * @throws UnsupportedOperationException on a JDK older than 22
   */
  static ArraySource segment(Object segment, ElementType type, ByteOrder order) {
    return Segments.elements(segment, BufferElements.checked(type), order);
  }

  /**
   * The elements of a memory segment in the byte order of this host; see {@link #segment(Object,
   * ElementType, ByteOrder)}.
   *
   * @param segment as there
   * @param type as there
   * @return the elements
   */
  static ArraySource segment(Object segment, ElementType type) {
    return segment(segment, type, ByteOrder.nativeOrder());
  }

  /**
   * A memory segment as a typed buffer, JDK 22 or later: what {@link
   * io.arraywire.TypedInput#receiveInto(java.nio.Buffer, io.arraywire.ArrayInfo)} fills.
   *
   * <pre>{@code
   * connection.receiveInto(ArraySource.buffer(segment, ElementType.FLOAT, order), info);
   * }</pre>
   *
   * @param segment a {@code java.lang.foreign.MemorySegment} outside of the heap, of at most {@link
   *     Integer#MAX_VALUE} bytes, that any thread may use: not of a confined arena. Keep its arena
   *     open until the call that receives returns
   * @param type the type of its elements; the buffer is one of the type's {@linkplain
   *     ElementType#carrier() carrier}
   * @param order their byte order
   * @return a buffer that shares the segment's memory, read-only if the segment is
   * @throws IllegalArgumentException if it is no such segment, or its bytes are not whole elements;
   *     booleans are received into arrays only
   * @throws UnsupportedOperationException on a JDK older than 22
   */
  static Buffer buffer(Object segment, ElementType type, ByteOrder order) {
    return Segments.buffer(segment, BufferElements.checked(type), order);
  }

  /**
   * The elements of a file without a header, little-endian; see {@link #file(Path, ElementType,
   * ByteOrder)}.
   *
   * @param path the file
   * @param type the type of its elements
   * @return the elements
   * @throws IOException if it cannot be read
   */
  static ArraySource file(Path path, ElementType type) throws IOException {
    return file(path, type, ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * The elements of a file without a header. Opened each time it is sent, and closed afterwards.
   *
   * @param path the file, which must not change from now on. Its size and its modification time are
   *     compared each time it is opened, and again before its last element leaves
   * @param type the type of its elements
   * @param order their byte order
   * @return the elements
   * @throws IOException if it cannot be read
   * @throws IllegalArgumentException if its bytes are not whole elements; of {@code boolean} only
   *     arrays are sent
   */
  static ArraySource file(Path path, ElementType type, ByteOrder order) throws IOException {
    return FileElements.of(path, type, order);
  }

  /**
   * The elements of a region of a file, such as those behind the header of a {@code .npy} file.
   * Opened each time it is sent, and closed afterwards.
   *
   * @param path the file, which must not change from now on, as with {@link #file(Path,
   *     ElementType, ByteOrder)}
   * @param position where the first element begins, in bytes
   * @param type the type of the elements
   * @param order their byte order
   * @param count how many there are; a file that turns out to be shorter fails the send
   * @return the elements
   * @throws IOException if there is no such file
   * @throws IllegalArgumentException if position or count is negative; of {@code boolean} only
   *     arrays are sent
   */
  static ArraySource file(Path path, long position, ElementType type, ByteOrder order, long count)
      throws IOException {
    return FileElements.of(path, position, type, order, count);
  }

  /**
   * The elements of a region of a file.
   *
   * @param channel open for reading, which it must stay for as long as it belongs to Arraywire; its
   *     position is neither used nor moved. You close it
   * @param position where the first element begins, in bytes
   * @param type the type of the elements
   * @param order their byte order
   * @param count how many there are; a file that turns out to be shorter fails the send
   * @return the elements
   * @throws IllegalArgumentException if position or count is negative; of {@code boolean} only
   *     arrays are sent
   */
  static ArraySource file(
      FileChannel channel, long position, ElementType type, ByteOrder order, long count) {
    return FileElements.of(channel, position, type, order, count);
  }

  /**
   * Rows one after the other, as one array.
   *
   * @param rows arrays of one primitive type, such as a {@code float[][]}; not copied. They may
   *     differ in length, unless you name a shape for them
   * @return their elements
   * @throws IllegalArgumentException if there is none, or they are not such arrays
   */
  static ArraySource rows(Object[] rows) {
    return RowElements.of(rows);
  }
}
