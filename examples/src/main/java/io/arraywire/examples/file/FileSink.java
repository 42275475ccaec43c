package io.arraywire.examples.file;

import java.io.Closeable;
import java.io.IOException;
import java.util.zip.CRC32C;

/**
 * A file that is filled from a blocking channel, by one of the {@linkplain ReceiveTechnique
 * techniques}. It holds a buffer or a window of fixed size, however large the file is. For one
 * thread.
 */
public interface FileSink extends Closeable {
  /** The most bytes that one operation moves: what a buffer holds. */
  int PIECE_BYTES = 256 << 10;

  /**
   * Receives bytes, all of them; waits while there are none.
   *
   * @param position where they go in the file: behind those that came before
   * @param count how many
   * @throws java.io.EOFException if the channel ends before that
   * @throws IOException if the channel cannot be read, or the file not be written
   */
  void receive(long position, long count) throws IOException;

  /**
   * Adds bytes that were received to a checksum.
   *
   * @param checksum what they are added to
   * @param position where they begin in the file
   * @param count how many
   * @throws IOException if they cannot be read back
   */
  void addTo(CRC32C checksum, long position, long count) throws IOException;
}
