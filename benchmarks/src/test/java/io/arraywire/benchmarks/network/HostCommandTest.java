package io.arraywire.benchmarks.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

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
    assertThatIOException()
        .isThrownBy(() -> HostCommand.run(List.of("sh", "-c", "echo begun; exec sleep 1000"), 1))
        .withMessageContaining("a command did not end within 1 s (command=sh")
        .withMessageContaining("said=begun");
  }
}
