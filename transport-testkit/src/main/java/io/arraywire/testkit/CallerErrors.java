package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.ErrorCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** What an exception must be that a public call throws. */
final class CallerErrors {
  /** Fewer than this. */
  static final int MOST_CHARACTERS = 300;

  private static final Pattern CLASS_NAME = Pattern.compile("\\b(?:[a-z]\\w*\\.)+[A-Z]\\w+");

  private static final Pattern FACT = Pattern.compile("(?<=[( ])\\w+=[^,()]+(?=[,)])");

  private CallerErrors() {}

  /** A call of a test's that may fail. */
  @FunctionalInterface
  interface Call {
    void run() throws Exception;
  }

  /** What is done with a file. */
  @FunctionalInterface
  interface FileCall {
    void run(Path file) throws Exception;
  }

  /** Does something with a file of zeros, which is deleted then. */
  static void withFile(int bytes, FileCall call) throws Exception {
    Path file = Files.createTempFile("arraywire-caller", ".raw");
    try {
      Files.write(file, new byte[bytes]);
      call.run(file);
    } finally {
      Files.delete(file);
    }
  }

  /** A failure that was found at this side, of one of some kinds. */
  static Predicate<Throwable> anyOf(ErrorCode... codes) {
    return failure -> Arrays.stream(codes).anyMatch(code -> code.isOf(failure));
  }

  /** The same call by two callers that wait for the same thing. */
  static List<Running<Void>> twoOf(Call call) {
    List<Running<Void>> callers = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      callers.add(Running.calling(call));
    }
    return callers;
  }

  /** Both callers have failed, each with an exception of its own that was found elsewhere. */
  static void assertFoundElsewhere(
      String what, List<Running<Void>> callers, Class<?> test, Object... kinds)
      throws InterruptedException {
    Throwable first = callers.get(0).failure();
    Throwable second = callers.get(1).failure();
    assertFoundElsewhere(what, first, test, kinds);
    assertFoundElsewhere(what, second, test, kinds);
    assertThat(first).as(what).isNotSameAs(second);
  }

  /** What another thread has found: the caller's exception has that thread's as its cause. */
  static void assertFoundElsewhere(String what, Throwable failure, Class<?> test, Object... kinds) {
    assertTraced(what, failure, test, kinds);
    assertThat(failure.getCause())
        .as(what)
        .isExactlyInstanceOf(failure.getClass())
        .hasMessage(failure.getMessage());
  }

  /**
   * Typed, short, of one line, and with the caller's own code in its stack.
   *
   * @param kinds classes of exceptions, or codes: one of them is what it must be
   */
  static void assertTraced(String what, Throwable failure, Class<?> test, Object... kinds) {
    assertThat(failure).as(what).isInstanceOf(ArraywireException.class);
    assertThat(kinds)
        .as("%s, which is %s", what, failure)
        .anyMatch(kind ->
            kind instanceof ErrorCode code
                ? code.isOf(failure)
                : ((Class<?>) kind).isInstance(failure));
    assertThat(failure.getStackTrace())
        .as(what)
        .anyMatch(frame -> frame.getClassName().equals(test.getName()));
    assertShort(what, failure);
  }

  /** The text names the peer, of whose address it may cut what is long, and a fact is all of it. */
  static void assertNamesPeer(Throwable failure, Connection connection) {
    assertThat(failure).hasMessageContaining("peer=");
    assertThat(((ArraywireException) failure).facts().get("peer"))
        .hasToString(String.valueOf(connection.remoteAddress()));
  }

  /** A message that fits a line of a log, whatever a peer had to say. */
  static void assertShort(String what, Throwable failure) {
    String message = String.valueOf(failure.getMessage());
    assertThat(message).as(what).hasSizeLessThan(MOST_CHARACTERS).doesNotContainPattern(CLASS_NAME);
    assertThat(message.chars()).as(what).noneMatch(Character::isISOControl);
    assertThat(FACT.matcher(message).results().map(MatchResult::group))
        .as("%s: %s", what, message)
        .doesNotHaveDuplicates();
  }
}
