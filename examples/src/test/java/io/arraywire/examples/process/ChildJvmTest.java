package io.arraywire.examples.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChildJvmTest {
  /** A process that was killed after it had said that much. */
  private static final class Ended extends Process {
    private final String out;
    private final String err;

    Ended(String out, String err) {
      this.out = out;
      this.err = err;
    }

    @Override
    public OutputStream getOutputStream() {
      return new ByteArrayOutputStream();
    }

    @Override
    public InputStream getInputStream() {
      return new ByteArrayInputStream(out.getBytes(UTF_8));
    }

    @Override
    public InputStream getErrorStream() {
      return new ByteArrayInputStream(err.getBytes(UTF_8));
    }

    @Override
    public int waitFor() {
      return exitValue();
    }

    @Override
    public int exitValue() {
      return 137;
    }

    @Override
    public void destroy() {}
  }

  @ParameterizedTest
  @ValueSource(strings = {"ready\nok\t12345\n", "ready\r\nok\t12345\r\n"})
  void anAnswerIsALine(String out) throws Exception {
    try (ChildJvm child = ChildJvm.of("patient", new Ended(out, ""), null)) {
      assertThat(child.ask("port")).containsExactly("12345");
    }
  }

  /** Half of a number is one, too. */
  @ParameterizedTest
  @ValueSource(strings = {"", "ok\t123", "ok\t12345", "failed\t", "ok\t12345\r"})
  void anAnswerThatIsCutShortIsNone(String cut) throws Exception {
    try (ChildJvm child = ChildJvm.of("patient", new Ended("ready\n" + cut, ""), null)) {
      assertThatThrownBy(() -> child.ask("port"))
          .isInstanceOf(IOException.class)
          .hasMessage("the patient process ended by itself (status=137, said=)");
    }
  }

  /** What else a JVM prints is not an answer, or all answers behind it are those before them. */
  @Test
  void aLineThatIsNoAnswerSaysThatTheProcessIsOutOfStep() throws Exception {
    String warning = "[0.1s][warning][gc] a JVM may print this";
    try (ChildJvm child = ChildJvm.of("patient", new Ended("ready\n" + warning + "\n", ""), null)) {
      assertThatThrownBy(() -> child.ask("port"))
          .isInstanceOf(IOException.class)
          .hasMessage(
              "the patient process is out of step (expected=an answer, line=" + warning + ")");
    }
  }

  @Test
  void aProcessThatNeverGetsReadySaysWhy() {
    String err = "first\nsecond\nError: third\n\tat Somewhere.main\n \n\t... 3 more\nlast";
    for (String out : new String[] {"", "rea", "ready"}) {
      assertThatThrownBy(() -> ChildJvm.of("patient", new Ended(out, err), null))
          .isInstanceOf(IOException.class)
          .hasMessage(
              "the patient process ended by itself (status=137, said=second; Error: third; last)");
    }
  }
}
