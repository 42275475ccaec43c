package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.arraywire.ArrayFlows;
import io.arraywire.ArraySlice;
import io.arraywire.ArraySubscriber;
import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.ConnectionClosedException;
import io.arraywire.ErrorCode;
import io.arraywire.Handlers;
import io.arraywire.Listener;
import io.arraywire.ReceivedArray;
import io.arraywire.RemoteRejectedException;
import io.arraywire.Reply;
import io.arraywire.RequestOptions;
import io.arraywire.SendOptions;
import io.arraywire.Transport;
import io.arraywire.testkit.TransportStage.Ends;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SubmissionPublisher;
import org.junit.jupiter.api.Test;

/**
 * As {@link CallerErrorTests}, for what is published, offered, answered and streamed, and where
 * memory or time is short.
 */
interface CallerErrorFlowTests {
  TransportStage stage();

  private static void assertTraced(String what, Throwable failure, Object... kinds) {
    CallerErrors.assertTraced(what, failure, CallerErrorFlowTests.class, kinds);
  }

  /** A mistake or a state of the caller's, in an unchecked exception. */
  private static void assertMistake(String what, Throwable failure, Class<?> type) {
    assertThat(failure).as(what).isExactlyInstanceOf(type);
    assertThat(failure.getStackTrace())
        .as(what)
        .anyMatch(frame -> frame.getClassName().equals(CallerErrorFlowTests.class.getName()));
    CallerErrors.assertShort(what, failure);
  }

  @Test
  default void publishOnAClosedListenerFailsEachCaller() throws Exception {
    Listener listener = stage().transport().listen(stage().address());
    listener.close();
    List<Running<Void>> callers =
        CallerErrors.twoOf(() -> listener.publish("news", ArraySlice.of(new int[3])));
    Throwable first = callers.get(0).failure();
    Throwable second = callers.get(1).failure();
    assertTraced("publish", first, ConnectionClosedException.class);
    assertTraced("publish", second, ConnectionClosedException.class);
    assertThat(first).isNotSameAs(second);
  }

  @Test
  default void anOfferForWhichThereIsNoMemoryFailsWithTheCallersFrames() throws Exception {
    int count = 10_007;
    ExhaustedPool exhausted = new ExhaustedPool(stage().pool(), count * Integer.BYTES);
    Ends ends = stage().ends(options -> options.memoryPool(exhausted), options -> options);
    for (int i = 0; i < 2; i++) {
      Throwable failure = catchThrowable(() -> ends.here().offer(ArraySlice.of(new int[count])));
      assertTraced("offer", failure, ErrorCode.ALLOCATION_FAILED);
      assertThat(failure)
          .hasRootCauseInstanceOf(OutOfMemoryError.class)
          .hasMessageContaining("bytes=" + count * Integer.BYTES);
    }
  }

  /** A handler that leaves each request to the test. */
  private static Handlers keeping(BlockingQueue<Reply> replies) {
    return Handlers.ofRequests((from, request, reply) -> replies.add(reply));
  }

  private static Reply next(BlockingQueue<Reply> replies) throws InterruptedException {
    return Eventually.next("a request came", replies);
  }

