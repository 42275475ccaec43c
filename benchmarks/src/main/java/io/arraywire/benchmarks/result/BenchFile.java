package io.arraywire.benchmarks.result;

import io.arraywire.examples.report.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What {@code arraywire bench --json} keeps. docs/benchmarks.md has the members of the file.
 *
 * @param path the file
 * @param environment where and how it was measured
 * @param runs one, or one for each number of connections
 */
public record BenchFile(Path path, Environment environment, List<Run> runs) implements FiguresFile {
  /** What the member {@code format} says. */
  private static final String FORMAT = "arraywire-bench";

  private static final String NOT_OURS = "not a file of 'arraywire bench --json'";

  /** Rises when a reader of the version before would misunderstand a file. */
  private static final long VERSION = 1;

  /**
   * Makes the text of a file.
   *
   * @param environment where and how it was measured
   * @param runs the members of each run
   * @return one line of JSON
   */
  public static String text(
      Environment environment, List<? extends Map<String, @Nullable Object>> runs) {
    Map<String, @Nullable Object> members = Json.object("format", FORMAT, "version", VERSION);
    members.putAll(environment.members());
    members.put("runs", runs);
    return Json.text(members);
  }

  /**
   * Reads a file.
   *
   * @param path where it is
   * @return what it says
   * @throws IOException if it cannot be read, is not JSON, or not what is written today
   */
  public static BenchFile read(Path path) throws IOException {
    return of(Members.read(path));
  }

  static BenchFile of(Members.Document document) throws IOException {
    Path path = document.path();
    if (document.isList()) {
      throw new IOException(NOT_OURS + ", but a list, as JMH writes it (file=" + path + ")");
    }
    Members members = document.object("'arraywire bench --json'");
    if (!members.text("format", "").equals(FORMAT)) {
      throw new IOException(NOT_OURS + " (file=" + path + ")");
    }
    long version = members.whole("version");
    if (version != VERSION) {
      throw new IOException(
          "a format that this version does not read; measure again (file="
              + path
              + ", version="
              + version
              + ", expected="
              + VERSION
              + ")");
    }
    List<Run> runs = new ArrayList<>();
    for (Members each : members.objects("runs")) {
      runs.add(Run.parse(each));
    }
    if (runs.isEmpty()) {
      throw members.wrong("runs", "one run or more");
    }
    return new BenchFile(path, Environment.parse(members), runs);
  }
}
