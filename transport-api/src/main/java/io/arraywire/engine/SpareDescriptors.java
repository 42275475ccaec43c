package io.arraywire.engine;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Whether this process can still open files. Classes of the JDK open some when they are first used,
 * and fail for the rest of the process's life if they cannot; so a transport asks before it touches
 * them. Any thread.
 */
public final class SpareDescriptors {
  /** Present in every runtime image; where it is not, nothing is known and nothing refused. */
  private static final File READABLE = new File(System.getProperty("java.home"), "lib/modules");

  private SpareDescriptors() {}

  /**
   * Opens so many files and closes them again.
   *
   * @param number how many
   * @throws UncheckedIOException if the process has fewer descriptors left
   */
  public static void require(int number) {
    if (!READABLE.canRead()) {
      return;
    }
    List<FileInputStream> open = new ArrayList<>(number);
    try {
      while (open.size() < number) {
        open.add(new FileInputStream(READABLE));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(
          "a transport needs some file descriptors to begin with, and this process has too few left;"
              + " close some, or raise the limit (ulimit -n) (left="
              + open.size()
              + ", needed="
              + number
              + ")",
          e);
    } finally {
      open.forEach(SpareDescriptors::close);
    }
  }

  @SuppressWarnings("EmptyCatch")
  private static void close(FileInputStream file) {
    try {
      file.close();
    } catch (IOException e) {
      // It was only read.
    }
  }
}
