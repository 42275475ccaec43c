package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.ArraySlice;
import io.arraywire.Connection;
import io.arraywire.ConnectionClosedException;
import io.arraywire.ElementType;
import io.arraywire.ErrorCode;
import io.arraywire.Handlers;
import io.arraywire.Listener;
import io.arraywire.NoRoomException;
import io.arraywire.ReceivedArray;
import io.arraywire.RemoteRejectedException;
import io.arraywire.Reply;
import io.arraywire.RequestHandler;
import io.arraywire.RequestOptions;
import io.arraywire.SendOptions;
import io.arraywire.TimedOutException;
import io.arraywire.testkit.TransportStage.Ends;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Requests and their replies. */
interface RequestTests {
  TransportStage stage();

  /** A request that waits for its answer. */
  record Asked(ReceivedArray request, Reply reply) {}

  /** Keeps requests for the test to answer. */
  final class Desk implements RequestHandler {
    private final BlockingQueue<Asked> asked = new LinkedBlockingQueue<>();

    @Override
    public void onRequest(Connection connection, ReceivedArray request, Reply reply) {
      asked.add(new Asked(request, reply));
    }

    Asked next() throws InterruptedException {
      return Eventually.next("a request comes", asked);
    }
  }

  /** Answers with the elements plus one. */
  static Handlers incrementing() {
    return Handlers.ofRequests((connection, request, reply) -> reply.send(plusOne(request)));
  }

  private static ArraySlice plusOne(ReceivedArray array) {
    int[] result = array.ints().clone();
    for (int i = 0; i < result.length; i++) {
      result[i]++;
    }
    return ArraySlice.of(result);
  }

  static CompletableFuture<ReceivedArray> ask(Connection connection, int... elements) {
    return connection.request(ArraySlice.of(elements)).toCompletableFuture();
  }

  @Test
  default void aRequestIsAnsweredWithWhatItsHandlerSends() throws Exception {
    Connection connection = stage().connectionTo(incrementing());
    for (int count : new int[] {0, 1, 1000, 300_000}) {
      ReceivedArray reply = Eventually.get(ask(connection, new int[count]));
      assertThat(reply.ints())
          .hasSize(count)
          .satisfies(ones -> {
            for (int one : ones) {
              assertThat(one).isOne();
            }
          });
    }
    CompletionStage<ReceivedArray> shaped =
        connection.request(ArraySlice.of(new int[6]), RequestOptions.defaults().shape(2, 3).tag(7));
    assertThat(Eventually.get(shaped).count()).isEqualTo(6);
    connection.close();
  }

