package io.arraywire.examples.file;

import java.io.IOException;
import java.nio.file.Path;

/** A file became shorter while it was sent, so that what was announced of it cannot be sent. */
public final class FileChangedException extends IOException {
  private static final long serialVersionUID = 1;

  private final long expectedBytes;
  private final long fileBytes;

  FileChangedException(Path file, long expectedBytes, long fileBytes) {
    super(
        "the file became shorter while it was sent; send it again when nobody writes to it (file="
            + file
            + ", expectedBytes="
            + expectedBytes
            + ", fileBytes="
            + fileBytes
            + ")");
    this.expectedBytes = expectedBytes;
    this.fileBytes = fileBytes;
  }

  /**
   * The size of the file when sending began.
   *
   * @return bytes
   */
  public long expectedBytes() {
    return expectedBytes;
  }

  /**
   * The size of the file now.
   *
   * @return bytes
   */
  public long fileBytes() {
    return fileBytes;
  }
}
