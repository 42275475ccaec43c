package io.arraywire.benchmarks.receipts;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What is allocated to write messages into given memory and to read them into given arrays does not
 * grow with the elements, in a JVM of its own whose compilers are all there. No clock takes part.
 */
@Tag("alone")
@Tag("ci")
@Tag("newest")
class MessageReceiptsIT {
  /** BulkElements makes one view of a buffer for a part of more than 32 elements. */
  private static final int VIEW_BYTES = 64;

  @ParameterizedTest
  @CsvSource({"heap, raw-le", "heap, raw-be", "direct, raw-le", "direct, raw-be"})
  void whatIsAllocatedDoesNotGrowWithTheElements(String memory, String encoding) throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                MessageReceipts.class.getName(),
                memory,
                encoding)
            .redirectErrorStream(true)
            .start();
    List<String> lines =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
            .lines()
            .toList();
    assertThat(process.waitFor()).as("%s", lines).isZero();
    assertThat(lines).hasSize(8);
    for (String line : lines) {
      int views = line.contains(" 16 ") ? 0 : line.contains(" one ") ? 1 : 2;
      // What is counted with the measuring itself is a tenth of a byte.
      assertThat(Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
          .as(line)
          .isLessThan(views * VIEW_BYTES + 0.5);
    }
  }
}