  @Test
  default void answersComeInAnyOrderFromAnyThread() throws Exception {
    Desk desk = new Desk();
    Connection connection = stage().connectionTo(Handlers.ofRequests(desk));
    List<CompletableFuture<ReceivedArray>> stages = new ArrayList<>();
    List<Asked> asked = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      stages.add(ask(connection, i));
      asked.add(desk.next());
    }
    for (int i = 19; i >= 0; i--) {
      Asked each = asked.get(i);
      Running.start(() -> each.reply().send(plusOne(each.request()))).get();
      assertThat(Eventually.get(stages.get(i)).ints()).containsExactly(i + 1);
      if (i > 0) {
        assertThat(stages.get(i - 1)).isNotDone();
      }
    }
    connection.close();
  }

  @Test
  default void aThousandRequestsAtOnce() throws Exception {
    CountDownLatch all = new CountDownLatch(1000);
    Connection connection =
        stage()
            .connectionTo(
                Handlers.ofRequests((from, request, reply) -> {
                  all.countDown();
                  // From threads of their own, once every request is there.
                  Running.start(() -> {
                    Eventually.until("all requests are there", all);
                    return reply.send(plusOne(request));
                  });
                }));
    List<CompletableFuture<ReceivedArray>> stages = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      stages.add(
          connection.channel(i % 4).request(ArraySlice.of(new int[] {i})).toCompletableFuture());
    }
    for (int i = 0; i < 1000; i++) {
      assertThat(Eventually.get(stages.get(i)).ints()).containsExactly(i + 1);
    }
    connection.close();
  }

  @Test
  default void bothEndsAskAtOnceAndInsideOfTheirAnswers() throws Exception {
    // Answers with what the other side makes of one less, down to zero.
    Handlers countingDown =
        Handlers.ofRequests((connection, request, reply) -> {
          int number = request.ints()[0];
          if (number == 0) {
            reply.send(new int[] {0});
          } else {
            var unused =
                connection
                    .request(ArraySlice.of(new int[] {number - 1}))
                    .thenAccept(
                        answer -> reply.send(ArraySlice.of(new int[] {answer.ints()[0] + number})));
          }
        });
    Listener listener = stage().transport().listen(stage().address(), countingDown);
    List<CompletableFuture<ReceivedArray>> stages = new ArrayList<>();
    Connection connection = stage().transport().connect(listener.address(), countingDown);
    for (int i = 0; i < 50; i++) {
      stages.add(ask(connection, i));
    }
    for (int i = 0; i < 50; i++) {
      assertThat(Eventually.get(stages.get(i)).ints()).containsExactly(i * (i + 1) / 2);
    }
    connection.close();
  }

  @Test
  default void aHandlerMayWaitForAnAnswerOfTheSameConnection() throws Exception {
    Listener listener =
        stage()
            .transport()
            .listen(
                stage().address(),
                Handlers.ofRequests((connection, request, reply) ->
                    reply.send(plusOne(Eventually.get(connection.request(request.slice()))))));
    Connection connection = stage().transport().connect(listener.address(), incrementing());
    assertThat(Eventually.get(ask(connection, 5)).ints()).containsExactly(7);
    connection.close();
  }

  @Test
  default void theReplyIsPutIntoItsTarget() throws Exception {
    Connection connection = stage().connectionTo(incrementing());
    int[] target = new int[200_002];
    CompletionStage<ReceivedArray> stage =
        connection.request(
            ArraySlice.of(new int[200_000]),
            RequestOptions.defaults().target(ArraySlice.of(target, 1, 200_000)));
    ReceivedArray reply = Eventually.get(stage);
    assertThat(reply.slice().array()).isSameAs(target);
    assertThat(reply.ints()).hasSize(200_000).containsOnly(1);
    for (int i = 0; i < target.length; i++) {
      assertThat(target[i]).isEqualTo(i == 0 || i == 200_001 ? 0 : 1);
    }
    connection.close();
  }

  @Test
  default void aRequestFailsAloneWithTheWordsOfTheFarSide() throws Exception {
    Connection connection =
        stage()
            .connectionTo(
                Handlers.ofRequests((from, request, reply) -> {
                  switch (request.ints()[0]) {
                    case 0 -> throw new IllegalStateException("not today");
                    case 1 -> reply.fail("no such table");
                    default -> reply.send(request.slice());
                  }
                }));
    List<CompletableFuture<ReceivedArray>> stages =
        List.of(ask(connection, 0), ask(connection, 1), ask(connection, 2));
    assertThat(Eventually.failure(stages.get(0)))
        .isInstanceOf(RemoteRejectedException.class)
        .hasMessageNotContaining("IllegalStateException")
        .hasMessageContaining("not today");
    assertThat(Eventually.failure(stages.get(1)))
        .isInstanceOf(RemoteRejectedException.class)
        .matches(ErrorCode.REQUEST_FAILED::isOf)
        .hasMessageContaining("no such table");
    assertThat(Eventually.get(stages.get(2)).ints()).containsExactly(2);
    // An array that is no request is refused, too.
    assertThat(
            Eventually.failure(
                connection.sendAsync(ArraySlice.of(new int[1]), SendOptions.processed())))
        .isInstanceOf(RemoteRejectedException.class)
        .hasMessageContaining("only requests");
    connection.close();
  }

  @Test
  default void aHandlerOfBothTakesBoth() throws Exception {
    AtomicInteger others = new AtomicInteger();
    Connection connection =
        stage().connectionTo(incrementing().withArrays((from, array) -> others.incrementAndGet()));
    CompletableFuture<ReceivedArray> stage = ask(connection, 1);
    connection.send(ArraySlice.of(new int[1]), SendOptions.processed());
    assertThat(others).hasValue(1);
    assertThat(Eventually.get(stage).ints()).containsExactly(2);
    connection.close();
  }

  @Test
  default void whereThereIsNoRequestHandlerRequestsAreRefused() throws Exception {
    Ends ends = stage().ends();
    Running<ReceivedArray> receive = Running.start(() -> ends.there().receive());
    assertThat(Eventually.failure(ask(ends.here(), 1)))
        .isInstanceOf(RemoteRejectedException.class)
        .hasMessageContaining("there is no request handler");
    ends.here().send(new int[] {4});
    assertThat(receive.get().ints()).containsExactly(4);
  }

  @Test
  default void onlySoManyRequestsAreOpen() throws Exception {
    Desk desk = new Desk();
    Listener listener =
        stage()
            .transport(options -> options.maxOpenRequests(2))
            .listen(stage().address(), Handlers.ofRequests(desk));
    Connection connection =
        stage().transport(options -> options.maxOpenRequests(3)).connect(listener.address());
    List<CompletableFuture<ReceivedArray>> stages =
        List.of(ask(connection, 0), ask(connection, 1), ask(connection, 2));
    assertThat(Eventually.failure(stages.get(2)))
        .isInstanceOf(NoRoomException.class)
        .matches(ErrorCode.TOO_MANY_REQUESTS::isOf)
        .hasMessageContaining("too many requests are open")
        .hasMessageContaining("maxOpenRequests=2");
    desk.next().reply().send(ArraySlice.of(new int[1]));
    desk.next().reply().send(ArraySlice.of(new int[1]));
    Eventually.get(stages.get(0));
    Eventually.get(stages.get(1));
    connection.close();
  }

  @Test
  default void closeWaitsForRequestsOfBothEnds() throws Exception {
    Desk here = new Desk();
    Desk there = new Desk();
    Listener listener = stage().transport().listen(stage().address(), Handlers.ofRequests(there));
    Connection connection =
        stage().transport().connect(listener.address(), Handlers.ofRequests(here));
    CompletableFuture<ReceivedArray> made = ask(connection, 1);
    Asked asked = there.next();
    CompletableFuture<ReceivedArray> taken = ask(asked.reply().channel().connection(), 2);
    Asked back = here.next();
    Running<Boolean> close =
        Running.start(() -> {
          connection.close();
          return true;
        });
    Eventually.until("it closes", () -> !connection.isOpen());
    assertThat(Eventually.failure(ask(connection, 3)))
        .isInstanceOf(ConnectionClosedException.class);
    back.reply().send(ArraySlice.of(new int[] {20}));
    assertThat(Eventually.get(taken).ints()).containsExactly(20);
    assertThat(close.isDone()).isFalse();
    asked.reply().send(ArraySlice.of(new int[] {10}));
    assertThat(Eventually.get(made).ints()).containsExactly(10);
    assertThat(close.get()).isTrue();
  }

  @Test
  default void plainModeHasNoRequests() throws Exception {
    Ends ends = stage().ends(options -> options.plain(ElementType.INT));
    assertThat(ends.here().agreement().plain()).isTrue();
    assertThatThrownBy(() -> ends.here().request(ArraySlice.of(new int[1])))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("no requests and no subscriptions in plain mode");
    ends.here().closeNow();
  }

  @Test
  default void aCallWaitsForItsReply() throws Exception {
    Connection client =
        stage()
            .connectionTo(
                Handlers.ofRequests((from, asked, reply) -> {
                  switch (asked.ints()[0]) {
                    case 0 -> reply.fail("no such number");
                    case 1 -> {
                      // Never answered.
                    }
                    default -> reply.send(new int[] {2 * asked.ints()[0]});
                  }
                }));
    assertThat(client.call(new int[] {4}, Eventually.LONG).ints()).containsExactly(8);
    int[] target = new int[3];
    ReceivedArray into =
        client.call(
            new int[] {5}, RequestOptions.defaults().target(ArraySlice.of(target, 1, 2)).tag(7));
    assertThat(target).containsExactly(0, 10, 0);
    assertThat(into.count()).isEqualTo(1);
    assertThatThrownBy(() -> client.call(new int[] {0}, Eventually.LONG))
        .isInstanceOf(RemoteRejectedException.class)
        .matches(ErrorCode.REQUEST_FAILED::isOf)
        .hasMessageContaining("no such number");
    assertThatThrownBy(() -> client.call(new int[] {1}, Duration.ofMillis(2)))
        .isInstanceOf(TimedOutException.class)
        .matches(ErrorCode.REQUEST_TIMEOUT::isOf);
    Running<ReceivedArray> never = Running.start(() -> client.call(new int[] {1}, Eventually.LONG));
    Eventually.until("it is asked", () -> client.load().openRequests() == 1);
    never.interrupt();
    assertThat(never.failure()).isInstanceOf(InterruptedException.class);
    Eventually.until("it is cancelled", () -> client.load().openRequests() == 0);
    client.closeNow();
  }
}
