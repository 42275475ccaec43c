package io.arraywire.examples.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import org.jspecify.annotations.Nullable;

/**
 * What tells that a file was changed, or that another one has its name.
 *
 * @param bytes its size
 * @param modified when it was written to last
 * @param key what the file system calls it, whatever its name is; null if it does not say
 */
record FileStamp(long bytes, FileTime modified, @Nullable Object key) {
  static FileStamp of(Path file) throws IOException {
    BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
    return new FileStamp(found.size(), found.lastModifiedTime(), found.fileKey());
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