  @Test
  default void anAnswerThatCannotBeGivenFailsWithTheCallersFrames() throws Exception {
    BlockingQueue<Reply> replies = new LinkedBlockingQueue<>();
    Connection connection = stage().connectionTo(keeping(replies));
    ArraySlice slice = ArraySlice.of(new int[3]);
    CompletionStage<ReceivedArray> answer = connection.request(slice, RequestOptions.defaults());
    Reply reply = next(replies);
    assertMistake(
        "a shape that does not fit",
        catchThrowable(() -> reply.send(slice, SendOptions.processed().shape(3, 3))),
        IllegalArgumentException.class);
    Eventually.get(reply.send(slice));
    assertThat(Eventually.get(answer).count()).isEqualTo(3);
    assertMistake(
        "a second answer", catchThrowable(() -> reply.send(slice)), IllegalStateException.class);
    assertMistake(
        "a refusal afterwards",
        catchThrowable(() -> reply.fail("x".repeat(1000))),
        IllegalStateException.class);

    var cancelled = connection.request(slice, RequestOptions.defaults()).toCompletableFuture();
    Reply inVain = next(replies);
    cancelled.cancel(true);
    Eventually.until("the cancel is heard of", inVain::isCancelled);
    Throwable unwanted = Eventually.failure(inVain.send(slice));
    assertThat(unwanted).isInstanceOf(CancellationException.class);
    CallerErrors.assertShort("an answer that nobody wants", unwanted);

    var lost = connection.request(slice, RequestOptions.defaults());
    Reply late = next(replies);
    connection.closeNow();
    assertThat(Eventually.failure(lost)).isInstanceOf(ArraywireException.class);
    Eventually.until("the end is heard of", late::isCancelled);
    Throwable failure = Eventually.failure(late.send(slice));
    assertThat(failure).isInstanceOfAny(CancellationException.class, ArraywireException.class);
    CallerErrors.assertShort("an answer to a connection that is gone", failure);
  }

  /** Requests all it can, and notes how the stream ends. */
  final class Ending implements Flow.Subscriber<ReceivedArray> {
    final CompletableFuture<Void> end = new CompletableFuture<>();

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(ReceivedArray array) {}

    @Override
    public void onError(Throwable thrown) {
      end.completeExceptionally(thrown);
    }

    @Override
    public void onComplete() {
      end.complete(null);
    }
  }

  /** Whatever it throws: request and subscribe throw nothing (rules 1.9 and 3.16). */
  @Test
  default void aStreamWhoseExecutorFailsSaysSo() throws Exception {
    Ends ends = stage().ends();
    for (Throwable bug :
        List.of(
            new RejectedExecutionException("com.example.PoolException: " + "full ".repeat(300)),
            new IllegalStateException("com.example.PoolException: " + "full ".repeat(300)),
            new OutOfMemoryError("unable to create native thread"))) {
      Ending ending = new Ending();
      ArrayFlows.publisher(
              ends.here(),
              task -> {
                throw CallerErrorFlowTests.<RuntimeException>sneaky(bug);
              })
          .subscribe(ending);
      Throwable failure = Eventually.failure(ending.end);
      assertThat(failure)
          .isExactlyInstanceOf(ArraywireException.class)
          .hasMessageContaining("the executor of the publisher")
          .hasCause(bug);
      CallerErrors.assertShort("onError", failure);
    }
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // That is the trick.
  private static <T extends Throwable> T sneaky(Throwable thrown) throws T {
    throw (T) thrown;
  }

  @Test
  default void aStreamOfAConnectionThatBreaksFailsWithAnExceptionOfItsOwn() throws Exception {
    ProbingCodec codec = new ProbingCodec();
    Ends ends = stage().ends(options -> options.codecs(codec));
    RuntimeException bug = new IllegalStateException("com.example.CodecException: no");
    codec.beforeDecode(() -> {
      throw bug;
    });
    List<Ending> endings = List.of(new Ending(), new Ending());
    for (Ending each : endings) {
      ArrayFlows.publisher(ends.here(), task -> Running.start(runs(task))).subscribe(each);
    }
    Described.awaitReceivers(ends.here(), 2);
    CompletionStage<?> sent =
        ends.there().sendAsync(ArraySlice.of(new int[3]), SendOptions.processed());
    Throwable first = Eventually.failure(endings.get(0).end);
    Throwable second = Eventually.failure(endings.get(1).end);
    for (Throwable each : List.of(first, second, Eventually.failure(sent))) {
      assertThat(each).isInstanceOf(ArraywireException.class);
      CallerErrors.assertShort("a stream", each);
    }
    assertThat(first).isNotSameAs(second).hasRootCause(bug);
    assertThat(second).hasRootCause(bug);
  }

  private static Callable<Void> runs(Runnable task) {
    return () -> {
      task.run();
      return null;
    };
  }

  @Test
  default void aStreamThatIsRefusedSaysWhyInFewWords() throws Exception {
    Connection connection =
        stage()
            .connectionTo((from, array) -> {
              throw new IllegalStateException(
                  "com.example.StoreException: no " + "room ".repeat(400));
            });
    List<Throwable> failures = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      ArraySubscriber subscriber = ArrayFlows.subscriber(connection, SendOptions.processed(), 1);
      try (SubmissionPublisher<ArraySlice> publisher =
          new SubmissionPublisher<>(Runnable::run, 4)) {
        publisher.subscribe(subscriber);
        publisher.submit(ArraySlice.of(new int[3]));
      }
      Throwable failure = Eventually.failure(subscriber.done());
      assertThat(failure)
          .isInstanceOf(RemoteRejectedException.class)
          .hasMessageContaining("room room");
      CallerErrors.assertShort("done", failure);
      failures.add(failure);
    }
    assertThat(failures.get(0)).isNotSameAs(failures.get(1));
  }

