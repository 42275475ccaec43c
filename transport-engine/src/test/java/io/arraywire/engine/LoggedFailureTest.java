package io.arraywire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What a peer has sent, and a handler or the JDK has put into a failure, forges no log line. */
class LoggedFailureTest {
  private static final String FORGED = "Nov 28, 2026 SEVERE: all arrays were lost";
  private static final String RED = "\u001b[31m";

  private List<String> lines = List.of();

  private void log(Throwable failure) {
    Throwable logged = Objects.requireNonNull(LoggedFailure.of(failure));
    StringWriter text = new StringWriter();
    logged.printStackTrace(new PrintWriter(text));
    lines = text.toString().lines().toList();
  }

  private void assertNothingIsForged() {
    assertThat(lines)
        .noneMatch(line -> line.startsWith(FORGED))
        .noneMatch(line -> line.contains("\u001b") || line.contains("\u009b"))
        .anyMatch(line -> line.contains(FORGED));
  }

  @Test
  void ofAHandlerThatNamesWhatAPeerHasSent() {
    String sent = "12\n" + FORGED + RED;
    log(catchThrowable(() -> Integer.parseInt(sent)));
    assertNothingIsForged();
  }

  @Test
  void ofItsCausesAndOfWhatWasSuppressed() {
    IOException failure = new IOException("a certificate", new IOException("of\r" + FORGED));
    failure.addSuppressed(new IllegalArgumentException("and\u2028" + FORGED + "\u009b2J"));
    log(failure);
    assertNothingIsForged();
    assertThat(lines).anyMatch(line -> line.startsWith("Caused by: java.io.IOException: of"));
  }

  @Test
  void ofAFailureThatIsItsOwnCause() {
    IOException cause = new IOException("first\n" + FORGED);
    IOException failure = new IOException("second", cause);
    cause.initCause(failure);
    log(failure);
    assertNothingIsForged();
  }

  @Test
  void aVeryLongTextIsCut() {
    log(new IOException("x".repeat(1 << 20)));
    assertThat(lines).allMatch(line -> line.length() < 5000);
  }

  /** Other failures are those that were thrown, for handlers of logs that look at their class. */
  @Test
  void aFailureThatControlsNothingStaysAsItIs() {
    IOException failure = new IOException("Größe = 3 µm", new IOException("cause"));
    assertThat(LoggedFailure.of(failure)).isSameAs(failure);
  }
}
