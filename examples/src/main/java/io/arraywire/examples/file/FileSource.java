package io.arraywire.examples.file;

import java.io.Closeable;
import java.io.IOException;
import java.util.zip.CRC32C;

/**
 * A file on its way to a blocking channel, by one of the {@linkplain SendTechnique techniques}. It
 * holds a buffer or a window of fixed size, however large the file is. For one thread.
 */
public interface FileSource extends Closeable {
  /** The most bytes that are checksummed before they are sent: what a buffer holds. */
  int CHECKED_BYTES = 256 << 10;

  /**
   * Sends bytes of the file, all of them; waits while the channel takes none.
   *
   * @param position where they begin in the file
   * @param count how many; the file has them
   * @throws IOException if the file cannot be read, or the channel not written to
   */
  void send(long position, long count) throws IOException;

  /**
   * Adds bytes of the file to a checksum. If they are sent next, they need not be read again.
   *
   * @param checksum what they are added to
   * @param position where they begin in the file
   * @param count how many, at most {@link #CHECKED_BYTES}
   * @throws IOException if the file cannot be read
   */
  void addTo(CRC32C checksum, long position, int count) throws IOException;

  /**
   * The size that the file has now.
   *
   * @return bytes
   * @throws IOException if it cannot be told
   */
  long size() throws IOException;
}
