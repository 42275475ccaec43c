package io.arraywire.benchmarks.network;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The part of this Java that the contenders need, and the C libraries that it needs in turn.
 *
 * @param directory where it is
 * @param libraries the libraries, at the paths of this machine, where they are looked for
 */
record JavaRuntime(Path directory, List<Path> libraries) {
  /** What this library and other contenders use of the JDK. */
  private static final String MODULES =
      "java.base,java.logging,java.management,java.naming,jdk.crypto.ec,jdk.jfr,jdk.management,"
          + "jdk.net,jdk.unsupported";

  /**
   * {@code libc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x...)}, or the loader, which has no =>.
   */
  private static final Pattern LIBRARY = Pattern.compile("(?m)(?:=>|^)\\s+(/\\S+) \\(0x");

  /**
   * Parts of the C library that a JDK may do without, and libraries in jars may not. Since glibc
   * 2.34 nothing is in them, but what was built before names them.
   */
  private static final List<String> PARTS_OF_C =
      List.of("libdl.so.2", "libpthread.so.0", "librt.so.1");

  /**
   * Makes one.
   *
   * @param directory where; it must not be there yet
   */
  static JavaRuntime link(Path directory) throws IOException {
    Path jlink = Path.of(System.getProperty("java.home"), "bin", "jlink");
    if (!Files.isExecutable(jlink)) {
      throw new IOException(
          "no image can be built without jlink; run this with a JDK, or name an image that has a"
              + " java with --base-image (jlink="
              + jlink
              + ")");
    }
    HostCommand.run(
        jlink.toString(),
        "--add-modules",
        MODULES,
        "--no-header-files",
        "--no-man-pages",
        "--output",
        directory.toString());
    List<String> command = new ArrayList<>(List.of("ldd"));
    try (Stream<Path> files = Files.walk(directory)) {
      files
          .filter(each -> each.endsWith("bin/java") || each.toString().endsWith(".so"))
          .map(Path::toString)
          .forEach(command::add);
    }
    return new JavaRuntime(directory, withPartsOfC(libraries(HostCommand.run(command), directory)));
  }

  /** The paths that {@code ldd} names, but those in the runtime itself. */
  static List<Path> libraries(String listed, Path runtime) {
    TreeSet<Path> found = new TreeSet<>();
    Matcher library = LIBRARY.matcher(listed);
    while (library.find()) {
      Path path = Path.of(library.group(1));
      if (!path.startsWith(runtime)) {
        found.add(path);
      }
    }
    return List.copyOf(found);
  }

  /** The same and, beside the C library, those of its parts that this machine has. */
  static List<Path> withPartsOfC(List<Path> libraries) {
    TreeSet<Path> all = new TreeSet<>(libraries);
    for (Path library : libraries) {
      if (library.endsWith("libc.so.6")) {
        PARTS_OF_C.stream().map(library::resolveSibling).filter(Files::exists).forEach(all::add);
      }
    }
    return List.copyOf(all);
  }

  /** How many bytes its files have. */
  long bytes() throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(Files::isRegularFile).mapToLong(each -> each.toFile().length()).sum();
    }
  }

  /** Deletes a directory and all in it. */
  static void delete(Path directory) throws IOException {
    List<Path> all;
    try (Stream<Path> files = Files.walk(directory)) {
      all = files.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path each : all) {
      Files.delete(each);
    }
  }
}
