package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.arraywire.ArrayFlows;
import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.DeliveryUnknownException;
import io.arraywire.ElementType;
import io.arraywire.ErrorCode;
import io.arraywire.OfferStatus;
import io.arraywire.Receipt;
import io.arraywire.ReceivedArray;
import io.arraywire.RowWriter;
import io.arraywire.SendOptions;
import io.arraywire.TimedOutException;
import io.arraywire.testkit.TransportStage.Ends;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** A send waits no longer than its options say, wherever it is held up, and harms nobody else. */
interface SendDeadlineTests {
  Duration SHORT = Duration.ofMillis(200);

  /** Long enough for a first byte to leave, unless the machine is busy. */
  Duration LONGER = Duration.ofSeconds(1);

  TransportStage stage();

  /** A send that waits. */
  interface Sending {
    void send(SendOptions options) throws Exception;
  }

  /**
   * What a send fails with whose timeout is over when its first byte has left. It is tried again
   * with a longer one while that was too short.
   */
  static Throwable failureOnceBegun(SendOptions options, Sending sending) {
    Duration timeout = LONGER;
    while (true) {
      SendOptions limited = options.timeout(timeout);
      Throwable failure = catchThrowable(() -> sending.send(limited));
      assertThat(failure)
          .isInstanceOf(ArraywireException.class)
          .hasMessageContaining("timeout=" + timeout);
      if (!String.valueOf(failure.getMessage()).contains("begun=false")
          || timeout.compareTo(Eventually.LONG) > 0) {
        return failure;
      }
      timeout = timeout.multipliedBy(4);
    }
  }

  @Test
  default void anArrayThatNobodyTakesIsWithdrawnInTime() throws Exception {
    Ends ends = stage().ends();
    int[] large = new int[Elements.TOO_MANY_TO_BE_ON_THE_WAY];
    assertThat(
            failureOnceBegun(
                SendOptions.processed(),
                options -> ends.here().send(ArraySlice.of(large), options)))
        .isInstanceOf(TimedOutException.class)
        .matches(ErrorCode.SEND_TIMEOUT::isOf)
        .hasMessageContaining("and is withdrawn; it waited for ")
        .hasMessageContaining("begun=true");
    Arrays.fill(large, 1);
    checkTheConnectionLivesOn(ends);
  }

  @Test
  default void anArrayThatWaitsForItsTurnIsWithdrawnInTime() throws Exception {
    Ends ends = stage().ends();
    int[] large = new int[Elements.TOO_MANY_TO_BE_ON_THE_WAY];
    Running<?> first = Running.start(() -> ends.here().send(large));
    Described.awaitPeerHeldUp(ends.there());
    assertThatThrownBy(
            () -> ends.here().send(ArraySlice.of(large), SendOptions.handedOff().timeout(SHORT)))
        .isInstanceOf(TimedOutException.class)
        .matches(ErrorCode.SEND_TIMEOUT::isOf)
        .hasMessageContaining("begun=false");
    assertThat(ends.there().receive().count()).isEqualTo(large.length);
    first.get();
  }

  @Test
  default void aHandlerThatHangsHoldsASenderNoLonger() throws Exception {
    CountDownLatch goOn = new CountDownLatch(1);
    Connection connection = stage().connectionTo((from, array) -> goOn.await());
    try {
      assertThat(
              failureOnceBegun(
                  SendOptions.processed(),
                  options -> connection.send(ArraySlice.of(new int[3]), options)))
          .isInstanceOf(DeliveryUnknownException.class)
          .hasMessageContaining("channel=0")
          .satisfies(failure -> CallerErrors.assertNamesPeer(failure, connection));
    } finally {
      goOn.countDown();
    }
    connection.send(ArraySlice.of(new int[3]), SendOptions.processed().timeout(Eventually.LONG));
  }

  private static void checkTheConnectionLivesOn(Ends ends) throws Exception {
    Running<ReceivedArray> receive = Running.start(() -> ends.there().receive());
    ends.here().send(ArraySlice.of(new int[] {5}), SendOptions.processed());
    assertThat(receive.get().ints()).containsExactly(5);
  }

  /** The far program never receives, or never even accepts. */
  @Test
  default void aSendThatMakesNoProgressFailsAndSaysWhatItWaitedFor() throws Exception {
    Ends ends = stage().ends(options -> options.sendTimeout(SHORT));
    int[] large = new int[Elements.TOO_MANY_TO_BE_ON_THE_WAY];
    assertThatThrownBy(() -> ends.here().send(large))
        .isInstanceOf(TimedOutException.class)
        .matches(ErrorCode.SEND_TIMEOUT::isOf)
        .hasMessageContaining("for the peer to receive: nobody at the far end has called receive()")
        .hasMessageContaining("sendTimeout=" + SHORT + ", begun=true, channel=0");
    Arrays.fill(large, 1);
    checkTheConnectionLivesOn(ends);
  }

