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

  static JmhFile of(Members.Document document) throws IOException {
    List<JmhResult> results = new ArrayList<>();
    for (Members each : document.objects("JMH")) {
      results.add(JmhResult.parse(each));
    }
    if (results.isEmpty()) {
      throw new IOException("no benchmark has run (file=" + document.path() + ")");
    }
    return new JmhFile(document.path(), List.copyOf(results));
  }
}
