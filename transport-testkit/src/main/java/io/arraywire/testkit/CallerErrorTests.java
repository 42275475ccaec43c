package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.arraywire.ArrayInfo;
import io.arraywire.ArrayInput;
import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.ConnectionClosedException;
import io.arraywire.DeliveryUnknownException;
import io.arraywire.ElementType;
import io.arraywire.ErrorCode;
import io.arraywire.Handlers;
import io.arraywire.Listener;
import io.arraywire.RemoteRejectedException;
import io.arraywire.RequestOptions;
import io.arraywire.RowReader;
import io.arraywire.RowWriter;
import io.arraywire.SendOptions;
import io.arraywire.SubscribeOptions;
import io.arraywire.Subscription;
import io.arraywire.Transport;
import io.arraywire.message.Message;
import io.arraywire.source.ArraySource;
import io.arraywire.testkit.CallerErrors.Call;
import io.arraywire.testkit.TransportStage.Ends;
import java.nio.IntBuffer;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

/**
 * What fails on the threads of a transport is thrown by the calls of users. Each such exception has
 * the frames of its caller, is nobody else's, keeps the other thread's as its cause, and is short.
 */
interface CallerErrorTests {
  TransportStage stage();

  /** Every blocking call on a connection, by name. */
  static Map<String, Call> calls(Connection connection) {
    Map<String, Call> calls = new LinkedHashMap<>(receiveCalls(connection));
    ArraySlice slice = ArraySlice.of(new int[3]);
    calls.put("send", () -> connection.send(new int[3]));
    calls.put("send and wait", () -> connection.send(slice, SendOptions.processed()));
    calls.put("send on a channel", () -> connection.channel(1).send(slice));
    calls.put(
        "send within a time",
        () -> connection.send(slice, SendOptions.processed().timeout(Eventually.LONG)));
    calls.put("send a message", () -> connection.send(Message.of(new int[3])));
    calls.put("send a buffer", () -> connection.send(ArraySource.of(IntBuffer.allocate(3))));
    calls.put("send rows", () -> connection.send(ArraySource.rows(new int[2][3])));
    calls.put(
        "send a file",
        () ->
            CallerErrors.withFile(
                12,
                file ->
                    connection.send(
                        ArraySource.file(file, ElementType.INT), SendOptions.processed())));
    calls.put("call", () -> connection.call(slice, Eventually.LONG));
    calls.put(
        "call with a message", () -> connection.call(Message.of(new int[3]), Eventually.LONG));
    calls.put("poll", () -> connection.poll());
    calls.put("subscribe", () -> connection.subscribe("news", SubscribeOptions.defaults()));
    calls.put(
        "write a row",
        () -> {
          try (RowWriter rows =
              RowWriter.of(connection, ElementType.INT, 3, 1, SendOptions.processed())) {
            rows.write(new int[3], 0);
            rows.flush();
          }
        });
    return calls;
  }

  private static Map<String, Call> receiveCalls(Connection connection) {
    Map<String, Call> calls = receiveCalls((ArrayInput) connection);
    calls.put("receive on a channel", () -> connection.channel(1).receive());
    calls.put(
        "read a row",
        () -> RowReader.of(connection, ElementType.INT, 3).read(ArraySlice.of(new int[3])));
    return calls;
  }

  private static Map<String, Call> receiveCalls(ArrayInput input) {
    Map<String, Call> calls = new LinkedHashMap<>();
    calls.put("receive", input::receive);
    calls.put("receive within a time", () -> input.receive(Eventually.LONG));
    calls.put("lease within a time", () -> input.receiveLeased(Eventually.LONG));
    calls.put("receive into", () -> input.receiveInto(ArraySlice.of(new int[3], 0, 3)));
    calls.put(
        "receive with a note", () -> input.receiveInto(ArraySlice.of(new int[3]), new ArrayInfo()));
    calls.put(
        "receive with a note within a time",
        () -> input.receiveInto(ArraySlice.of(new int[3]), new ArrayInfo(), Eventually.LONG));
    calls.put("lease", input::receiveLeased);
    // A method reference has no frame of its own class.
    calls.replaceAll((name, call) -> () -> call.run());
    return calls;
  }

