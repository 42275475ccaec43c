package io.arraywire.benchmarks.result;

import io.arraywire.examples.report.Json;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Which state of the sources was measured.
 *
 * @param commit its hash, or {@link #UNKNOWN}
 * @param modified whether something that is built differs from the commit; null if that is not
 *     known
 */
public record Checkout(String commit, @Nullable Boolean modified) {
  /** The commit where there is none, or no git. */
  public static final String UNKNOWN = "unknown";

  private static final Checkout NONE = new Checkout(UNKNOWN, null);

  /** What the build reads: figures and notes that lie about in a checkout change nothing. */
  private static final List<String> SOURCES =
      List.of("pom.xml", "arraywire", ":(glob)*/pom.xml", ":(glob)*/src/**");

  private static final int GIT_SECONDS = 20;

  /**
   * The checkout that this program was built in, as it is now: the launcher builds what has changed
   * before it starts anything.
   *
   * @return the commit, or {@link #UNKNOWN}
   */
  public static Checkout here() {
    Path root = directory();
    return root == null ? NONE : of(root);
  }

  /**
   * The directory of the checkout that this program was built in.
   *
   * @return it, or null if the program is in no checkout of this project
   */
  public static @Nullable Path directory() {
    try {
      CodeSource source = Checkout.class.getProtectionDomain().getCodeSource();
      return source == null ? null : rootAround(Path.of(source.getLocation().toURI()));
    } catch (URISyntaxException | IllegalArgumentException e) {
      return null;
    }
  }

  private static @Nullable Path rootAround(Path inside) {
    for (Path each = inside.toAbsolutePath(); each != null; each = each.getParent()) {
      if (Files.exists(each.resolve(".git"))) {
        return Files.exists(each.resolve("benchmarks/pom.xml")) ? each : null;
      }
    }
    return null;
  }

  /**
   * The checkout of this project that a file is part of.
   *
   * @param inside a file or directory
   * @return the commit, or {@link #UNKNOWN} if it is in no checkout, or in one of something else
   */
  static Checkout around(Path inside) {
    Path root = rootAround(inside);
    return root == null ? NONE : of(root);
  }

  private static Checkout of(Path root) {
    String commit = git(root, List.of("rev-parse", "HEAD"));
    if (commit == null || commit.isBlank()) {
      return NONE;
    }
    List<String> status = new ArrayList<>(List.of("status", "--porcelain", "--"));
    status.addAll(SOURCES);
    String changes = git(root, status);
    return new Checkout(commit.strip(), changes == null ? null : !changes.isBlank());
  }

  /** What git prints, or null if it fails or is not there. */
  private static @Nullable String git(Path root, List<String> arguments) {
    List<String> command = new ArrayList<>(List.of("git", "-C", root.toString()));
    command.addAll(arguments);
    try {
      Process process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
      // It must not wait for an answer that nobody gives.
      process.getOutputStream().close();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      boolean ended = process.waitFor(GIT_SECONDS, TimeUnit.SECONDS);
      return ended && process.exitValue() == 0 ? output : null;
    } catch (IOException e) {
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }

  Map<String, @Nullable Object> members() {
    return Json.object("commit", commit, "modified", modified);
  }

  static Checkout parse(Members members) throws IOException {
    return new Checkout(members.text("commit"), members.truthOrNull("modified"));
  }

  /**
   * The commit in words.
   *
   * @return its hash, and whether the sources differ from it
   */
  public String label() {
    return Boolean.TRUE.equals(modified) ? commit + ", with changes" : commit;
  }
}