  /** The stage fails, even if no thread waits for it. */
  @Test
  default void aStageOfAnArrayThatMakesNoProgressFailsAndSaysWhatItWaitedFor() throws Exception {
    Ends ends = stage().ends(options -> options.sendTimeout(SHORT));
    int[] large = new int[Elements.TOO_MANY_TO_BE_ON_THE_WAY];
    CompletionStage<Receipt> sent =
        ends.here().sendAsync(ArraySlice.of(large), SendOptions.processed());
    assertThat(Eventually.failure(sent))
        .isInstanceOf(TimedOutException.class)
        .matches(ErrorCode.SEND_TIMEOUT::isOf)
        .hasMessageContaining("for the peer to receive: nobody at the far end has called receive()")
        .hasMessageContaining("sendTimeout=" + SHORT + ", begun=true, channel=0");
    Arrays.fill(large, 1);
    checkTheConnectionLivesOn(ends);
  }

  @Test
  default void rowsThatMakeNoProgressFailAndSayWhatTheyWaitedFor() throws Exception {
    // Long enough for a busy machine to move what there is room for.
    Duration timeout = SHORT.multipliedBy(5);
    Ends ends = stage().ends(options -> options.sendTimeout(timeout));
    int length = Elements.TOO_MANY_TO_BE_ON_THE_WAY;
    RowWriter rows =
        RowWriter.of(ends.here(), ElementType.INT, length / 4, 4, SendOptions.processed());
    int[] row = new int[length / 4];
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 12; i++) {
                rows.write(row, 0);
              }
              rows.flush();
            })
        .isInstanceOf(TimedOutException.class)
        .matches(ErrorCode.SEND_TIMEOUT::isOf)
        .hasMessageContaining("for the peer to receive: nobody at the far end has called receive()")
        .hasMessageContaining("sendTimeout=" + timeout);
    assertThatThrownBy(() -> rows.write(row, 0))
        .isInstanceOf(IllegalStateException.class)
        .hasCauseInstanceOf(TimedOutException.class);
    checkTheConnectionLivesOn(ends);
  }

  /** Nobody would hear that it is gone. */
  @Test
  default void whatWasOfferedOutlastsAStageThatStandsStill() throws Exception {
    Ends ends = stage().ends(options -> options.sendTimeout(SHORT));
    int[] large = new int[3 << 20];
    assertThat(ends.here().offer(ArraySlice.of(large))).isEqualTo(OfferStatus.ACCEPTED);
    CompletionStage<Receipt> behind =
        ends.here().sendAsync(ArraySlice.of(new int[] {5}), SendOptions.processed());
    assertThat(Eventually.failure(behind))
        .isInstanceOf(TimedOutException.class)
        .matches(ErrorCode.SEND_TIMEOUT::isOf)
        .hasMessageContaining("begun=false");
    assertThat(ends.there().receive().count()).isEqualTo(large.length);
  }

  /** An array that is there has all the time that its handler takes. */
  @Test
  default void aHandlerMayTakeLongerThanASendMayStandStill() throws Exception {
    CountDownLatch goOn = new CountDownLatch(1);
    Connection connection =
        stage().connectionTo(options -> options.sendTimeout(SHORT), (from, array) -> goOn.await());
    Running<?> sending =
        Running.start(() -> connection.send(ArraySlice.of(new int[3]), SendOptions.processed()));
    Running<?> later =
        Running.start(() ->
            connection
                .channel(1)
                .send(
                    ArraySlice.of(new int[3]),
                    SendOptions.processed().timeout(SHORT.multipliedBy(3))));
    assertThat(later.failure()).isInstanceOf(DeliveryUnknownException.class);
    assertThat(sending.isDone()).isFalse();
    goOn.countDown();
    sending.get();
  }

  /** A deadline that nobody would keep is refused, not ignored. */
  @Test
  default void aSendThatDoesNotWaitHasNoDeadline() throws Exception {
    Ends ends = stage().ends();
    ArraySlice slice = ArraySlice.of(new int[3]);
    SendOptions options = SendOptions.handedOff().timeout(LONGER);
    assertThatThrownBy(() -> ends.here().sendAsync(slice, options))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("orTimeout")
        .hasMessageContaining("timeout=PT1S");
    assertThatThrownBy(() -> ends.here().offer(slice, options))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("timeout=PT1S");
    assertThatThrownBy(() -> ArrayFlows.subscriber(ends.here(), options, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("timeout=PT1S");
    ends.here().send(slice, options);
    assertThat(ends.there().receive().count()).isEqualTo(3);
  }

  @Test
  default void inPlainModeTheConnectionEndsWithAnArrayThatHadBegun() throws Exception {
    Ends ends = stage().ends(options -> options.plain(ElementType.INT));
    int[] large = new int[Elements.TOO_MANY_TO_BE_ON_THE_WAY];
    assertThat(
            failureOnceBegun(
                SendOptions.handedOff(),
                options -> ends.here().send(ArraySlice.of(large), options)))
        .isInstanceOf(TimedOutException.class)
        .matches(ErrorCode.SEND_TIMEOUT::isOf);
    assertThat(ends.here().isOpen()).isFalse();
  }
}
