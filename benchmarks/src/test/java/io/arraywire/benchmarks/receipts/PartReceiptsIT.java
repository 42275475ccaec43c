package io.arraywire.benchmarks.receipts;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A message of three small parts that is sent again, and read into the receiver's own arrays, makes
 * no garbage at either end. In a JVM of its own whose compilers are all there. No clock takes part.
 */
@Tag("alone")
@Tag("ci")
@Tag("newest")
class PartReceiptsIT {
  /** What is less is not made for each message. */
  private static final double SMALLEST_OBJECT = 8;

  /** More than 32 elements in a part may cost a view of a buffer, see docs/memory.md. */
  @Test
  void aMessageOfThreePartsMakesNoGarbage(@TempDir Path dir) throws Exception {
    List<String> lines = ReceiptLines.of(PartReceipts.class, dir);
    assertThat(lines).hasSize(3);
    for (String line : lines) {
      assertThat(Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
          .as(line)
          .isLessThan(SMALLEST_OBJECT);
    }
  }
}