  @Test
  default void everyCallOnAClosedConnectionFailsForItself() throws Exception {
    Ends ends = stage().ends();
    ends.here().closeNow();
    Eventually.until("the close is heard of", () -> !ends.there().isOpen());
    for (Connection end : List.of(ends.here(), ends.there())) {
      for (Map.Entry<String, Call> each : calls(end).entrySet()) {
        CallerErrors.assertFoundElsewhere(
            each.getKey(),
            CallerErrors.twoOf(each.getValue()),
            CallerErrorTests.class,
            ArraywireException.class);
      }
    }
  }

  @Test
  default void everyCallThatWaitsFailsForItselfWhenTheConnectionEnds() throws Exception {
    for (boolean byPeer : new boolean[] {false, true}) {
      for (String name : receiveCalls(stage().ends().here()).keySet()) {
        Ends ends = stage().ends();
        List<Running<Void>> callers =
            CallerErrors.twoOf(Objects.requireNonNull(receiveCalls(ends.here()).get(name)));
        if (name.endsWith("channel")) {
          callers.forEach(caller -> awaitWaiting(caller.thread()));
        } else {
          Described.awaitReceivers(ends.here(), 2);
        }
        (byPeer ? ends.there() : ends.here()).closeNow();
        CallerErrors.assertFoundElsewhere(
            name + (byPeer ? ", closed by the peer" : ", closed here"),
            callers,
            CallerErrorTests.class,
            ArraywireException.class);
        ends.here().closeNow();
      }
    }
  }

  private static void awaitWaiting(Thread thread) {
    Eventually.until(
        "it waits",
        () ->
            thread.getState() == Thread.State.WAITING
                || thread.getState() == Thread.State.TIMED_WAITING);
  }

  @Test
  default void sendsThatAreInDoubtFailForThemselves() throws Exception {
    Ends ends = stage().ends();
    List<Running<Void>> callers =
        CallerErrors.twoOf(
            () -> ends.here().send(ArraySlice.of(new int[3]), SendOptions.processed()));
    Described.awaitReceived(ends.there(), 2 * 3 * Integer.BYTES);
    Eventually.until("both are there", () -> Described.number(ends.there(), "waitingArrays") == 2);
    ends.there().closeNow();
    CallerErrors.assertFoundElsewhere(
        "send", callers, CallerErrorTests.class, ArraywireException.class);
  }

  @Test
  default void anArrayThatAHandlerRefusesFailsWithTheCallersFrames() throws Exception {
    String words = "no\r\n\u001b[31m" + "room ".repeat(400);
    Connection connection =
        stage()
            .connectionTo((from, array) -> {
              throw new IllegalStateException(words);
            });
    CallerErrors.assertFoundElsewhere(
        "send",
        CallerErrors.twoOf(
            () -> connection.send(ArraySlice.of(new int[3]), SendOptions.processed())),
        CallerErrorTests.class,
        RemoteRejectedException.class);
    connection.close();
  }

  @Test
  default void aTimeoutNamesItsFactsInFewWords() throws Exception {
    Duration soon = Duration.ofMillis(100);
    Ends ends = stage().ends();
    ArraySlice large = ArraySlice.of(new int[Elements.TOO_MANY_TO_BE_ON_THE_WAY]);
    Throwable failure =
        catchThrowable(() -> ends.here().send(large, SendOptions.processed().timeout(soon)));
    CallerErrors.assertTraced("send", failure, CallerErrorTests.class, ErrorCode.SEND_TIMEOUT);
    assertThat(failure).hasMessageContainingAll("timeout=PT0.1S", "channel=0");
    CallerErrors.assertNamesPeer(failure, ends.here());
    assertThat(((ArraywireException) failure).details())
        .contains(String.valueOf(failure.getMessage()))
        .contains("unacknowledgedArrays=");
    ends.here().closeNow();
  }

