package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.ArrayHandler;
import io.arraywire.ArraySlice;
import io.arraywire.Connection;
import io.arraywire.ElementType;
import io.arraywire.Handlers;
import io.arraywire.Receipt;
import io.arraywire.ReceivedArray;
import io.arraywire.RemoteRejectedException;
import io.arraywire.Reply;
import io.arraywire.RequestOptions;
import io.arraywire.SendOptions;
import io.arraywire.SubscribeOptions;
import io.arraywire.Transport;
import io.arraywire.message.Message;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Handlers and stages that do not block, and so run on the thread that reads. */
interface OnLoopTests {
  /** The tag of a request that is answered when its stage has a dependent. */
  long LATER = -1;

  TransportStage stage();

  /** Runs tasks on a thread of its own, and counts them. */
  final class CountingExecutor implements Executor, AutoCloseable {
    private final ExecutorService threads = Executors.newCachedThreadPool();
    final AtomicInteger tasks = new AtomicInteger();

    @Override
    public void execute(Runnable task) {
      tasks.incrementAndGet();
      threads.execute(task);
    }

    @Override
    public void close() {
      threads.shutdown();
    }
  }

  @Test
  default void handlersOnTheLoopNeedNoExecutor() throws Exception {
    try (CountingExecutor executor = new CountingExecutor()) {
      AtomicInteger taken = new AtomicInteger();
      Connection connection =
          stage()
              .connectionTo(
                  options -> options.handlerExecutor(executor).stagesOnLoop(true),
                  Handlers.answering(query -> Message.of(query.slice()))
                      .withArrays((from, array) -> taken.addAndGet(array.count()))
                      .onLoop());
      for (int count : new int[] {1, 8, 1000, 300_000}) {
        connection.send(new float[count], SendOptions.processed());
        assertThat(connection.call(new float[count], Eventually.LONG).count()).isEqualTo(count);
      }
      assertThat(taken).hasValue(301_009);
      assertThat(executor.tasks).hasValue(0);
      connection.close();
    }
  }

  @Test
  default void eachChannelKeepsItsOrderOnTheLoop() throws Exception {
    int channels = 3;
    int arrays = 400;
    List<List<Integer>> taken = new ArrayList<>();
    for (int i = 0; i < channels; i++) {
      taken.add(Collections.synchronizedList(new ArrayList<>()));
    }
    Connection connection =
        stage()
            .connectionTo(
                Handlers.ofArrays(
                        (from, array) -> taken.get(array.header().channel()).add(array.ints()[0]))
                    .onLoop());
    List<CompletionStage<Receipt>> sent = new ArrayList<>();
    List<Integer> expected = new ArrayList<>();
    for (int i = 0; i < arrays; i++) {
      expected.add(i);
      for (int id = 0; id < channels; id++) {
        // Of all sizes, so that some come whole with their header and some in many frames.
        int[] array = new int[1 + (i * 997) % 20_000];
        array[0] = i;
        sent.add(connection.channel(id).sendAsync(ArraySlice.of(array), SendOptions.processed()));
      }
      if (sent.size() > 30) {
        Eventually.all(sent);
        sent.clear();
      }
    }
    Eventually.all(sent);
    assertThat(taken).allSatisfy(each -> assertThat(each).isEqualTo(expected));
    connection.close();
  }

  @Test
  default void callsThatWaitFailAtOnceOnTheLoop() throws Exception {
    BlockingQueue<Throwable> thrown = new LinkedBlockingQueue<>();
    Transport other = stage().transport();
    Connection connection =
        stage()
            .connectionTo(
                Handlers.ofArrays(
                        (from, array) -> {
                          float[] one = {1};
                          note(thrown, () -> from.send(one, SendOptions.processed()));
                          note(thrown, () -> from.call(one, Duration.ofMinutes(1)));
                          CompletableFuture<ReceivedArray> stage = from.request(one);
                          note(thrown, stage::join);
                          note(thrown, stage::get);
                          note(thrown, () -> other.connect(stage().address()));
                          note(
                              thrown, () -> from.subscribe("subject", SubscribeOptions.defaults()));
                          boolean unused = stage.cancel(false);
                        })
                    .onLoop());
    connection.send(new float[1], SendOptions.processed());
    assertThat(thrown).hasSize(6);
    assertThat(thrown)
        .allSatisfy(each ->
            assertThat(each)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("on the event loop must not wait")
                .hasMessageContaining("leave out onLoop"));
    assertThat(thrown)
        .map(each -> String.valueOf(each.getMessage()))
        .satisfiesExactly(
            each -> assertThat(each).contains("call=send"),
            each -> assertThat(each).contains("call=join or get"),
            each -> assertThat(each).contains("call=join or get"),
            each -> assertThat(each).contains("call=join or get"),
            each -> assertThat(each).contains("call=connect"),
            each -> assertThat(each).contains("call=subscribe"));
    connection.close();
  }

