package io.arraywire.nio;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What lives on the heap of another JVM, after a collection of all else. */
final class LiveObjects {
  private static final int ATTEMPTS = 5;

  private LiveObjects() {}

  /** The lines of its class histogram: one for each class, and the total. */
  static List<String> of(Process jvm) throws IOException {
    for (int i = 0; i < ATTEMPTS; i++) {
      List<String> lines = ask(jvm, "GC.class_histogram");
      if (lines != null) {
        return lines;
      }
    }
    throw new IOException("a JVM did not tell of its objects (pid=" + jvm.pid() + ")");
  }

  /** What a JVM says to a command of jcmd; null if it does not answer, as one that is too busy. */
  static @Nullable List<String> ask(Process jvm, String question) throws IOException {
    String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
    Process asked =
        new ProcessBuilder(jcmd, jvm.pid() + "", question)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(asked.getInputStream(), StandardCharsets.UTF_8))) {
      List<String> all = lines.lines().toList();
      return asked.onExit().join().exitValue() == 0 ? all : null;
    }
  }
}
