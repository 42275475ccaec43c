package io.arraywire.source;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Writes the elements of one array to an {@link ArraySink}, from the first to the last. Used by one
 * thread at a time, and not after {@link #close()}; an implementation writes {@link #write}, and
 * {@link #finish} and {@link #close} if it holds something.
 */
public interface ElementWriter extends AutoCloseable {

  /**
   * Writes the elements that follow those before.
   *
   * @param index how many were written before
   * @param count how many come, at least 1
   * @param source their bytes, from its position on, in the byte order that the sink was opened
   *     with. The writer advances the position past all of them. It may change the bytes, and must
   *     not use the buffer once it has returned
   * @throws IOException if they cannot be written; this method is not called again then
   */
  void write(long index, int count, ByteBuffer source) throws IOException;

  /**
   * Tells how many elements have arrived; the last of them may not be written yet. For a display of
   * progress, or a watch over slow senders. Called by the thread that writes, before or after
   * {@link #write}, and perhaps several times with the same number; it must not wait.
   *
   * @param elements how many of the array have arrived whole, those that were written included
   */
  default void arrived(long elements) {}

  /**
   * All elements were written. Called once, before {@link #close()}; never if the array does not
   * come whole.
   *
   * @throws IOException if they are not safe where they are; the array is refused
   */
  default void finish() throws IOException {}

  /**
   * Ends writing; without {@link #finish} before, what was written is no whole array.
   *
   * @throws IOException if that fails; after {@code finish} the array is refused
   */
  @Override
  default void close() throws IOException {}
}
