package io.arraywire.examples.file;

import java.io.IOException;
import java.nio.file.Path;

/** There is no room on the disk for an array; there may be for another, or later. */
final class FullDiskException extends IOException {
  private static final long serialVersionUID = 1;

  FullDiskException(Path file, long bytes, long usable) {
    super(
        "no room for the array on the disk; make room, or give another directory (file="
            + file
            + ", bytes="
            + bytes
            + ", usableBytes="
            + usable
            + ")");
  }
}
