package io.arraywire.examples.file;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.zip.CRC32C;

/** Bytes of a file that are looked at beside the way that they take. */
final class FileBytes {
  private FileBytes() {}

  /** Adds bytes to a checksum. */
  static void addTo(CRC32C checksum, FileChannel file, long position, long count, ByteBuffer buffer)
      throws IOException {
    for (long at = position, end = position + count; at < end; ) {
      buffer.clear().limit((int) Math.min(end - at, buffer.capacity()));
      int read = file.read(buffer, at);
      if (read < 0) {
        throw new EOFException("the file ends at " + at);
      }
      checksum.update(buffer.flip());
      at += read;
    }
  }

  /** Writes all that remains. */
  static void write(FileChannel file, ByteBuffer bytes, long position) throws IOException {
    for (long at = position; bytes.hasRemaining(); ) {
      at += file.write(bytes, at);
    }
  }
}
