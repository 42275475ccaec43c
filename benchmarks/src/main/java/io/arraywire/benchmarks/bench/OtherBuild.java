package io.arraywire.benchmarks.bench;

import io.arraywire.benchmarks.result.Checkout;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.jar.JarFile;
import org.jspecify.annotations.Nullable;

/**
 * This program as another commit has it, built beside this one.
 *
 * @param name the commit, abbreviated
 * @param archive the jar, with all that it needs
 */
record OtherBuild(String name, Path archive) {
  private static final int LAST_LINES = 5;

  /**
   * Builds a commit in a clone of its own, below {@code .arraywire/builds} of this checkout. A
   * clone that is there already is used again.
   *
   * @param commit what git knows it by, such as {@code HEAD~1}
   * @param says told what is done
   * @throws IllegalArgumentException if there is no such commit
   * @throws IOException if it cannot be built
   */
  static OtherBuild of(String commit, Consumer<String> says) throws IOException {
    Path root = Checkout.directory();
    if (root == null) {
      throw new IOException("another commit can only be built from within a checkout with git");
    }
    return of(root, commit, says);
  }

  /** The same from a checkout. */
  static OtherBuild of(Path root, String commit, Consumer<String> says) throws IOException {
    Path builds = Files.createDirectories(root.resolve(".arraywire/builds"));
    Path log = builds.resolve("build.log");
    String hash = hash(root, commit, log);
    Path clone = builds.resolve(hash);
    String name = run(log, "git", "-C", root.toString(), "rev-parse", "--short", hash).strip();
    if (Files.notExists(clone)) {
      Path part = builds.resolve(hash + ".part");
      run(log, "rm", "-rf", part.toString());
      run(log, "git", "clone", "-q", "--shared", "-n", root.toString(), part.toString());
      run(log, "git", "-C", part.toString(), "checkout", "-q", "--detach", hash);
      Files.move(part, clone);
    }
    says.accept("building " + name + " (directory=" + clone + ")");
    // Its own launcher knows how, and does nothing where nothing has changed.
    run(log, clone.resolve("arraywire").toString(), "bench", "--list");
    Path archive = clone.resolve("benchmarks/target/benchmarks.jar");
    if (Files.notExists(archive)) {
      throw new IOException("the build of " + name + " made no jar (expected=" + archive + ")");
    }
    return new OtherBuild(name, archive);
  }

  private static String hash(Path root, String commit, Path log) throws IOException {
    try {
      return run(
              log,
              "git",
              "-C",
              root.toString(),
              "rev-parse",
              "--verify",
              "--quiet",
              "--end-of-options",
              commit + "^{commit}")
          .strip();
    } catch (IOException e) {
      throw new IllegalArgumentException("git knows no such commit (commit=" + commit + ")", e);
    }
  }

  /** Runs a command with this Java; returns what it prints on standard output. */
  private static String run(Path log, String... command) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectError(log.toFile());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    Process process = builder.start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      int status = process.waitFor();
      if (status != 0) {
        throw new IOException(
            "a command failed (command="
                + String.join(" ", command)
                + ", status="
                + status
                + ", said="
                + lastLines(log)
                + ")");
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while another commit was built", e);
    }
    return said;
  }

  private static String lastLines(Path log) throws IOException {
    List<String> lines = Files.readAllLines(log).stream().filter(each -> !each.isBlank()).toList();
    return String.join("; ", lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size()));
  }

  /** Whether its contenders can be told that their arrays hold that data. */
  boolean knows(ArrayData data) throws IOException {
    Class<?> kind = data instanceof FileData ? FileData.class : SampleData.class;
    try (JarFile jar = new JarFile(archive.toFile())) {
      return jar.getEntry(kind.getName().replace('.', '/') + ".class") != null;
    }
  }

  /** A contender of this build as that build has it. */
  Participant participant(Participant own) {
    return new OfOtherBuild(own, this);
  }

  /**
   * A contender whose JVMs run another build.
   *
   * @param own what this build calls the same contender
   * @param build the other build
   */
  private record OfOtherBuild(Participant own, OtherBuild build) implements Participant {
    @Override
    public String name() {
      return own.name() + "@" + build.name();
    }

    @Override
    public String summary() {
      return own.summary() + ", as of " + build.name();
    }

    @Override
    public @Nullable String loss() {
      return own.loss();
    }

    @Override
    public boolean acrossHosts() {
      return own.acrossHosts();
    }

    @Override
    public List<String> jvmOptions() {
      return own.jvmOptions();
    }

    @Override
    public long garbageBytes() {
      return own.garbageBytes();
    }

    @Override
    public Pair start(BenchSettings settings, @Nullable PrintStream log) throws IOException {
      return own.start(settings.on(settings.hosts().running(build.archive())), log);
    }
  }
}
