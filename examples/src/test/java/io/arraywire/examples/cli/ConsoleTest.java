package io.arraywire.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ConsoleTest {
  /** A terminal or pipe that takes no more. */
  private static final class Stalled extends OutputStream {
    final CountDownLatch reached = new CountDownLatch(1);
    final CountDownLatch goesOn = new CountDownLatch(1);

    @Override
    public void write(int each) {
      reached.countDown();
      try {
        goesOn.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Test
  void resultsDoNotWaitForErrors() throws Exception {
    Stalled err = new Stalled();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Console console =
        new Console(
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            false);
    // The common pool has one thread on two processors.
    Thread complaint = new Thread(() -> console.complain("failed"), "complaint");
    complaint.start();
    try {
      err.reached.await();
      CompletableFuture.runAsync(() -> console.print("result")).get(20, TimeUnit.SECONDS);
      assertThat(out.toString(StandardCharsets.UTF_8).lines()).containsExactly("result");
    } finally {
      err.goesOn.countDown();
    }
    complaint.join(TimeUnit.SECONDS.toMillis(20));
    assertThat(complaint.isAlive()).isFalse();
  }

  /** What a peer says, or a file is called, may be in a complaint and in a stack. */
  @Test
  void nothingThatATerminalObeysIsWritten() {
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    Console console =
        new Console(System.out, new PrintStream(written, true, StandardCharsets.UTF_8), false);
    String sent = "\u001b[31mred\u009b2Jgone\u202eback\u0085next\u2028last\u0007";
    console.complain("the peer said " + sent);
    console.trace(new IllegalStateException(sent));
    String text = written.toString(StandardCharsets.UTF_8);
    assertThat(text)
        .contains("the peer said", "\tat io.arraywire.examples.cli.ConsoleTest")
        .matches(each -> each.chars().noneMatch(ConsoleTest::isUnfit));
    assertThat(text.lines().filter(each -> each.contains("the peer said"))).hasSize(1);
  }

  private static boolean isUnfit(int each) {
    return each != '\n'
        && each != '\t'
        && (Character.isISOControl(each)
            || Character.getType(each) == Character.FORMAT
            || each == '\u2028'
            || each == '\u2029');
  }
}
