package io.arraywire.nio;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** What lives on the heap of another JVM, after a collection of all else. */
final class LiveObjects {
  private LiveObjects() {}

  /** The lines of its class histogram: one for each class, and the total. */
  static List<String> of(Process jvm) throws IOException {
    String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
    Process asked =
        new ProcessBuilder(jcmd, jvm.pid() + "", "GC.class_histogram")
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(asked.getInputStream(), StandardCharsets.UTF_8))) {
      return lines.lines().toList();
    }
  }
}
