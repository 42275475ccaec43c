package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

/** A {@link ScarceProgram} in a JVM whose file descriptors a shell has limited. One thread. */
final class ScarceProcess implements AutoCloseable {
  /** Not written twice; and no logger of a test's, for it is the JDK's own that is scarce. */
  private static final Set<String> LEFT_OUT =
      Set.of("META-INF/MANIFEST.MF", "META-INF/services/java.lang.System$LoggerFinder");

  private final Process process;
  private final BufferedReader answers;
  private final Path words;

  private ScarceProcess(Process process, Path words) {
    this.process = process;
    this.words = words;
    answers =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  static ScarceProcess start(Path directory, Class<?> factory, int descriptors) throws Exception {
    Path words = directory.resolve("words");
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    ProcessBuilder builder =
        new ProcessBuilder(
            "sh",
            "-c",
            "ulimit -n " + descriptors + "; exec \"$@\"",
            "sh",
            java,
            "-Xmx128m",
            "-XX:+UseSerialGC",
            "-cp",
            archives(directory),
            ScarceProgram.class.getName(),
            factory.getName());
    builder.redirectError(words.toFile());
    ScarceProcess started = new ScarceProcess(builder.start(), words);
    started.answer("began");
    return started;
  }

  /**
   * The class path with archives in place of directories. A JVM keeps an archive open; of a
   * directory it opens a file for each class.
   */
  private static String archives(Path directory) throws IOException {
    String classPath = System.getProperty("java.class.path");
    List<String> entries = new ArrayList<>();
    for (String entry : List.of(classPath.split(File.pathSeparator, -1))) {
      Path path = Path.of(entry);
      if (Files.isDirectory(path)) {
        Path archive = directory.resolve("classes-" + entries.size() + ".jar");
        archive(path, archive);
        entries.add(archive.toString());
      } else if (Files.exists(path)) {
        entries.add(entry);
      }
    }
    return String.join(File.pathSeparator, entries);
  }

  private static void archive(Path classes, Path archive) throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(Attributes.Name.MULTI_RELEASE, "true");
    try (OutputStream file = Files.newOutputStream(archive);
        JarOutputStream jar = new JarOutputStream(file, manifest);
        Stream<Path> all = Files.walk(classes)) {
      for (Path each : all.filter(Files::isRegularFile).toList()) {
        String name = classes.relativize(each).toString().replace('\\', '/');
        if (!LEFT_OUT.contains(name)) {
          jar.putNextEntry(new ZipEntry(name));
          Files.copy(each, jar);
        }
      }
    }
  }

  /** Gives a command; returns the rest of its answer, which must be that it was done. */
  String ask(String command) throws IOException {
    return answer(command);
  }

  /** Gives a command that must fail; returns how. */
  String askInVain(String command) throws IOException {
    tell(command);
    String line = line(command);
    assertThat(line).as(command).startsWith("failed ");
    return line;
  }

  private String answer(String command) throws IOException {
    if (!command.equals("began")) {
      tell(command);
    }
    String line = line(command);
    assertThat(line).as(command).startsWith("ok ");
    return line.substring("ok ".length());
  }

  private void tell(String command) throws IOException {
    OutputStream commands = process.getOutputStream();
    commands.write((command + "\n").getBytes(StandardCharsets.UTF_8));
    commands.flush();
  }

  private String line(String command) throws IOException {
    String line = answers.readLine();
    if (line == null) {
      throw new AssertionError("the process has ended at " + command + ": " + words());
    }
    return line;
  }

  /** How many sockets it has open. */
  int sockets() {
    File[] descriptors = new File("/proc/" + process.pid() + "/fd").listFiles();
    if (descriptors == null) {
      throw new IllegalStateException("the process has ended: " + process);
    }
    int sockets = 0;
    for (File each : descriptors) {
      try {
        sockets += Files.readSymbolicLink(each.toPath()).toString().startsWith("socket:") ? 1 : 0;
      } catch (IOException e) {
        // It was closed meanwhile.
      }
    }
    return sockets;
  }

  /** The time for which it has had a processor. */
  Duration cpuTime() {
    return process.info().totalCpuDuration().orElseThrow();
  }

  /** What it has logged. */
  String words() throws IOException {
    return Files.readString(words);
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
