package io.arraywire.examples.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What the kernel tells in files below {@code /proc} and {@code /sys}.
 *
 * @param root the directory that has them; {@code /}, but in tests
 */
record SystemFiles(Path root) {

  /** A file as one text, or null if it is not there or hidden. */
  @Nullable String read(String path) {
    try {
      return Files.readString(root.resolve(path.substring(1))).strip();
    } catch (IOException | RuntimeException e) {
      return null;
    }
  }

  /** The lines of a file; none if it is not there. */
  List<String> lines(String path) {
    String text = read(path);
    return text == null ? List.of() : text.lines().toList();
  }

  /** A number that is a file, or a field of its only line; empty for {@code max} and no number. */
  OptionalLong number(String path, int field) {
    String text = read(path);
    String[] fields = text == null ? new String[0] : text.split("\\s+", -1);
    return fields.length > field && fields[field].matches("\\d{1,18}")
        ? OptionalLong.of(Long.parseLong(fields[field]))
        : OptionalLong.empty();
  }

  /** The number after a name at the beginning of a line, such as {@code nr_throttled 7}. */
  OptionalLong named(String path, String name) {
    for (String line : lines(path)) {
      String[] fields = line.split("\\s+", -1);
      if (fields.length > 1 && fields[0].equals(name) && fields[1].matches("\\d{1,18}")) {
        return OptionalLong.of(Long.parseLong(fields[1]));
      }
    }
    return OptionalLong.empty();
  }

  /** The directory of this process's control group (version 2), from the root that it sees. */
  String controlGroup() {
    for (String line : lines("/proc/self/cgroup")) {
      // Inside of a container its own group mostly is the root that it sees.
      String directory = "/sys/fs/cgroup" + line.replaceFirst("0::", "");
      if (line.startsWith("0::/") && line.length() > "0::/".length()) {
        if (Files.isDirectory(root.resolve(directory.substring(1)))) {
          return directory;
        }
      }
    }
    return "/sys/fs/cgroup";
  }
}
