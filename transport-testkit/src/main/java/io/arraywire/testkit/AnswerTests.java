package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.ErrorCode;
import io.arraywire.Handlers;
import io.arraywire.Receipt;
import io.arraywire.ReceivedArray;
import io.arraywire.RemoteRejectedException;
import io.arraywire.RequestOptions;
import io.arraywire.SendOptions;
import io.arraywire.message.Message;
import java.nio.DoubleBuffer;
import java.nio.IntBuffer;
import java.nio.ShortBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Handlers made of functions, those that return an answer above all. */
interface AnswerTests {
  TransportStage stage();

  @Test
  default void aFunctionAnswers() throws Exception {
    Connection connection =
        stage()
            .connectionTo(
                Handlers.answering(query ->
                    Message.of(ArraySlice.of(query.floats()), 1, query.count())
                        .tag(query.tag() + 1)));
    ReceivedArray reply = connection.call(new float[] {1, 2}, RequestOptions.defaults().tag(6));
    assertThat(reply.floats()).containsExactly(1, 2);
    assertThat(reply.tag()).isEqualTo(7);
    assertThat(reply.header().attributes().shape()).containsExactly(1, 2);
  }

  @Test
  default void aReplyIsAWholeArrayABufferOrAMessage() throws Exception {
    SendOptions options = SendOptions.processed().shape(1, 2);
    BlockingQueue<CompletionStage<Receipt>> sent = new LinkedBlockingQueue<>();
    Connection connection =
        stage()
            .connectionTo(
                Handlers.ofRequests((from, query, reply) ->
                    sent.add(
                        switch ((int) query.tag()) {
                          case 0 -> reply.send(new float[] {1, 2});
                          case 1 -> reply.send(new long[] {3, 4}, options.tag(8));
                          case 2 -> reply.send(ShortBuffer.wrap(new short[] {4, 5, 6, 7}, 1, 2));
                          case 3 -> reply.send(DoubleBuffer.wrap(new double[] {7, 8}), options);
                          default ->
                              reply.send(
                                  Message.of("ids", new int[] {9}).with("names", new char[] {'x'}),
                                  SendOptions.processed());
                        })));
    List<ReceivedArray> replies = new ArrayList<>();
    for (int tag = 0; tag < 5; tag++) {
      replies.add(connection.call(new byte[1], RequestOptions.defaults().tag(tag)));
      assertThat(Eventually.get(sent.take())).isNotNull();
    }
    assertThat(replies.get(0).floats()).containsExactly(1, 2);
    assertThat(replies.get(1).longs()).containsExactly(3, 4);
    assertThat(replies.get(1).tag()).isEqualTo(8);
    assertThat(replies.get(2).shorts()).containsExactly((short) 5, (short) 6);
    assertThat(replies.get(3).doubles()).containsExactly(7, 8);
    assertThat(replies.get(3).header().attributes().shape()).containsExactly(1, 2);
    assertThat(replies.get(4).message().ints("ids")).containsExactly(9);
    assertThat(replies.get(4).message().chars("names")).containsExactly('x');
  }

  @Test
  default void theRowsOfAnAnswerAreGathered() throws Exception {
    int[][] rows = {{1, 2}, {3, 4}, {5, 6}};
    Connection connection =
        stage().connectionTo(Handlers.answering(query -> Message.rows(Message.UNNAMED, rows)));
    ReceivedArray reply = connection.call(new int[0], Eventually.LONG);
    assertThat(reply.ints()).containsExactly(1, 2, 3, 4, 5, 6);
    assertThat(reply.header().attributes().shape()).containsExactly(3, 2);
  }

  @Test
  default void aFunctionThatThrowsRefusesItsRequestAlone() throws Exception {
    Connection connection =
        stage()
            .connectionTo(
                Handlers.answering(query -> {
                  if (query.count() == 1) {
                    throw new IllegalStateException("not one");
                  }
                  return Message.of(query.slice());
                }));
    assertThatThrownBy(() -> connection.call(new int[1], Eventually.LONG))
        .isInstanceOf(RemoteRejectedException.class)
        .hasMessageContaining("not one");
    assertThat(connection.call(new int[2], Eventually.LONG).count()).isEqualTo(2);
  }

  @Test
  @SuppressWarnings("NullAway") // Null is the mistake.
  default void anAnswerThatIsNullSaysWhatToDo() throws Exception {
    String advice =
        "the answer is null; answer with a Message, or throw an exception that says why not";
    Message none = null;
    CompletableFuture<Message> noStage = null;
    ArraySlice noSlice = null;
    float[] noArray = null;
    IntBuffer noBuffer = null;
    CompletableFuture<Message> later = CompletableFuture.completedFuture(none);
    assertThat(refusal(Handlers.answering(query -> none))).contains(advice);
    assertThat(refusal(Handlers.answeringLater(query -> later))).contains(advice);
    assertThat(refusal(Handlers.answeringLater(query -> noStage)))
        .contains("the function returned null instead of a stage");
    String words = "the answer is null; send an array, or call fail with a reason";
    assertThat(refusal(Handlers.ofRequests((from, query, reply) -> reply.send(noSlice))))
        .contains(words);
    assertThat(refusal(Handlers.ofRequests((from, query, reply) -> reply.send(noArray))))
        .contains(words);
    assertThat(refusal(Handlers.ofRequests((from, query, reply) -> reply.send(noBuffer))))
        .contains(words);
    assertThat(refusal(Handlers.ofRequests((from, query, reply) -> reply.send(none))))
        .contains("the answer is null; send a Message, or call fail with a reason");
  }

