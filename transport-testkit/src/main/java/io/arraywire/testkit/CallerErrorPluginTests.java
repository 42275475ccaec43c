package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.arraywire.ArrayInfo;
import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.ElementType;
import io.arraywire.ErrorCode;
import io.arraywire.Listener;
import io.arraywire.RequestOptions;
import io.arraywire.RowReader;
import io.arraywire.RowWriter;
import io.arraywire.SendOptions;
import io.arraywire.SubscribeOptions;
import io.arraywire.Transport;
import io.arraywire.TransportObserver;
import io.arraywire.testkit.CallerErrors.Call;
import io.arraywire.testkit.TransportStage.Ends;
import java.lang.reflect.Proxy;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/**
 * As {@link CallerErrorTests}, where a plug-in of the user's fails: its exception is in the causes
 * of what the caller gets, however much it says.
 */
interface CallerErrorPluginTests {
  /** What a plug-in says that has no manners. */
  String WORDS = "com.example.SecretException: no\r\n\u001b[31m" + "room ".repeat(400);

  /** More than is copied without the codec. */
  int ELEMENTS = 100_000;

  TransportStage stage();

  private static RuntimeException bug() {
    return new IllegalStateException(WORDS);
  }

  private static void assertTracedTo(String what, Throwable failure, Throwable bug) {
    CallerErrors.assertTraced(
        what, failure, CallerErrorPluginTests.class, ArraywireException.class);
    assertCausedBy(what, failure, bug);
  }

  private static void assertCausedBy(String what, Throwable failure, Throwable bug) {
    assertThat(failure).as(what).hasRootCause(bug);
    assertThat(failure).as(what).hasMessageContaining("room room");
  }

  private static Map<String, Call> sends(Connection connection) {
    ArraySlice slice = ArraySlice.of(new int[ELEMENTS]);
    Map<String, Call> calls = new LinkedHashMap<>();
    calls.put("send", () -> connection.send(slice));
    calls.put("send and wait", () -> connection.send(slice, SendOptions.processed()));
    calls.put("send on a channel", () -> connection.channel(1).send(slice));
    calls.put(
        "write rows",
        () -> {
          try (RowWriter rows =
              RowWriter.of(connection, ElementType.INT, ELEMENTS, 1, SendOptions.processed())) {
            rows.write(slice);
            rows.flush();
          }
        });
    return calls;
  }

  private static Map<String, Call> receives(Connection connection) {
    Map<String, Call> calls = new LinkedHashMap<>();
    calls.put("receive", () -> connection.receive());
    calls.put(
        "receive into",
        () -> connection.receiveInto(ArraySlice.of(new int[ELEMENTS], 0, ELEMENTS)));
    calls.put(
        "receive with a note",
        () -> connection.receiveInto(ArraySlice.of(new int[ELEMENTS]), new ArrayInfo()));
    calls.put(
        "read a row",
        () ->
            RowReader.of(connection, ElementType.INT, ELEMENTS)
                .read(ArraySlice.of(new int[ELEMENTS])));
    return calls;
  }

  @Test
  default void aCodecThatFailsToEncodeIsTheCauseOfWhatASendThrows() throws Exception {
    for (String name : sends(stage().ends().here()).keySet()) {
      ProbingCodec codec = new ProbingCodec();
      Ends ends = stage().ends(options -> options.codecs(codec));
      RuntimeException bug = bug();
      codec.beforeEncode(() -> {
        throw bug;
      });
      Call call = Objects.requireNonNull(sends(ends.here()).get(name));
      assertTracedTo(name, catchThrowable(() -> call.run()), bug);
    }
  }

  @Test
  default void aCodecThatFailsToDecodeIsTheCauseOfWhatAReceiveThrows() throws Exception {
    for (String name : receives(stage().ends().here()).keySet()) {
      ProbingCodec codec = new ProbingCodec();
      Ends ends = stage().ends(options -> options.codecs(codec));
      RuntimeException bug = bug();
      codec.beforeDecode(() -> {
        throw bug;
      });
      CompletionStage<?> sent =
          ends.there().sendAsync(ArraySlice.of(new int[ELEMENTS]), SendOptions.processed());
      Call call = Objects.requireNonNull(receives(ends.here()).get(name));
      assertTracedTo(name, catchThrowable(() -> call.run()), bug);
      // The far side is told in as few words.
      CallerErrors.assertShort(name, Eventually.failure(sent));
    }
  }

  @Test
  default void aCodecThatFailsIsTheCauseOfWhatAStageFailsWith() throws Exception {
    for (boolean request : new boolean[] {false, true}) {
      ProbingCodec codec = new ProbingCodec();
      Ends ends = stage().ends(options -> options.codecs(codec));
      RuntimeException bug = bug();
      codec.beforeEncode(() -> {
        throw bug;
      });
      ArraySlice slice = ArraySlice.of(new int[ELEMENTS]);
      CompletionStage<?> stage =
          request
              ? ends.here().request(slice, RequestOptions.defaults())
              : ends.here().sendAsync(slice, SendOptions.processed());
      Throwable failure = Eventually.failure(stage);
      assertThat(failure).isInstanceOf(ArraywireException.class);
      CallerErrors.assertShort("stage", failure);
      assertCausedBy("stage", failure, bug);
    }
  }

