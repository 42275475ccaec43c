package io.arraywire.examples.cli;

import io.arraywire.examples.npy.PartFile;
import io.arraywire.examples.npy.PartInUseException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** What is kept of files that did not come whole, each for one sender at a time. Any thread. */
final class KeptParts {
  private final Set<Path> claimed = ConcurrentHashMap.newKeySet();

  /**
   * Opens a part for one sender.
   *
   * @param path where it is kept
   * @param make whether to make it if it is not there
   * @return the part, to be given to {@link #release}; null if it is not there, or none can be kept
   * @throws PartInUseException if another sender has it
   * @throws IOException if it cannot be opened
   */
  @Nullable PartFile claim(Path path, boolean make) throws IOException {
    if (!claimed.add(path)) {
      throw new PartInUseException(path);
    }
    PartFile part = null;
    try {
      part = PartFile.kept(path, make);
      return part;
    } finally {
      if (part == null) {
        claimed.remove(path);
      }
    }
  }

  /** Removes parts of a file that has come whole, but for those that another sender has. */
  void discard(List<Path> paths) {
    for (Path path : paths) {
      try {
        PartFile part = claim(path, false);
        if (part != null) {
          try {
            part.discard();
          } finally {
            release(path, part);
          }
        }
      } catch (IOException e) {
        // It stays under its hidden name.
      }
    }
  }

  /** Closes a part, after which another sender may go on with it. */
  void release(Path path, PartFile part) throws IOException {
    try {
      part.close();
    } finally {
      claimed.remove(path);
    }
  }
}
