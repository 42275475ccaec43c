package io.arraywire;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.spi.MessageText;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Modifier;
import java.net.ConnectException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ErrorsTest {
  /** Every exception class of the library, so that none is forgotten that will be added. */
  static List<Class<?>> classes() throws Exception {
    Path here =
        Path.of(
            ArraywireException.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    try (Stream<Path> files = Files.list(here.resolve("io/arraywire"))) {
      List<Class<?>> classes =
          files
              .map(file -> file.getFileName().toString())
              .filter(name -> name.endsWith("Exception.class") && !name.contains("$"))
              .<Class<?>>map(name -> named("io.arraywire." + name.replace(".class", "")))
              .filter(ArraywireException.class::isAssignableFrom)
              .toList();
      assertThat(classes).isNotEmpty();
      return classes;
    }
  }

  private static Class<?> named(String name) {
    try {
      return Class.forName(name);
    } catch (ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }

  private static ArraywireException make(Class<?> type, String text, Object... facts)
      throws Exception {
    assertThat(Modifier.isAbstract(type.getModifiers())).isFalse();
    Constructor<?> constructor = type.getConstructors()[0];
    return (ArraywireException)
        (constructor.getParameterCount() == 2
            ? constructor.newInstance(text, facts)
            : constructor.newInstance(ErrorCode.REJECTED, text, facts));
  }

  @ParameterizedTest
  @MethodSource("classes")
  void aCallerGetsOneOfTheSameClassWithTheSameFacts(Class<?> type) throws Exception {
    ArraywireException origin = make(type, "it broke", "declared", 5, "limit", 4L);
    origin.describing("nio here -> there");
    Throwable root = new IOException("root");
    origin.because(root);
    ArraywireException first = origin.forCaller();
    ArraywireException second = origin.forCaller();
    assertThat(first)
        .isExactlyInstanceOf(type)
        .hasMessage(origin.getMessage())
        .isNotSameAs(second)
        .hasRootCause(root);
    assertThat(first.getCause()).isSameAs(origin);
    assertThat(first.code()).isSameAs(origin.code());
    assertThat(first.facts()).isEqualTo(origin.facts()).containsEntry("limit", 4L);
    assertThat(first.details()).isEqualTo(origin.details()).endsWith("; nio here -> there");
    assertThat(first.getStackTrace())
        .anyMatch(frame -> frame.getClassName().equals(ErrorsTest.class.getName()));
    first.addSuppressed(new IOException("only the first caller's"));
    assertThat(second.getSuppressed()).isEmpty();
    assertThat(origin.getSuppressed()).isEmpty();
  }

  /** What a peer or a cause reports has facts of its own, often the same. */
  @Test
  void aFactIsNotSaidTwice() {
    ArraywireException failure =
        new ArraywireException(
            ErrorCode.REQUEST_FAILED,
            "no answer: dropped (request=1, channel=10)",
            "request",
            1,
            "channel",
            1,
            "peer",
            "here",
            "cause",
            "it broke (peer=here)");
    assertThat(failure)
        .hasMessage(
            "no answer: dropped (request=1, channel=10) (channel=1, cause=it broke (peer=here))");
    assertThat(failure.facts()).containsEntry("request", 1).containsEntry("peer", "here");
    assertThat(failure.details()).isEqualTo(failure.getMessage());
  }

  /** As many as there are things to do about a failure; what happened is for codes to say. */
  @Test
  void thereAreAsManyClassesAsThingsToDo() throws Exception {
    assertThat(classes()).hasSize(14).contains(ArraywireException.class);
  }

  @Test
  void aCodeIsThatOfAFailureOfThisSide() {
    ArraywireException failure = reset(new IOException("broken pipe"));
    assertThat(ErrorCode.CONNECTION_RESET.isOf(failure)).isTrue();
    assertThat(ErrorCode.CONNECTION_RESET.isOf(failure.forCaller())).isTrue();
    assertThat(ErrorCode.SLOW_PEER.isOf(failure)).isFalse();
    assertThat(ErrorCode.SLOW_PEER.isOf(new RemoteErrorException(ErrorCode.SLOW_PEER, "slow")))
        .isFalse();
    assertThat(ErrorCode.INTERNAL.isOf(new IOException("INTERNAL"))).isFalse();
    assertThat(ErrorCode.INTERNAL.isOf(null)).isFalse();
  }

  /** One of a user's, whose constructors nobody here knows. */
  private static final class Foreign extends ProtocolException {
    private static final long serialVersionUID = 1;

    private Foreign() {
      super(ErrorCode.BAD_LENGTH, "a codec of a user's");
    }
  }

  @Test
  void ofAClassOfAUsersTheNearestOneIsMade() {
    ArraywireException own = new Foreign().forCaller();
    assertThat(own).isExactlyInstanceOf(ProtocolException.class).hasMessage("a codec of a user's");
    assertThat(own.code()).isEqualTo(ErrorCode.BAD_LENGTH);
    assertThat(own.getCause()).isInstanceOf(Foreign.class);
  }

  @Test
  void whatIsShortIsSaidWhole() {
    assertThat(new ProtocolException(ErrorCode.BAD_LENGTH, "too long", "declared", 5, "limit", 4))
        .hasMessage("too long (declared=5, limit=4)");
    assertThat(new ProtocolException(ErrorCode.BAD_LENGTH, "too long")).hasMessage("too long");
  }

  @Test
  void theLongestValuesGiveWayAndNoNameDoes() {
    String text = "the connection broke and is not replaced yet; wait for that, or use a session";
    String cause = "c".repeat(1000);
    String last = "l".repeat(400);
    ArraywireException failure =
        new ConnectionLostException(
            ErrorCode.CONNECTION_RESET,
            text,
            "brokenBy",
            cause,
            "lastFailure",
            last,
            "channel",
            7,
            "timeout",
            "PT30S");
    assertThat(failure.getMessage())
        .hasSize(MessageText.MOST_CHARACTERS)
        .startsWith(text + " (brokenBy=cccc")
        .contains("..., lastFailure=llll")
        .endsWith("..., channel=7, timeout=PT30S)");
    assertThat(failure.facts()).containsEntry("brokenBy", cause);
    assertThat(failure.details()).contains(cause).contains(last);
  }

  @Test
  void aLongSentenceGivesWayBeforeFactsDo() {
    assertThat(
            new RemoteRejectedException(
                    ErrorCode.REJECTED, "refused: " + "x".repeat(900), "channel", 3)
                .getMessage())
        .hasSize(MessageText.MOST_CHARACTERS)
        .startsWith("refused: xxx")
        .endsWith("x... (channel=3)");
  }

  @Test
  void moreFactsThanFitAreCut() {
    Object[] facts = new Object[80];
    for (int i = 0; i < facts.length; i++) {
      facts[i] = "long name or value " + i;
    }
    assertThat(new ProtocolException(ErrorCode.BAD_LENGTH, "x".repeat(500), facts).getMessage())
        .hasSizeLessThan(300)
        .endsWith("...");
  }

  @Test
  void aCutLeavesNoHalfOfACharacter() {
    for (int before = 0; before < 3; before++) {
      String message =
          new RemoteRejectedException(
                  ErrorCode.REJECTED, "x".repeat(before) + "\ud83d\ude00".repeat(300), "n", 1)
              .getMessage();
      assertThat(message.length()).isLessThan(300);
      String cut = message.substring(0, message.indexOf("..."));
      assertThat(Character.isHighSurrogate(cut.charAt(cut.length() - 1))).isFalse();
    }
  }

  @Test
  void whatCouldForgeALineIsReplaced() {
    ArraywireException failure =
        new RemoteErrorException(
            ErrorCode.REJECTED, "a\r\nb\u001b[2Jc\u202ed\u2028e\u0085f\u0000", "in\nname", "v\tv");
    assertThat(failure).hasMessage("the peer reports: a??b?[2Jc?d?e?f? (in?name=v?v)");
    assertThat(failure.details()).isEqualTo(failure.getMessage());
  }

  @Test
  void ofACauseItsWordsAreSaidAndNotItsClass() {
    assertThat(reset(new ConnectException("Connection refused")))
        .hasMessage("broke (cause=Connection refused)");
    assertThat(reset(new RuntimeException(new IOException("disk full"))))
        .hasMessage("broke (cause=disk full)");
    assertThat(reset(new StackOverflowError())).hasMessage("broke (cause=stack overflow)");
    assertThat(reset(new RuntimeException(new IOException()))).hasMessage("broke (cause=runtime)");
  }

  /** It may be as long as an array that a peer sent. What needs hours or the stack never ends. */
  @Test
  void aCauseMaySayAsMuchAsAPeerLikes() {
    for (String said :
        List.of("a.".repeat(200_000), "a".repeat(1_000_000), "a.A".repeat(200_000))) {
      assertThat(reset(new RuntimeException(said)))
          .hasMessageStartingWith("broke (cause=a")
          .hasMessageEndingWith("...)");
    }
  }

  @Test
  void aCauseThatCannotSayWhatItIsHasItsName() {
    assertThat(reset(new UnspeakableException())).hasMessage("broke (cause=unspeakable)");
  }

  private static final class UnspeakableException extends RuntimeException {
    private static final long serialVersionUID = 1;

    @Override
    public String getMessage() {
      throw new IllegalStateException("no words");
    }
  }

  private static ArraywireException reset(Throwable cause) {
    return new ConnectionLostException(ErrorCode.CONNECTION_RESET, "broke", "cause", cause);
  }

  @Test
  void thePeersReasonIsThereWhole() {
    String reason = "r".repeat(600);
    RemoteErrorException failure =
        new RemoteErrorException(ErrorCode.REJECTED, reason, "code", ErrorCode.REJECTED);
    assertThat(failure.reason()).isEqualTo(reason);
    assertThat(((RemoteErrorException) failure.forCaller()).reason()).isEqualTo(reason);
    assertThat(failure.getMessage()).endsWith("r... (code=REJECTED)");
  }
}