  /** It encodes on the caller's thread, before anything is sent. */
  @Test
  default void aCodecThatFailsInAnOfferFailsTheCallOnly() throws Exception {
    ProbingCodec codec = new ProbingCodec();
    Ends ends = stage().ends(options -> options.codecs(codec));
    RuntimeException bug = bug();
    codec.beforeEncode(() -> {
      throw bug;
    });
    ArraySlice slice = ArraySlice.of(new int[ELEMENTS]);
    for (int i = 0; i < 3; i++) {
      Throwable failure = catchThrowable(() -> ends.here().offer(slice));
      assertThat(failure).isExactlyInstanceOf(IllegalStateException.class);
      assertThat(failure.getStackTrace())
          .anyMatch(frame -> frame.getClassName().equals(CallerErrorPluginTests.class.getName()));
      CallerErrors.assertShort("offer", failure);
      assertCausedBy("offer", failure, bug);
      assertThat(failure).hasMessageContaining("codec=" + codec.name());
    }
    codec.beforeEncode(() -> {});
    ends.here().send(slice);
    assertThat(ends.there().receive().header().sequence()).isEqualTo(1);
  }

  @Test
  default void aCodecThatFailsInAPublicationFailsTheCallOnly() throws Exception {
    ProbingCodec codec = new ProbingCodec();
    Listener listener =
        stage().transport(options -> options.codecs(codec)).listen(stage().address());
    Connection connection =
        stage().transport(options -> options.codecs(codec)).connect(listener.address());
    var news = connection.subscribe("news", SubscribeOptions.defaults());
    ArraySlice slice = ArraySlice.of(new int[ELEMENTS]);
    RuntimeException bug = bug();
    codec.beforeEncode(() -> {
      throw bug;
    });
    assertTracedTo("publish", catchThrowable(() -> listener.publish("news", slice)), bug);
    OutOfMemoryError none = new OutOfMemoryError("made by a test");
    codec.beforeEncode(() -> {
      throw none;
    });
    Throwable failure = catchThrowable(() -> listener.publish("news", slice));
    CallerErrors.assertTraced(
        "publish", failure, CallerErrorPluginTests.class, ErrorCode.ALLOCATION_FAILED);
    assertThat(failure).hasCause(none);
    codec.beforeEncode(() -> {});
    assertThat(listener.publish("news", slice).queued()).isEqualTo(1);
    assertThat(news.receive().count()).isEqualTo(ELEMENTS);
    connection.close();
    listener.close();
  }

  /** Executors on which no handler can ever run. */
  private static Map<String, Executor> uselessExecutors() {
    ExecutorService shutDown = Executors.newSingleThreadExecutor();
    shutDown.shutdown();
    Map<String, Executor> executors = new LinkedHashMap<>();
    executors.put("shut down", shutDown);
    executors.put(
        "throws",
        task -> {
          throw bug();
        });
    executors.put("runs in place", Runnable::run);
    return executors;
  }

  /** The text says why; what the executor threw is the receiver's to know. */
  @Test
  default void anExecutorThatRunsNoHandlerIsSaidToTheSender() throws Exception {
    for (Map.Entry<String, Executor> each : uselessExecutors().entrySet()) {
      Transport there = stage().transport(options -> options.handlerExecutor(each.getValue()));
      Listener listener = there.listen(stage().address(), (from, array) -> {});
      Connection connection = stage().transport().connect(listener.address());
      CallerErrors.assertFoundElsewhere(
          each.getKey(),
          CallerErrors.twoOf(
              () -> connection.send(ArraySlice.of(new int[3]), SendOptions.processed())),
          CallerErrorPluginTests.class,
          ArraywireException.class);
      assertThat(catchThrowable(() -> connection.send(new int[3])))
          .hasMessageContaining("the handler executor");
    }
  }

  /** No caller is told of it; it is logged once. */
  @Test
  default void anObserverThatThrowsFailsNoCall() throws Exception {
    TransportObserver observer =
        (TransportObserver)
            Proxy.newProxyInstance(
                TransportObserver.class.getClassLoader(),
                new Class<?>[] {TransportObserver.class},
                (proxy, method, arguments) -> {
                  if (method.getDeclaringClass().equals(Object.class)) {
                    return method.getName().equals("toString") ? "observer" : 0;
                  }
                  throw bug();
                });
    Ends ends = stage().ends(options -> options.observer(observer));
    for (boolean back : new boolean[] {false, true}) {
      Connection from = back ? ends.there() : ends.here();
      Connection to = back ? ends.here() : ends.there();
      from.send(new int[ELEMENTS]);
      assertThat(to.receive().count()).isEqualTo(ELEMENTS);
      from.offer(ArraySlice.of(new int[3]));
      assertThat(to.receive().count()).isEqualTo(3);
    }
    ends.here().close();
    ends.there().close();
  }
}
