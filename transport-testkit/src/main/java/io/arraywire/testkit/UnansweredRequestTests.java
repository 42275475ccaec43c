package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.DeliveryUnknownException;
import io.arraywire.ErrorCode;
import io.arraywire.Handlers;
import io.arraywire.ReceivedArray;
import io.arraywire.RemoteRejectedException;
import io.arraywire.Reply;
import io.arraywire.RequestOptions;
import io.arraywire.SendOptions;
import io.arraywire.TimedOutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Requests that get no answer: nobody gives one, nobody waits for it, or the peer dies. */
interface UnansweredRequestTests {
  TransportStage stage();

  /** Longer than a test lasts. */
  Duration NEVER = Duration.ofHours(1);

  @Test
  default void aHandlerWhoseExecutorRefusesTheWorkRefusesTheRequestAtOnce() throws Exception {
    Connection connection =
        stage()
            .connectionTo(
                options -> options.requestTimeout(NEVER),
                Handlers.ofRequests((from, request, reply) -> {
                  throw new RejectedExecutionException("no room for it");
                }));
    assertThat(Eventually.failure(connection.request(ArraySlice.of(new int[3]))))
        .isInstanceOf(RemoteRejectedException.class)
        .hasMessageNotContaining("RejectedExecutionException")
        .hasMessageContaining("cause=no room for it)");
  }

  @Test
  default void aHandlerThatThrowsAfterItHandedOffTheWorkRefusesTheRequest() throws Exception {
    BlockingQueue<Reply> handedOff = new LinkedBlockingQueue<>();
    Connection connection =
        stage()
            .connectionTo(
                options -> options.requestTimeout(NEVER),
                Handlers.ofRequests((from, request, reply) -> {
                  handedOff.add(reply);
                  throw new IllegalStateException("changed my mind");
                }));
    assertThat(Eventually.failure(connection.request(ArraySlice.of(new int[3]))))
        .isInstanceOf(RemoteRejectedException.class)
        .hasMessageContaining("changed my mind");
    Reply late = handedOff.take();
    assertThatThrownBy(() -> late.send(ArraySlice.of(new int[3])))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("answered before");
  }

  @Test
  default void aReplyThatNobodyReferencesAnyMoreIsMissed() throws Exception {
    Connection connection =
        stage()
            .connectionTo(
                options -> options.requestTimeout(NEVER),
                Handlers.ofRequests((from, request, reply) -> {}));
    CompletableFuture<ReceivedArray> asked =
        connection.request(ArraySlice.of(new int[3])).toCompletableFuture();
    Eventually.until(
        "the collector finds the reply",
        () -> {
          System.gc();
          return asked.isDone();
        });
    assertThat(Eventually.failure(asked))
        .isInstanceOf(RemoteRejectedException.class)
        .matches(ErrorCode.REQUEST_FAILED::isOf)
        .hasMessageContaining("the handler returned without answering; its Reply was dropped")
        .hasMessageContaining("channel=0");
  }

  @Test
  default void aRequestThatNobodyAnswersIsRefusedInTime() throws Exception {
    RequestTests.Desk desk = new RequestTests.Desk();
    Connection connection =
        stage()
            .connectionTo(
                options -> options.requestTimeout(Duration.ofMillis(300)),
                Handlers.ofRequests(desk));
    CompletionStage<ReceivedArray> asked =
        connection.request(
            ArraySlice.of(new int[3]), RequestOptions.defaults().timeout(Eventually.LONG));
    assertThat(Eventually.failure(asked))
        .isInstanceOf(RemoteRejectedException.class)
        .matches(ErrorCode.REQUEST_FAILED::isOf)
        .hasMessageContaining("nobody answered within requestTimeout")
        .hasMessageContaining("requestTimeout=PT0.3S");
    Reply late = desk.next().reply();
    assertThatThrownBy(() -> late.send(ArraySlice.of(new int[3])))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("answered before");
    connection.close();
  }

