package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.ConnectionLostException;
import io.arraywire.DeliveryUnknownException;
import io.arraywire.ErrorCode;
import io.arraywire.Listener;
import io.arraywire.Receipt;
import io.arraywire.SendOptions;
import io.arraywire.TimedOutException;
import io.arraywire.Transport;
import io.arraywire.TransportObserver;
import io.arraywire.TransportOptions;
import io.arraywire.security.Identity;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** How long a session waits, for which peer, and how it says that it does not go on. */
interface SessionLimitTests extends SessionTests {
  /** A session's token is of no use to anybody else. */
  @Test
  default void anotherIdentityDoesNotGoOnWithASession() throws Exception {
    AtomicBoolean stolen = new AtomicBoolean();
    Notes notes = new Notes();
    BlockingQueue<ArraywireException> errors = new LinkedBlockingQueue<>();
    Line line =
        lineTo(
            options ->
                SessionTests.sessions(options)
                    .authenticator(peer -> Identity.of(stolen.get() ? "thief" : "owner"))
                    .observer(
                        new TransportObserver() {
                          @Override
                          public void error(Connection connection, ArraywireException error) {
                            if (ErrorCode.RESUME_REJECTED.isOf(error)) {
                              errors.add(error);
                            }
                          }
                        }),
            notes);
    line.here().send(SessionTests.numbered(0), SendOptions.session());
    // The same one goes on.
    line.cable().cut();
    line.here().send(SessionTests.numbered(1), SendOptions.session().tag(1));
    stolen.set(true);
    line.cable().cut();
    // It may have begun to leave before the cut was noticed.
    assertThat(
            Eventually.reason(
                line.here().sendAsync(SessionTests.numbered(2), SendOptions.session().tag(2))))
        .isInstanceOf(ConnectionLostException.class)
        .matches(ErrorCode.RESUME_REJECTED::isOf)
        .hasMessageContaining("not known here")
        .hasMessageNotContaining("owner");
    Eventually.until(
        "the listener's side says who it was: " + errors,
        () -> errors.stream().anyMatch(each -> "owner".equals(each.facts().get("openedBy"))));
    assertThat(notes.count.get()).isEqualTo(2);
  }