  private static void note(BlockingQueue<Throwable> thrown, CallerErrors.Call call) {
    try {
      call.run();
    } catch (Exception e) {
      thrown.add(e);
    }
  }

  @Test
  default void whatDoesNotWaitIsAllowedOnTheLoop() throws Exception {
    BlockingQueue<ReceivedArray> back = new LinkedBlockingQueue<>();
    BlockingQueue<Reply> later = new LinkedBlockingQueue<>();
    Connection connection =
        stage()
            .transport()
            .connect(
                stage()
                    .closing(
                        stage()
                            .transport()
                            .listen(
                                stage().address(),
                                Handlers.ofRequests(
                                        (from, request, reply) -> {
                                          if (request.tag() == 1) {
                                            later.add(reply);
                                          } else {
                                            var unused = reply.send(request.slice());
                                          }
                                        })
                                    .withArrays((from, array) -> {
                                      var unused =
                                          from.sendAsync(array.slice(), SendOptions.processed());
                                      var unusedToo = from.offer(array.ints());
                                      var unusedThree =
                                          from.request(array.ints())
                                              .thenAccept(reply -> later(from, reply));
                                    })
                                    .onLoop()))
                    .address(),
                Handlers.ofArrays((from, array) -> back.add(array))
                    .withRequests((from, request, reply) -> {
                      var unused = reply.send(request.slice());
                    })
                    .onLoop());
    connection.send(new int[] {7}, SendOptions.processed());
    for (int i = 0; i < 3; i++) {
      assertThat(Eventually.next("what the handler sends", back).ints()).containsExactly(7);
    }
    CompletableFuture<ReceivedArray> answer =
        connection.request(new int[] {8}, RequestOptions.defaults().tag(1));
    Reply reply = Eventually.next("the request that is answered later", later);
    var unused = reply.send(ArraySlice.of(new int[] {9}));
    assertThat(Eventually.get(answer).ints()).containsExactly(9);
    connection.close();
  }

  private static void later(Connection to, ReceivedArray reply) {
    var unused = to.sendAsync(reply.slice(), SendOptions.processed());
  }

  @Test
  default void aHandlerOnTheLoopThatThrowsRejectsThatArrayAlone() throws Exception {
    AtomicInteger taken = new AtomicInteger();
    Connection connection =
        stage()
            .connectionTo(
                Handlers.answering(
                        query -> {
                          throw new IllegalStateException("no answer today");
                        })
                    .withArrays((from, array) -> {
                      if (array.tag() == 1) {
                        throw new IllegalArgumentException("no thirteen please");
                      }
                      taken.incrementAndGet();
                    })
                    .onLoop());
    List<CompletionStage<Receipt>> sent = new ArrayList<>();
    for (int tag = 0; tag < 3; tag++) {
      sent.add(connection.sendAsync(ArraySlice.of(new int[9]), SendOptions.processed().tag(tag)));
    }
    Eventually.get(sent.get(0));
    assertThat(Eventually.failure(sent.get(1)))
        .isInstanceOf(RemoteRejectedException.class)
        .hasMessageContaining("no thirteen please");
    Eventually.get(sent.get(2));
    assertThatThrownBy(() -> connection.call(new int[1], Eventually.LONG))
        .isInstanceOf(RemoteRejectedException.class)
        .hasMessageContaining("no answer today");
    assertThat(taken).hasValue(2);
    assertThat(connection.isOpen()).isTrue();
    connection.close();
  }

  @Test
  default void aHandlerOnTheLoopMayCloseItsConnectionAndIsToldOfTheEndOnce() throws Exception {
    AtomicInteger ends = new AtomicInteger();
    CompletableFuture<Void> told = new CompletableFuture<>();
    Connection connection =
        stage()
            .connectionTo(
                Handlers.ofArrays((from, array) -> from.close())
                    .withClosed((from, cause) -> {
                      ends.incrementAndGet();
                      var unused = told.complete(null);
                    })
                    .onLoop());
    connection.send(new int[1], SendOptions.processed());
    Eventually.get(told);
    Eventually.until("the end of the connection", () -> !connection.isOpen());
    connection.close();
    assertThat(ends).hasValue(1);
  }

