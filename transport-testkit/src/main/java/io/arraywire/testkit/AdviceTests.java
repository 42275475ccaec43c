package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.arraywire.ArraySlice;
import io.arraywire.Connection;
import io.arraywire.DeliveryUnknownException;
import io.arraywire.ElementType;
import io.arraywire.HandshakeException;
import io.arraywire.LeasedArray;
import io.arraywire.Listener;
import io.arraywire.ReceivedArray;
import io.arraywire.RowReader;
import io.arraywire.RowWriter;
import io.arraywire.SendOptions;
import io.arraywire.TransportOptions;
import io.arraywire.testkit.CallerErrors.Call;
import io.arraywire.testkit.TransportStage.Ends;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * The text of a mistake says what to do about it. These are the mistakes that newcomers made with
 * the README alone, and whose text only said what was wrong.
 */
interface AdviceTests {
  TransportStage stage();

  private static void advises(Class<? extends Throwable> type, Call call, String... advice) {
    Throwable failure = catchThrowable(() -> call.run());
    assertThat(failure).isExactlyInstanceOf(type).hasMessageContainingAll(advice);
    CallerErrors.assertShort("advice", failure);
  }

  @Test
  default void elementsOfAnotherTypeNameTheCallThatHasThem() throws Exception {
    Ends ends = stage().ends();
    ends.here().send(new int[] {1});
    ReceivedArray array = ends.there().receive();
    advises(
        IllegalStateException.class,
        () -> array.floats(),
        "call ints()",
        "(asked=float, type=int)");
    ends.here().send(new boolean[] {true});
    try (LeasedArray lease = ends.there().receiveLeased()) {
      advises(IllegalStateException.class, () -> lease.floats(0), "call booleans(segment)");
    }
  }

  @Test
  default void aHandlerThatIsInTheWayNamesTheWayWithoutOne() throws Exception {
    Listener listener = stage().transport().listen(stage().address(), (from, array) -> {});
    Connection connection = stage().transport().connect(listener.address(), (from, array) -> {});
    Class<IllegalStateException> type = IllegalStateException.class;
    advises(type, () -> listener.accept(), "to call accept, listen without a handler");
    advises(
        type,
        () -> connection.receive(),
        "to call receive, connect or listen without a handler",
        "channel=0");
  }

  @Test
  @SuppressWarnings("NullAway") // Null is the mistake.
  default void noTimeoutIsAMethodOfItsOwn() throws Exception {
    Ends ends = stage().ends();
    Listener listener = stage().transport().listen(stage().address());
    Duration none = null;
    String advice = "to wait without a limit, call the method without a timeout";
    Class<NullPointerException> type = NullPointerException.class;
    advises(type, () -> ends.there().receive(none), advice);
    advises(type, () -> ends.there().receiveLeased(none), advice);
    advises(type, () -> ends.there().channel(1).receive(none), advice);
    advises(type, () -> listener.accept(none), advice);
  }

  @Test
  default void aTokenThatIsMissingOrWrongNamesItsOption() throws Exception {
    Listener listener =
        stage()
            .transport(options -> options.authToken(new byte[] {1, 2, 3}))
            .listen(stage().address());
    Class<HandshakeException> type = HandshakeException.class;
    advises(
        type,
        () -> stage().transport().connect(listener.address()),
        "none was shown; set authToken on the connecting side, too");
    advises(
        type,
        () ->
            stage()
                .transport(options -> options.authToken(new byte[] {1, 2}))
                .connect(listener.address()),
        "set the same authToken on both sides");
    advises(
        IllegalArgumentException.class,
        () -> TransportOptions.builder().authToken(new byte[0]).build(),
        "null is no token");
  }

  @Test
  default void limitsSayHowToStayWithinThem() throws Exception {
    Ends ends = stage().ends(options -> options, options -> options.maxChannels(4));
    Class<IllegalArgumentException> type = IllegalArgumentException.class;
    advises(
        type,
        () -> ends.here().channel(4),
        "the first is 0",
        "the smaller maxChannels of both sides",
        "(channel=4, channels=4)");
    advises(
        type,
        () -> SendOptions.handedOff().metadata("key", "v".repeat(513)),
        "put long texts into a byte[] part",
        "bytes=513, limit=512)");
  }

  @Test
  default void aRowThatDoesNotLieInItsArraySaysWhatItNeeds() throws Exception {
    Ends ends = stage().ends();
    RowWriter writer = RowWriter.of(ends.here(), ElementType.INT, 3, 2);
    RowReader reader = RowReader.of(ends.there(), ElementType.INT, 6);
    Class<IndexOutOfBoundsException> type = IndexOutOfBoundsException.class;
    String advice = "it needs rowLength elements from the offset on";
    advises(type, () -> writer.write(new int[5], 3), advice, "(offset=3, rowLength=3, length=5)");
    advises(
        type,
        () -> writer.write(new int[2], Integer.MIN_VALUE),
        advice,
        "(offset=-2147483648, rowLength=3, length=2)");
    advises(type, () -> reader.read(new int[5], 6), "(offset=6, length=5)");
  }

  /** The timeout of a send limits the wait for the far side, too, where nobody receives. */
  @Test
  default void aSendThatNobodyReceivesSaysSo() throws Exception {
    Ends ends = stage().ends();
    SendOptions brief = SendOptions.processed().timeout(Duration.ofMillis(50));
    advises(
        DeliveryUnknownException.class,
        () -> ends.here().send(ArraySlice.of(new int[1]), brief),
        "most likely nothing receives on this channel there, or the handler has not returned",
        "receive there, or wait longer",
        "(timeout=PT0.05S, channel=0, peer=");
  }

  @Test
  default void aLeaseThatIsOutIsFoundByTheCallThatReceivedIt() throws Exception {
    Ends ends = stage().ends();
    Running<LeasedArray> leased = Running.start(() -> forgetToClose(ends.there()));
    Described.awaitReceivers(ends.there(), 1);
    ends.here().send(new int[100]);
    try (LeasedArray lease = leased.get()) {
      assertThat(lease.segments()).isEqualTo(1);
      assertThat(stage().pool().leaks())
          .containsPattern(
              "400 bytes received in a LeasedArray that is not closed\\R(    at .*\\R)*"
                  + "    at .*AdviceTests\\.forgetToClose");
    }
  }

  private static LeasedArray forgetToClose(Connection from) throws Exception {
    return from.receiveLeased();
  }
}
