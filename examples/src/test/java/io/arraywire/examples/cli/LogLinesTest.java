package io.arraywire.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;

/** What the libraries log, on standard error. */
class LogLinesTest {
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private long nanos;

  private LogLines lines(boolean verbose) {
    PrintStream print = new PrintStream(err, true, StandardCharsets.UTF_8);
    return new LogLines(new Console(print, print, false), verbose, () -> nanos);
  }

  private List<String> said() {
    return err.toString(StandardCharsets.UTF_8).lines().toList();
  }

  private static LogRecord warning(String text) {
    return new LogRecord(Level.WARNING, text);
  }

  /** A broker that was down for a minute made some two lines a second. */
  @Test
  void aLineThatComesAgainIsWrittenOnceAMinute() {
    LogLines lines = lines(false);
    for (int i = 0; i < 120; i++) {
      lines.publish(warning("the broker is down"));
      lines.publish(warning("this is line " + i % 3));
      nanos += LogLines.QUIET.toNanos() / 120;
    }
    assertThat(said())
        .containsExactly(
            "arraywire: warning: the broker is down",
            "arraywire: warning: this is line 0",
            "arraywire: warning: this is line 1",
            "arraywire: warning: this is line 2");
    lines.publish(warning("the broker is down"));
    lines.publish(warning("the broker is down"));
    assertThat(said())
        .last()
        .isEqualTo("arraywire: warning: the broker is down (left out before: 119)");
  }

  @Test
  void whatIsAskedForIsAllThere() {
    LogLines lines = lines(true);
    lines.publish(warning("the broker is down"));
    lines.publish(warning("the broker is down"));
    assertThat(said()).hasSize(2);
  }

  /** However many there are, few are remembered; the first of them is forgotten by then. */
  @Test
  void otherLinesTakeNoMemoryForEver() {
    LogLines lines = lines(false);
    lines.publish(warning("the first"));
    for (int i = 0; i < 1_000; i++) {
      lines.publish(warning("line " + i));
    }
    lines.publish(warning("the first"));
    assertThat(said()).hasSize(1_002);
  }
}