  @Test
  default void anExhaustedBudgetIsSaidToEveryPeerThatConnects() throws Exception {
    int inbox = stage().options().build().connectionInboxBytes();
    Transport poor = stage().transport(options -> options.memoryBudgetBytes(inbox + inbox / 2L));
    Listener listener = stage().transport().listen(stage().address());
    Connection only = poor.connect(listener.address());
    Throwable failure = catchThrowable(() -> poor.connect(listener.address()));
    assertTraced("connect", failure, ErrorCode.MEMORY_BUDGET);
    assertThat(failure).hasMessageContaining("memoryBudgetBytes=" + (inbox + inbox / 2L));

    Listener poorListener =
        stage()
            .transport(options -> options.memoryBudgetBytes(inbox + inbox / 2L))
            .listen(stage().address());
    Connection first = stage().transport().connect(poorListener.address());
    assertTraced(
        "connect to one without memory",
        catchThrowable(() -> stage().transport().connect(poorListener.address())),
        ArraywireException.class);
    only.close();
    first.close();
  }

  @Test
  default void anArrayForWhichNoMemoryIsLeftFailsWithTheSendersFrames() throws Exception {
    Transport there = stage().transport(options -> options.arrivalBytes(1 << 20));
    Listener listener = there.listen(stage().address(), (from, array) -> {});
    Connection connection = stage().transport().connect(listener.address());
    CallerErrors.assertFoundElsewhere(
        "send",
        CallerErrors.twoOf(
            () -> connection.send(ArraySlice.of(new int[1 << 19]), SendOptions.processed())),
        CallerErrorFlowTests.class,
        RemoteRejectedException.class);
  }

  /** A caller gets a failure of its own, which it may change, and not that of the connection. */
  @Test
  default void everyCloseThatIsOutOfTimeFailsForItself() throws Exception {
    Ends ends =
        stage().ends(options -> options.closeTimeout(Duration.ofMillis(100)), options -> options);
    CompletionStage<?> queued =
        ends.here()
            .sendAsync(
                ArraySlice.of(new int[Elements.TOO_MANY_TO_BE_ON_THE_WAY]),
                SendOptions.processed());
    Described.awaitPeerHeldUp(ends.there());
    Throwable failure = catchThrowable(() -> ends.here().close());
    CallerErrors.assertFoundElsewhere(
        "close", failure, CallerErrorFlowTests.class, ErrorCode.CLOSE_TIMEOUT);
    Throwable late = Eventually.failure(queued);
    assertThat(late)
        .matches(CallerErrors.anyOf(ErrorCode.CLOSE_TIMEOUT, ErrorCode.DELIVERY_UNKNOWN));
    for (Throwable each = late; each != null; each = each.getCause()) {
      assertThat(each).isNotSameAs(failure);
    }
  }
}