  @Test
  default void aCloseThatIsOutOfTimeSaysSoInFewWords() throws Exception {
    Ends ends =
        stage().ends(options -> options.closeTimeout(Duration.ofMillis(100)), options -> options);
    var unused =
        ends.here()
            .sendAsync(
                ArraySlice.of(new int[Elements.TOO_MANY_TO_BE_ON_THE_WAY]),
                SendOptions.processed());
    Described.awaitPeerHeldUp(ends.there());
    List<Running<Void>> receivers = CallerErrors.twoOf(() -> ends.here().receive());
    Described.awaitReceivers(ends.here(), 2);
    Throwable failure = catchThrowable(() -> ends.here().close());
    CallerErrors.assertTraced("close", failure, CallerErrorTests.class, ErrorCode.CLOSE_TIMEOUT);
    CallerErrors.assertNamesPeer(failure, ends.here());
    assertThat(((ArraywireException) failure).details()).contains("queuedBytes");
    CallerErrors.assertFoundElsewhere(
        "receive", receivers, CallerErrorTests.class, ArraywireException.class);
  }

  @Test
  default void everyStageFailsWithAnExceptionOfItsOwn() throws Exception {
    Ends ends = stage().ends();
    ArraySlice slice = ArraySlice.of(new int[3]);
    List<CompletableFuture<?>> stages =
        List.of(
            ends.here().sendAsync(slice, SendOptions.processed()).toCompletableFuture(),
            ends.here().sendAsync(slice, SendOptions.processed()).toCompletableFuture(),
            ends.here().request(slice, RequestOptions.defaults()).toCompletableFuture(),
            ends.here().request(slice, RequestOptions.defaults()).toCompletableFuture());
    ends.here().closeNow();
    Throwable[] failures = new Throwable[stages.size()];
    for (int i = 0; i < failures.length; i++) {
      CompletableFuture<?> each = stages.get(i);
      Throwable wrapper = catchThrowable(() -> each.get());
      // The wrapper has the caller's frames; what it wraps is the stage's.
      assertThat(wrapper).isInstanceOf(ExecutionException.class);
      assertThat(wrapper.getStackTrace())
          .anyMatch(frame -> frame.getClassName().equals(CallerErrorTests.class.getName()));
      failures[i] = wrapper.getCause();
      assertThat(failures[i]).isInstanceOf(ArraywireException.class);
      CallerErrors.assertShort("stage " + i, failures[i]);
      for (int j = 0; j < i; j++) {
        assertThat(failures[i]).isNotSameAs(failures[j]);
      }
    }
  }

  @Test
  default void aRequestFailsWithItsNumberAndTheWholeReason() throws Exception {
    String reason = "no such table\n" + "x".repeat(500);
    Connection connection =
        stage().connectionTo(Handlers.ofRequests((from, request, reply) -> reply.fail(reason)));
    Throwable failure =
        Eventually.failure(
            connection.request(ArraySlice.of(new int[3]), RequestOptions.defaults()));
    assertThat(failure)
        .isInstanceOf(RemoteRejectedException.class)
        .matches(ErrorCode.REQUEST_FAILED::isOf)
        .hasMessageContainingAll("no such table?xxx", "request=1", "channel=0", "peer=");
    CallerErrors.assertShort("request", failure);
    assertThat(((ArraywireException) failure).details()).contains("x".repeat(500));
    connection.close();
  }

  @Test
  default void subscribersThatWaitFailForThemselves() throws Exception {
    Listener listener = stage().transport().listen(stage().address());
    Connection connection = stage().transport().connect(listener.address());
    Subscription first = connection.subscribe("news", SubscribeOptions.defaults());
    for (String name : receiveCalls(first).keySet()) {
      Subscription subscription = connection.subscribe("news", SubscribeOptions.defaults());
      Call call = Objects.requireNonNull(receiveCalls(subscription).get(name));
      List<Running<Void>> callers = CallerErrors.twoOf(call);
      callers.forEach(caller -> awaitWaiting(caller.thread()));
      subscription.close();
      CallerErrors.assertFoundElsewhere(
          name, callers, CallerErrorTests.class, ConnectionClosedException.class);
      CallerErrors.assertFoundElsewhere(
          name + ", later",
          CallerErrors.twoOf(call),
          CallerErrorTests.class,
          ConnectionClosedException.class);
    }
    Call poll = () -> first.poll();
    connection.closeNow();
    CallerErrors.assertFoundElsewhere(
        "poll", CallerErrors.twoOf(poll), CallerErrorTests.class, ArraywireException.class);
  }

