package io.arraywire.stream;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Counts this process's sockets. */
final class Descriptors {
  private static final Path DIRECTORY = Path.of("/proc/self/fd");

  private Descriptors() {}

  /** Sockets that are open; 0 where the system does not say. */
  static int sockets() {
    if (!Files.isDirectory(DIRECTORY)) {
      return 0;
    }
    int sockets = 0;
    try (DirectoryStream<Path> all = Files.newDirectoryStream(DIRECTORY)) {
      for (Path each : all) {
        sockets += isSocket(each) ? 1 : 0;
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return sockets;
  }

  private static boolean isSocket(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString().startsWith("socket:");
    } catch (IOException e) {
      // Closed meanwhile, or that of the directory itself.
      return false;
    }
  }
}
