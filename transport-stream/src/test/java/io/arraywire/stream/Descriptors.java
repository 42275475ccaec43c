package io.arraywire.stream;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Counts this process's sockets and selectors. */
final class Descriptors {
  private static final Path DIRECTORY = Path.of("/proc/self/fd");

  private Descriptors() {}

  /** Sockets that are open; 0 where the system does not say. */
  static int sockets() {
    return of("socket:");
  }

  /** Selectors that are open, and what the JDK has of the kind; 0 likewise. */
  static int selectors() {
    return of("anon_inode:[eventpoll]");
  }

  private static int of(String kind) {
    if (!Files.isDirectory(DIRECTORY)) {
      return 0;
    }
    int count = 0;
    try (DirectoryStream<Path> all = Files.newDirectoryStream(DIRECTORY)) {
      for (Path each : all) {
        count += is(each, kind) ? 1 : 0;
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return count;
  }

  private static boolean is(Path descriptor, String kind) {
    try {
      return Files.readSymbolicLink(descriptor).toString().startsWith(kind);
    } catch (IOException e) {
      // Closed meanwhile, or that of the directory itself.
      return false;
    }
  }
}
