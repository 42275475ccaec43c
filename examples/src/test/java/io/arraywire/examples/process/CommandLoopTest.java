package io.arraywire.examples.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class CommandLoopTest {
  private static final long HEAP_BYTES = 16 << 20;

  /** Fails as a command says. */
  private static final class Failing {
    public static void main(String[] arguments) throws Exception {
      new CommandLoop()
          .serve(words ->
              switch (words[0]) {
                case "error" -> throw new NoClassDefFoundError("no such\nclass");
                case "exception" -> throw new IOException("no such file");
                default -> words;
              });
    }
  }

  /** The sender of the command would wait for the answer for too long. */
  @Test
  void whateverACommandThrowsIsAnAnswerAndTheNextIsCarriedOut() throws Exception {
    try (ChildJvm child = ChildJvm.start("failing", Failing.class, HEAP_BYTES, null)) {
      assertThatThrownBy(() -> child.ask("error"))
          .isInstanceOf(IOException.class)
          .hasMessage("the failing process failed: java.lang.NoClassDefFoundError: no such class");
      assertThatThrownBy(() -> child.ask("exception"))
          .isInstanceOf(IOException.class)
          .hasMessage("the failing process failed: java.io.IOException: no such file");
      assertThat(child.ask("other")).containsExactly("other");
    }
  }
}