  @Test
  default void targetsAreBoundOnTheLoop() throws Exception {
    double[] target = new double[100_000];
    ArrayHandler sums = (from, array) -> assertThat(array.slice().array()).isSameAs(target);
    Connection connection =
        stage()
            .connectionTo(
                Handlers.ofArrays(sums)
                    .withTargets((from, header) -> ArraySlice.of(target, 0, header.count()))
                    .onLoop());
    for (int i = 1; i <= 5; i++) {
      double[] array = new double[i * 20_000];
      array[i] = i;
      connection.send(array, SendOptions.processed());
      assertThat(target[i]).isEqualTo(i);
    }
    connection.close();
  }

  @Test
  default void plainArraysAreHandledOnTheLoop() throws Exception {
    BlockingQueue<Integer> counts = new LinkedBlockingQueue<>();
    Connection connection =
        stage()
            .connectionTo(
                options -> options.plain(ElementType.FLOAT),
                Handlers.ofArrays((from, array) -> counts.add(array.count())).onLoop());
    for (int count : new int[] {1, 0, 50_000}) {
      connection.send(new float[count]);
      assertThat(Eventually.next("an array", counts)).isEqualTo(count);
    }
    connection.close();
  }

  @Test
  default void manyThreadsAreAnsweredOnTheLoop() throws Exception {
    Connection connection =
        stage()
            .connectionTo(
                Handlers.answering(query -> Message.of(query.slice()).tag(query.tag())).onLoop());
    List<Running<Void>> callers = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      int first = i * 1000;
      callers.add(
          Running.calling(() -> {
            for (int tag = first; tag < first + 250; tag++) {
              float[] query = new float[1 + tag % 300];
              query[0] = tag;
              ReceivedArray reply = connection.call(query, RequestOptions.defaults().tag(tag));
              assertThat(reply.tag()).isEqualTo(tag);
              assertThat(reply.floats()).isEqualTo(query);
            }
          }));
    }
    for (Running<Void> each : callers) {
      each.get();
    }
    connection.close();
  }

  @Test
  default void whatDependsOnStagesRunsWhereTheirOutcomeArrives() throws Exception {
    try (CountingExecutor executor = new CountingExecutor()) {
      BlockingQueue<Reply> open = new LinkedBlockingQueue<>();
      Connection connection =
          stage()
              .connectionTo(
                  options -> options.handlerExecutor(executor).stagesOnLoop(true),
                  Handlers.ofRequests(
                          (from, request, reply) -> {
                            if (request.tag() == LATER) {
                              open.add(reply);
                            } else {
                              var unused =
                                  reply.send(Message.of(request.slice()).tag(request.tag()));
                            }
                          })
                      .onLoop());
      CompletableFuture<Long> done = new CompletableFuture<>();
      ask(connection, 200, done);
      assertThat(Eventually.get(done)).isEqualTo(0);
      assertThat(executor.tasks).hasValue(0);
      CompletableFuture<Void> waits = new CompletableFuture<>();
      var unused =
          connection
              .request(new int[3], RequestOptions.defaults().tag(LATER))
              .thenAccept(answer -> {
                try {
                  connection.send(new int[1], SendOptions.processed());
                  waits.complete(null);
                } catch (Exception e) {
                  waits.completeExceptionally(e);
                }
              });
      // Not before something depends on the stage.
      Reply reply = Eventually.next("the request that is answered later", open);
      Eventually.get(reply.send(ArraySlice.of(new int[1])));
      assertThat(Eventually.failure(waits))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("call=send");
      connection.close();
    }
  }

  /** One request from the stage of the one before. */
  private static void ask(Connection connection, long tag, CompletableFuture<Long> done) {
    var unused =
        connection
            .request(new int[1], RequestOptions.defaults().tag(tag))
            .whenComplete((reply, thrown) -> {
              if (thrown != null) {
                done.completeExceptionally(thrown);
              } else if (reply.tag() == 0) {
                done.complete(0L);
              } else {
                ask(connection, reply.tag() - 1, done);
              }
            });
  }
}
