package io.arraywire.examples;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * An archive of the classes that {@code receive} loads, which the JVMs of the command share: each
 * of hundreds starts with a third less CPU time. The first that needs it makes it, once for each
 * JDK and jar, below {@code target}; other test JVMs wait for it.
 */
final class SharedClasses {
  private static final List<Object> OPTIONS = make();

  private SharedClasses() {}

  /**
   * Options for a JVM that runs the packaged jar, and no other class path; none if there is no
   * archive, without which everything works as well.
   */
  static List<Object> options() {
    return OPTIONS;
  }

  private static List<Object> make() {
    try {
      Path jar = CliProcess.jar();
      Path archive =
          jar.resolveSibling("shared-classes-" + Runtime.version() + "-" + newest(jar) + ".jsa");
      try (FileChannel channel =
              FileChannel.open(
                  jar.resolveSibling("shared-classes.lock"),
                  StandardOpenOption.CREATE,
                  StandardOpenOption.WRITE);
          FileLock lock = channel.lock()) {
        if (lock.isValid() && !Files.exists(archive)) {
          Path unfinished = archive.resolveSibling(archive.getFileName() + ".part");
          dump(jar, unfinished);
          Files.move(unfinished, archive, StandardCopyOption.ATOMIC_MOVE);
        }
      }
      return List.of("-XX:SharedArchiveFile=" + archive);
    } catch (IOException | InterruptedException e) {
      System.err.println("JVMs of the command share no classes: " + e);
      return List.of();
    }
  }

  /** When the last one of the jar and its libraries was made: the archive fits no other. */
  private static long newest(Path jar) throws IOException {
    long newest = Files.getLastModifiedTime(jar).toMillis();
    try (DirectoryStream<Path> libraries = Files.newDirectoryStream(jar.resolveSibling("lib"))) {
      for (Path each : libraries) {
        newest = Math.max(newest, Files.getLastModifiedTime(each).toMillis());
      }
    }
    return newest;
  }

  /** By a receiver of one array. */
  private static void dump(Path jar, Path archive) throws IOException, InterruptedException {
    Path file = NpyFiles.digits(Files.createTempFile("shared-classes", ".npy"));
    try (CliProcess receiver =
            run(
                List.of("-XX:ArchiveClassesAtExit=" + archive),
                jar,
                List.of("receive", "--listen", "localhost:0", "--discard", "--count", 1));
        CliProcess sender =
            run(List.of(), jar, List.of("send", "--to", receiver.awaitListening(), file))) {
      sender.awaitExit();
      receiver.awaitExit();
    } finally {
      Files.delete(file);
    }
  }

  private static CliProcess run(List<Object> options, Path jar, List<Object> arguments)
      throws IOException {
    List<Object> command = new ArrayList<>(CliProcess.javaCommand(options.toArray()));
    command.addAll(List.of("-jar", jar));
    command.addAll(arguments);
    return CliProcess.start(Map.of(), command.toArray());
  }
}