  /** The directory that it asks may be down for a moment; that is no verdict. */
  @Test
  default void aSessionOutlivesAnAuthenticatorThatThrows() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    Notes notes = new Notes();
    Line line =
        lineTo(
            options ->
                SessionTests.sessions(options)
                    .authenticator(peer -> {
                      if (asked.incrementAndGet() == 2) {
                        throw new IllegalStateException("the directory is down");
                      }
                      return Identity.of("owner");
                    }),
            notes);
    line.here().send(SessionTests.numbered(0), SendOptions.session());
    line.cable().cut();
    line.here().send(SessionTests.numbered(1), SendOptions.session().tag(1));
    assertThat(notes.count.get()).isEqualTo(2);
    assertThat(asked.get()).isGreaterThanOrEqualTo(3);
  }

  /** A listener that was restarted knows the session no more: the sender hears what that means. */
  @Test
  default void aListenerThatWasRestartedKnowsNothing() throws Exception {
    Holding notes = new Holding();
    Line line = lineTo(notes);
    CompletionStage<Receipt> inDoubt =
        line.here().sendAsync(SessionTests.numbered(0), SendOptions.session());
    Eventually.until("the handler has it", notes.begun);
    line.cable().unplug();
    Notes others = new Notes();
    Transport restarted = stage().transport(SessionTests::sessions);
    line.cable().leadTo(restarted.listen(stage().address(), others).address());
    SessionTests.awaitOutage(line.here());
    CompletionStage<Receipt> notBegun =
        line.here().sendAsync(SessionTests.numbered(1), SendOptions.session());
    line.cable().plug();

    assertThat(Eventually.failure(inDoubt))
        .isInstanceOf(DeliveryUnknownException.class)
        .hasCauseInstanceOf(ConnectionLostException.class);
    assertThat(Eventually.failure(notBegun))
        .isInstanceOf(ConnectionLostException.class)
        .matches(ErrorCode.RESUME_REJECTED::isOf);
    assertThatThrownBy(() -> line.here().send(SessionTests.numbered(2), SendOptions.session()))
        .isInstanceOf(ConnectionLostException.class)
        .matches(ErrorCode.RESUME_REJECTED::isOf);
    assertThatThrownBy(() -> line.here().receive())
        .isInstanceOf(ConnectionLostException.class)
        .matches(ErrorCode.RESUME_REJECTED::isOf);
    assertThat(line.here().isOpen()).isFalse();
    assertThat(others.count.get()).isZero();
    notes.goOn.countDown();
  }

  /** An outage longer than the session timeout ends the session, at both ends. */
  @Test
  default void anOutageCanBeTooLong() throws Exception {
    Notes there = new Notes();
    UnaryOperator<TransportOptions.Builder> brief =
        options -> options.sessionTimeout(Duration.ofMillis(300));
    Transport listening = stage().transport(brief);
    Listener listener = listening.listen(stage().address(), there);
    Cable cable = stage().closing(cable(listener.address()));
    Notes notes = new Notes();
    Connection here = stage().transport(SessionTests::sessions).connect(cable.address(), notes);
    assertThat(here.agreement().sessionTimeout()).isEqualTo(Duration.ofMillis(300));
    here.send(SessionTests.numbered(0), SendOptions.session());
    cable.unplug();
    CompletionStage<Receipt> sent = here.sendAsync(SessionTests.numbered(1), SendOptions.session());
    Throwable failure = Eventually.failure(sent);
    assertThat(failure)
        .matches(CallerErrors.anyOf(ErrorCode.SESSION_EXPIRED, ErrorCode.DELIVERY_UNKNOWN))
        .hasMessageContaining("sessionTimeout=PT0.3S");
    Eventually.until("both handlers are told", () -> notes.ends.size() + there.ends.size() >= 2);
    assertThat(notes.ends).containsExactly("SESSION_EXPIRED");
    assertThat(there.ends).containsExactly("SESSION_EXPIRED");
    cable.plug();
    assertThat(here.isOpen()).isFalse();
  }

  /** A send without a connection waits no longer than a send may. */
  @Test
  default void aSendDoesNotWaitForEverForAConnection() throws Exception {
    Notes notes = new Notes();
    Line line =
        lineTo(
            options -> SessionTests.sessions(options).sendTimeout(Duration.ofMillis(200)), notes);
    line.cable().unplug();
    SessionTests.awaitOutage(line.here());
    for (SendOptions options : List.of(SendOptions.session(), SendOptions.handedOff())) {
      assertThatThrownBy(() -> line.here().send(SessionTests.numbered(7), options.tag(7)))
          .isInstanceOf(TimedOutException.class)
          .matches(ErrorCode.SEND_TIMEOUT::isOf)
          .hasMessageContaining("sendTimeout=PT0.2S");
    }
    line.cable().plug();
    line.here()
        .sendAsync(SessionTests.numbered(8), SendOptions.session().tag(8))
        .toCompletableFuture()
        .get();
    assertThat(notes.tags.get(0)).containsExactly(8L);
  }

  /** A handler that hangs lets no more come than there is room for. */
  @Test
  default void anArrayThatMakesNoProgressFails() throws Exception {
    Holding notes = new Holding();
    Line line =
        lineTo(
            options -> SessionTests.sessions(options).sendTimeout(Duration.ofMillis(200)), notes);
    int[] large = new int[3 << 20];
    SendOptions options = SendOptions.session();
    CompletionStage<Receipt> first =
        line.here().sendAsync(SessionTests.numbered(1), options.tag(1));
    Eventually.until("the handler has an array", notes.begun);
    assertThat(Eventually.failure(line.here().sendAsync(ArraySlice.of(large), options)))
        .isInstanceOf(TimedOutException.class)
        .matches(ErrorCode.SEND_TIMEOUT::isOf)
        .hasMessageContaining("it waited for the peer to receive")
        .hasMessageContaining("sendTimeout=PT0.2S, begun=true, channel=0");
    assertThatThrownBy(() -> line.here().send(ArraySlice.of(large), options))
        .isInstanceOf(TimedOutException.class)
        .matches(ErrorCode.SEND_TIMEOUT::isOf)
        .hasMessageContaining("the peer to receive");
    notes.goOn.countDown();
    Eventually.get(first);
    line.here().send(SessionTests.numbered(2), options.tag(2));
    assertThat(notes.tags.get(0)).containsExactly(1L, 2L);
  }

  /** A send with a timeout waits no longer, in an outage or for a handler. */
  @Test
  default void aSendWithATimeoutWaitsNoLonger() throws Exception {
    Holding notes = new Holding();
    Line line = lineTo(notes);
    SendOptions options = SendOptions.session().timeout(Duration.ofSeconds(1));
    assertThat(
            SendDeadlineTests.failureOnceBegun(
                SendOptions.session().tag(1),
                each -> line.here().send(SessionTests.numbered(1), each)))
        .isInstanceOf(DeliveryUnknownException.class)
        .hasMessageContaining("channel=0")
        .satisfies(failure -> CallerErrors.assertNamesPeer(failure, line.here()));
    for (SendOptions each : List.of(options, SendOptions.processed().timeout(options.timeout()))) {
      assertThatThrownBy(() -> line.here().sendAsync(SessionTests.numbered(2), each))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("timeout=PT1S");
      assertThatThrownBy(() -> line.here().offer(SessionTests.numbered(2), each))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("timeout=PT1S");
    }
    notes.goOn.countDown();
    line.cable().unplug();
    SessionTests.awaitOutage(line.here());
    for (SendOptions each : List.of(options, SendOptions.processed().timeout(options.timeout()))) {
      assertThatThrownBy(() -> line.here().send(SessionTests.numbered(2), each.tag(2)))
          .isInstanceOf(TimedOutException.class)
          .matches(ErrorCode.SEND_TIMEOUT::isOf)
          .hasMessageContaining("timeout=PT");
    }
    line.cable().plug();
    line.here().send(SessionTests.numbered(3), SendOptions.session().tag(3));
    assertThat(notes.tags.get(0)).containsExactly(1L, 3L);
  }

  /** What broke the connection is one thing, why it cannot be replaced is another. */
  @Test
  default void whyConnectingAgainFailsIsTold() throws Exception {
    Line line = lineTo(new Notes());
    String refused = "lastFailure=cannot connect";
    line.cable().close();
    Eventually.until("an attempt failed", () -> line.here().describe().contains(refused));
    String told = line.here().describe();
    assertThat(told)
        .contains("connecting again (attempts=")
        .contains(", brokenBy=")
        .contains("address=" + line.cable().address());
    assertThat(told.substring(told.indexOf("brokenBy="), told.indexOf(", lastFailure=")))
        .doesNotContain("cannot connect");
    assertThat(
            Eventually.failure(
                line.here().sendAsync(SessionTests.numbered(1), SendOptions.processed())))
        .isInstanceOf(ConnectionLostException.class)
        .matches(ErrorCode.CONNECTION_RESET::isOf)
        .hasMessageContaining("brokenBy=")
        .hasMessageContaining(refused);
    SendOptions brief = SendOptions.processed().timeout(Duration.ofMillis(100));
    assertThatThrownBy(() -> line.here().send(SessionTests.numbered(1), brief))
        .isInstanceOf(TimedOutException.class)
        .matches(ErrorCode.SEND_TIMEOUT::isOf)
        .hasMessageContaining("brokenBy=")
        .hasMessageContaining(refused);
  }

  /** Without a session an array that was sent whole is in doubt when the connection breaks. */
  @Test
  default void withoutASessionWhatWasSentIsInDoubt() throws Exception {
    Holding notes = new Holding();
    Line line = lineTo(UnaryOperator.identity(), notes);
    assertThat(line.here().agreement().sessionTimeout()).isNull();
    assertThatThrownBy(() -> line.here().send(SessionTests.numbered(0), SendOptions.session()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("delivery=SESSION, sessionTimeout=null");
    CompletionStage<Receipt> sent =
        line.here().sendAsync(SessionTests.numbered(0), SendOptions.processed());
    Eventually.until("the handler has it", notes.begun);
    line.cable().cut();
    assertThat(Eventually.failure(sent))
        .isInstanceOf(DeliveryUnknownException.class)
        .hasCauseInstanceOf(ArraywireException.class);
    notes.goOn.countDown();
  }

  /** A listener that keeps no sessions is no reason not to connect. */
  @Test
  default void theListenerNeedNotKeepSessions() throws Exception {
    Transport there = stage().transport();
    Listener listener = there.listen(stage().address());
    Connection here = stage().transport(SessionTests::sessions).connect(listener.address());
    assertThat(here.agreement().sessionTimeout()).isNull();
    assertThatThrownBy(() -> here.send(SessionTests.numbered(0), SendOptions.session()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("sessionTimeout=" + HOUR);
    here.close();
  }
}
