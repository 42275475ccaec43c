package io.arraywire.benchmarks.receipts;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An array that is sent and received into the caller's own makes no garbage at either end, also as
 * the one part of a message, in a JVM of its own whose compilers are all there. No clock takes
 * part.
 */
@Tag("alone")
@Tag("ci")
@Tag("newest")
class ConnectionReceiptsIT {
  /** What is less is not made for each array. */
  private static final double SMALLEST_OBJECT = 8;

  /** More than 32 elements in a chunk may cost a view of a buffer, see docs/memory.md. */
  @Test
  void anArrayMakesNoGarbage(@TempDir Path dir) throws Exception {
    List<String> lines = ReceiptLines.of(ConnectionReceipts.class, dir);
    assertThat(lines).hasSize(4);
    for (String line : lines) {
      assertThat(Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
          .as(line)
          .isLessThan(SMALLEST_OBJECT);
    }
  }
}
