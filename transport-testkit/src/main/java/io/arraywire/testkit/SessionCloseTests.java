package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArraywireException;
import io.arraywire.ConnectionClosedException;
import io.arraywire.ConnectionLostException;
import io.arraywire.ErrorCode;
import io.arraywire.OfferStatus;
import io.arraywire.Receipt;
import io.arraywire.SendOptions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Closing a session loses nothing that was accepted, or says so. */
interface SessionCloseTests extends SessionTests {
  /** Closing waits for what was accepted, also over the next connection. */
  @Test
  default void closeLosesNothingInAnOutage() throws Exception {
    Notes notes = new Notes();
    Line line = lineTo(notes);
    line.cable().unplug();
    List<CompletionStage<Receipt>> sent = SessionTests.sendNumbered(line.here().channel(0), 50);
    Running<Void> closing = Running.calling(line.here()::close);
    Eventually.until("it is closing", () -> !line.here().isOpen());
    assertThat(
            Eventually.failure(
                line.here().sendAsync(SessionTests.numbered(50), SendOptions.session())))
        .isInstanceOf(ConnectionClosedException.class);
    line.cable().plug();
    closing.get();
    Eventually.all(sent);
    assertThat(notes.tags.get(0)).isEqualTo(SessionTests.numbers(50));
    Eventually.until("the handler is told", () -> !notes.ends.isEmpty());
    assertThat(notes.ends).containsExactly("orderly");
  }

  /** What is not a part of the session has been accepted all the same. */
  @Test
  default void closeLosesNothingThatDoesNotComeAgain() throws Exception {
    Holding notes = new Holding();
    Line line = lineTo(notes);
    for (int i = 0; i < 100; i++) {
      SendOptions options = SendOptions.handedOff().tag(2L * i);
      Eventually.get(line.here().sendAsync(SessionTests.numbered(2 * i), options));
      assertThat(line.here().offer(SessionTests.numbered(2 * i + 1), options.tag(2L * i + 1)))
          .isEqualTo(OfferStatus.ACCEPTED);
    }
    Eventually.until("the handler has the first", notes.begun);
    Running<Void> closing = Running.calling(line.here()::close);
    Eventually.until("it is closing", () -> !line.here().isOpen());
    notes.goOn.countDown();
    closing.get();
    Eventually.until("the handler is told", () -> !notes.ends.isEmpty());
    assertThat(notes.ends).containsExactly("orderly");
    assertThat(notes.tags.get(0)).isEqualTo(SessionTests.numbers(200));
  }

  /** Nor does an end without a goodbye take away what has come: the handler gets it at once. */
  @Test
  default void whatHasComeIsHandledAlthoughTheConnectionBroke() throws Exception {
    Holding notes = new Holding();
    Line line = lineTo(notes);
    List<CompletionStage<Receipt>> sent = SessionTests.sendNumbered(line.here().channel(0), 20);
    for (int i = 20; i < 40; i++) {
      SendOptions options = SendOptions.handedOff().tag(i);
      Eventually.get(line.here().sendAsync(SessionTests.numbered(i), options));
    }
    Eventually.until("the handler has the first", notes.begun);
    Eventually.until("the others are there", () -> notes.describe().contains("waitingArrays=40"));
    line.cable().unplug();
    SessionTests.awaitOutage(line.here());
    notes.goOn.countDown();
    Eventually.until("all are handled", () -> notes.count.get() == 40);
    line.cable().plug();
    Eventually.all(sent);
    assertThat(notes.tags.get(0)).isEqualTo(SessionTests.numbers(40));
  }

  /** Closing says so if the session ends before everything is acknowledged. */
  @Test
  default void closingASessionThatExpiresFails() throws Exception {
    Holding notes = new Holding();
    Line line =
        lineTo(
            options ->
                options.sessionTimeout(Duration.ofSeconds(2)).closeTimeout(Duration.ofMinutes(10)),
            notes);
    CompletionStage<Receipt> sent =
        line.here().sendAsync(SessionTests.numbered(1), SendOptions.session().tag(1));
    Eventually.until("the handler has it", notes.begun);
    Running<Void> closing = Running.calling(line.here()::close);
    Eventually.until("it is closing", () -> !line.here().isOpen());
    // Not before: a session that has ended when it is closed is none that expires meanwhile.
    line.cable().unplug();
    assertThat(closing.failure())
        .isInstanceOf(ConnectionLostException.class)
        .matches(ErrorCode.SESSION_EXPIRED::isOf);
    notes.goOn.countDown();
    assertThat(Eventually.failure(sent)).isInstanceOf(ArraywireException.class);
    line.here().close();
  }

  /** An end that closes in an outage says goodbye over the next connection. */
  @Test
  default void closeInAnOutageIsStillHeardOf() throws Exception {
    Notes notes = new Notes();
    Line line = lineTo(notes);
    line.here().send(SessionTests.numbered(0), SendOptions.session());
    line.cable().unplug();
    SessionTests.awaitOutage(line.here());
    Running<Void> closing = Running.calling(line.here()::close);
    Eventually.until("it is closing", () -> !line.here().isOpen());
    line.cable().plug();
    closing.get();
    Eventually.until("the handler is told", () -> !notes.ends.isEmpty());
    assertThat(notes.ends).containsExactly("orderly");
  }
}