  private String refusal(Handlers handlers) throws Exception {
    Connection connection = stage().connectionTo(handlers);
    Throwable refused = Eventually.failure(connection.request(new int[1]));
    assertThat(refused).isInstanceOf(RemoteRejectedException.class);
    CallerErrors.assertShort("a null answer", refused);
    return String.valueOf(refused.getMessage());
  }

  /** In words of its own, without a number, for arrays, requests and targets. */
  @Test
  default void aHandlerRefusesOnPurpose() throws Exception {
    Handlers handlers =
        Handlers.answering(
                query -> {
                  throw ArraywireException.refusal("come back tomorrow", "queries", 7);
                })
            .withArrays((from, array) -> {
              throw ArraywireException.refusal("no room for it", "bytes", 4);
            });
    Connection connection = stage().connectionTo(handlers);
    assertThat(Eventually.failure(connection.request(new int[1])))
        .isInstanceOf(RemoteRejectedException.class)
        .matches(ErrorCode.REJECTED::isOf)
        .hasMessageStartingWith(
            "the far side refused the request: come back tomorrow (queries=7) (request=1, channel=0,");
    assertThatThrownBy(() -> connection.send(ArraySlice.of(new int[1]), SendOptions.processed()))
        .isInstanceOf(RemoteRejectedException.class)
        .matches(ErrorCode.REJECTED::isOf)
        .hasMessageStartingWith(
            "the far side refused the array: no room for it (bytes=4) (channel=0, peer=");
    Connection other =
        stage()
            .connectionTo(
                Handlers.answeringLater(query ->
                        CompletableFuture.failedFuture(ArraywireException.refusal("not today")))
                    .withArrays((from, array) -> {})
                    .withTargets((from, header) -> {
                      throw ArraywireException.refusal("no place");
                    }));
    assertThat(Eventually.failure(other.request(new int[1])))
        .hasMessageStartingWith("the far side refused the request: not today (request=1, channel");
    assertThatThrownBy(() -> other.send(ArraySlice.of(new int[1]), SendOptions.processed()))
        .hasMessageStartingWith("the far side refused the array: no place (channel=0, peer=");
  }

  @Test
  default void stagesAnswerInAnyOrder() throws Exception {
    BlockingQueue<CompletableFuture<Message>> begun = new LinkedBlockingQueue<>();
    Connection connection =
        stage()
            .connectionTo(
                Handlers.answeringLater(query -> {
                  CompletableFuture<Message> answer = new CompletableFuture<>();
                  begun.add(answer);
                  return answer;
                }));
    List<CompletableFuture<ReceivedArray>> asked = new ArrayList<>();
    List<CompletableFuture<Message>> answers = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      asked.add(connection.request(new int[i]));
      answers.add(Eventually.next("an answer is begun", begun));
    }
    answers.get(3).complete(Message.of(ArraySlice.of(new int[] {3})));
    assertThat(Eventually.get(asked.get(3)).ints()).containsExactly(3);
    answers.get(1).completeExceptionally(new IllegalStateException("no index"));
    assertThat(Eventually.failure(asked.get(1)))
        .isInstanceOf(RemoteRejectedException.class)
        .hasMessageContaining("no index");
    asked.get(2).cancel(true);
    Eventually.until("its stage is cancelled", answers.get(2)::isCancelled);
    answers.get(0).complete(Message.of(ArraySlice.of(new int[] {0})));
    assertThat(Eventually.get(asked.get(0)).ints()).containsExactly(0);
  }

  /** One value takes everything that comes, each in its function. */
  @Test
  default void handlersAreCombined() throws Exception {
    int[] memory = new int[100];
    BlockingQueue<ReceivedArray> arrays = new LinkedBlockingQueue<>();
    AtomicInteger ends = new AtomicInteger();
    Connection connection =
        stage()
            .connectionTo(
                Handlers.answering(query -> Message.of(query.slice()))
                    .withArrays((from, array) -> arrays.add(array))
                    .withTargets((from, header) -> ArraySlice.of(memory))
                    .withClosed((from, cause) -> ends.incrementAndGet()));
    assertThat(connection.call(new int[] {4}, Eventually.LONG).ints()).containsExactly(4);
    connection.send(new int[] {5, 6}, SendOptions.processed());
    ReceivedArray array = Eventually.next("an array comes", arrays);
    assertThat(array.slice().array()).isSameAs(memory);
    assertThat(array.ints()).containsExactly(5, 6);
    connection.close();
    Eventually.until("the handlers hear of the end", () -> ends.get() == 1);
  }

  @Test
  default void handlersOfRequestsRefuseArrays() throws Exception {
    Connection connection =
        stage().connectionTo(Handlers.answering(query -> Message.of(query.slice())));
    assertThatThrownBy(() -> connection.send(new int[1], SendOptions.processed()))
        .isInstanceOf(RemoteRejectedException.class)
        .hasMessageContaining("withArrays");
    assertThat(connection.call(new int[] {1}, Duration.ofMinutes(1)).ints()).containsExactly(1);
  }
}
