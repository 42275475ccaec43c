package io.arraywire.examples.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** Writes to files. */
final class FileBytes {
  private FileBytes() {}

  /** Writes all that remains. */
  static void write(FileChannel file, ByteBuffer bytes, long position) throws IOException {
    for (long at = position; bytes.hasRemaining(); ) {
      at += file.write(bytes, at);
    }
  }
}
