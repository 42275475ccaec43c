package io.arraywire.benchmarks.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class HostCommandTest {
  @Test
  void whatACommandSaysIsKnown() throws Exception {
    assertThat(HostCommand.run("sh", "-c", "echo one; echo two >&2")).isEqualTo("one\ntwo\n");
  }

  @Test
  void aCommandThatFailsSaysWhy() {
    assertThatIOException()
        .isThrownBy(() -> HostCommand.run("sh", "-c", "echo no such thing; exit 3"))
        .withMessage(
            "a command failed (command=sh -c echo no such thing; exit 3, said=no such thing)");
  }

  @Test
  void aCommandThatDoesNotEndIsEnded() {
    // On a busy machine a second may be over before it has begun.
    String said;
    int seconds = 1;
    do {
      int patience = seconds;
      IOException failure =
          catchThrowableOfType(
              IOException.class,
              () -> HostCommand.run(List.of("sh", "-c", "echo begun; exec sleep 1000"), patience));
      said = failure.getMessage();
      assertThat(said).contains("a command did not end within " + patience + " s (command=sh");
      seconds *= 4;
    } while (seconds <= 64 && !said.contains("said=begun"));
    assertThat(said).contains("said=begun");
  }
}