  @Test
  default void sendersOfFilesFailForThemselves() throws Exception {
    Ends ends = stage().ends();
    CallerErrors.withFile(
        Elements.TOO_MANY_TO_BE_ON_THE_WAY * Integer.BYTES,
        file -> {
          List<Running<Void>> callers =
              CallerErrors.twoOf(() ->
                  ends.here()
                      .send(ArraySource.file(file, ElementType.INT), SendOptions.processed()));
          Described.awaitPeerHeldUp(ends.there());
          ends.there().closeNow();
          CallerErrors.assertFoundElsewhere(
              "send a file", callers, CallerErrorTests.class, ArraywireException.class);
        });
  }

  @Test
  default void publishingOverAClosedConnectionFailsForThatCallerAlone() throws Exception {
    Ends ends = stage().ends();
    ends.here().closeNow();
    Eventually.until("the close is heard of", () -> !ends.there().isOpen());
    for (Connection end : List.of(ends.here(), ends.there())) {
      CallerErrors.assertFoundElsewhere(
          "publish",
          CallerErrors.twoOf(() -> end.publish("news", ArraySlice.of(new int[3]))),
          CallerErrorTests.class,
          ArraywireException.class);
    }
  }

  @Test
  default void aSubscriptionThatIsRefusedFailsWithTheCallersFrames() throws Exception {
    Listener listener = stage().transport().listen(stage().address());
    Connection here = stage().transport().connect(listener.address());
    Connection there = listener.accept();
    listener.close();
    CallerErrors.assertFoundElsewhere(
        "subscribe",
        CallerErrors.twoOf(() -> here.subscribe("news", SubscribeOptions.defaults())),
        CallerErrorTests.class,
        ConnectionClosedException.class);
    assertThat(there.isOpen()).isTrue();
  }

  @Test
  default void acceptThatWaitsFailsForEachCaller() throws Exception {
    Listener listener = stage().transport().listen(stage().address());
    List<Running<Void>> callers = CallerErrors.twoOf(() -> listener.accept());
    callers.forEach(caller -> awaitWaiting(caller.thread()));
    listener.close();
    Throwable first = callers.get(0).failure();
    Throwable second = callers.get(1).failure();
    CallerErrors.assertTraced(
        "accept", first, CallerErrorTests.class, ConnectionClosedException.class);
    CallerErrors.assertTraced(
        "accept", second, CallerErrorTests.class, ConnectionClosedException.class);
    assertThat(first).isNotSameAs(second);
  }

  @Test
  default void everyCallOnAClosedTransportFailsForItself() throws Exception {
    Transport transport = stage().transport();
    Listener listener = stage().transport().listen(stage().address());
    transport.close();
    for (Call call :
        List.<Call>of(
            () -> transport.connect(listener.address()),
            () -> transport.listen(stage().address()))) {
      CallerErrors.assertTraced(
          "closed transport",
          catchThrowable(call::run),
          CallerErrorTests.class,
          ConnectionClosedException.class);
    }
  }

  @Test
  default void aRowThatIsNotAcknowledgedFailsTheWriterWithItsOwnFrames() throws Exception {
    Ends ends = stage().ends();
    RowWriter rows = RowWriter.of(ends.here(), ElementType.INT, 3, 1, SendOptions.processed());
    rows.write(new int[3], 0);
    List<Running<Void>> flush =
        List.of(
            Running.start(() -> {
              rows.flush();
              return null;
            }));
    Eventually.until("it is there", () -> Described.number(ends.there(), "waitingArrays") == 1);
    ends.here().closeNow();
    CallerErrors.assertFoundElsewhere(
        "flush",
        flush.get(0).failure(),
        CallerErrorTests.class,
        DeliveryUnknownException.class,
        ConnectionClosedException.class);
  }
}
