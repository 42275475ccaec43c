package io.arraywire.benchmarks.result;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What JMH keeps with {@code -rf json}. It does not say on which machine it was measured.
 *
 * @param path the file
 * @param results at least one
 */
public record JmhFile(Path path, List<JmhResult> results) implements FiguresFile {

  /**
   * Reads a file.
   *
   * @param path where it is
   * @return what it says
   * @throws IOException if it cannot be read, is not JSON, or not what JMH writes
   */
  public static JmhFile read(Path path) throws IOException {
    List<JmhResult> results = new ArrayList<>();
    for (Members each : Members.readList(path, "JMH")) {
      results.add(JmhResult.parse(each));
    }
    if (results.isEmpty()) {
      throw new IOException("no benchmark has run (file=" + path + ")");
    }
    return new JmhFile(path, List.copyOf(results));
  }
}
