package io.arraywire.benchmarks.receipts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReceiptGuardTest {
  @TempDir private Path directory;

  private static void fails(String complaint, String... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int status =
        ReceiptGuard.run(
            arguments,
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8));
    assertThat(err.toString(StandardCharsets.UTF_8)).contains(complaint).hasLineCount(1);
    assertThat(status).isEqualTo(2);
    assertThat(out.size()).isZero();
  }

  @Test
  void whatCannotBeIsSaidInOneLine() {
    fails("usage: ReceiptGuard", "compare", "receipts.txt");
    fails("usage: ReceiptGuard", "check");
    fails("no such file (file=", "check", directory.resolve("missing.txt").toString());
    fails("no such path (path=nosuch)", "check", "receipts.txt", "nosuch");
  }
}
