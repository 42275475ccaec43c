package io.arraywire.benchmarks.receipts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The lines that a program of receipts prints in a JVM of its own. */
final class ReceiptLines {
  private ReceiptLines() {}

  /**
   * Those of small arrays over {@code nio}.
   *
   * @param dir for what it says besides
   */
  static List<String> of(Class<?> program, Path dir) throws IOException, InterruptedException {
    Path said = dir.resolve("stderr");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                program.getName(),
                "nio",
                "16")
            .redirectError(said.toFile())
            .start();
    List<String> lines =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
            .lines()
            .toList();
    assertThat(process.waitFor()).as(Files.readString(said)).isZero();
    return lines;
  }
}