  @Test
  default void aRequestIsNotWaitedForLongerThanItsTimeout() throws Exception {
    RequestTests.Desk desk = new RequestTests.Desk();
    Connection connection = stage().connectionTo(Handlers.ofRequests(desk));
    CompletionStage<ReceivedArray> stage =
        connection.request(
            ArraySlice.of(new int[1]), RequestOptions.defaults().timeout(Duration.ofMillis(1)));
    assertThat(Eventually.failure(stage))
        .isInstanceOf(TimedOutException.class)
        .matches(ErrorCode.REQUEST_TIMEOUT::isOf)
        .hasMessageContaining("timeout=PT0.001S");
    // It may not even have left; what comes next is answered in any case.
    CompletableFuture<ReceivedArray> next = RequestTests.ask(connection, 9);
    RequestTests.Asked asked = desk.next();
    if (asked.request().ints()[0] == 0) {
      Eventually.until("the far side is told", asked.reply()::isCancelled);
      asked = desk.next();
    }
    asked.reply().send(ArraySlice.of(new int[] {10}));
    assertThat(Eventually.get(next).ints()).containsExactly(10);
    connection.close();
  }

  /** Nobody wants to know any more what becomes of it, so that close does not wait for it. */
  @Test
  default void closeDoesNotWaitForARequestThatItsCallerHasGivenUp() throws Exception {
    CountDownLatch handlerReturns = new CountDownLatch(1);
    BlockingQueue<ReceivedArray> begun = new LinkedBlockingQueue<>();
    Connection connection =
        stage()
            .connectionTo(
                options -> options.closeTimeout(Duration.ofSeconds(2)),
                Handlers.ofRequests((from, request, reply) -> {
                  begun.add(request);
                  handlerReturns.await();
                }));
    try {
      CompletableFuture<ReceivedArray> asked = RequestTests.ask(connection, 1);
      Eventually.next("the handler has it", begun);
      asked.cancel(true);
      // Long enough to leave, also on a busy machine.
      SendOptions inTime = SendOptions.processed().timeout(Duration.ofMillis(300));
      assertThatThrownBy(() -> connection.send(ArraySlice.of(new int[1]), inTime))
          .isInstanceOf(DeliveryUnknownException.class);
      assertThat(connection.load().unacknowledgedArrays()).isZero();
      connection.close();
    } finally {
      handlerReturns.countDown();
    }
  }

  @Test
  default void theFarSideSeesThatARequestIsCancelled() throws Exception {
    RequestTests.Desk desk = new RequestTests.Desk();
    Connection connection = stage().connectionTo(Handlers.ofRequests(desk));
    CompletableFuture<ReceivedArray> stage = RequestTests.ask(connection, 1);
    RequestTests.Asked asked = desk.next();
    CountDownLatch told = new CountDownLatch(1);
    asked.reply().onCancel(told::countDown);
    assertThat(asked.reply().isCancelled()).isFalse();
    assertThat(stage.cancel(true)).isTrue();
    Eventually.until("the far side is told", told);
    assertThat(asked.reply().isCancelled()).isTrue();
    assertThat(asked.reply().send(ArraySlice.of(new int[1])).toCompletableFuture()).isCancelled();
    connection.close();
  }

  @Test
  default void theDeathOfThePeerEndsEveryRequestOnce() throws Exception {
    RequestTests.Desk desk = new RequestTests.Desk();
    Connection connection = stage().connectionTo(Handlers.ofRequests(desk));
    AtomicInteger ends = new AtomicInteger();
    List<CompletableFuture<ReceivedArray>> stages = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      CompletableFuture<ReceivedArray> stage = RequestTests.ask(connection, i);
      stages.add(stage.whenComplete((reply, thrown) -> ends.incrementAndGet()));
    }
    RequestTests.Asked asked = desk.next();
    CountDownLatch told = new CountDownLatch(1);
    asked.reply().onCancel(told::countDown);
    asked.reply().channel().connection().closeNow();
    for (CompletableFuture<ReceivedArray> stage : stages) {
      assertThat(Eventually.failure(stage)).isInstanceOf(ArraywireException.class);
    }
    Eventually.until("every dependent ran", () -> ends.get() == 10);
    Eventually.until("the answer is no longer owed", told);
    assertThat(ends).hasValue(10);
  }
}
