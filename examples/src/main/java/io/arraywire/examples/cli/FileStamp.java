package io.arraywire.examples.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;

/**
 * What tells that a file was changed, as for the library's own sources of files.
 *
 * @param bytes its size
 * @param modified when it was written to last
 */
record FileStamp(long bytes, FileTime modified) {
  static FileStamp of(Path file) throws IOException {
    BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
    return new FileStamp(found.size(), found.lastModifiedTime());
  }

  /** Checks that the file is still as it was. */
  void check(Path file) throws IOException {
    FileStamp now = of(file);
    if (!equals(now)) {
      throw new IOException(
          "the file changed while its beginning was compared; send it again when nobody writes to"
              + " it (file="
              + file
              + ", expectedBytes="
              + bytes
              + ", fileBytes="
              + now.bytes
              + ")");
    }
  }
}
