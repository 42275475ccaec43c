package io.arraywire.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.arraywire.ArrayAttributes;
import io.arraywire.ArrayOutput;
import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.Handlers;
import io.arraywire.RemoteRejectedException;
import io.arraywire.SendOptions;
import io.arraywire.SubscribeOptions;
import io.arraywire.TransportOptions;
import io.arraywire.memory.InMemoryTransport;
import io.arraywire.memory.MemoryAddress;
import io.arraywire.message.Message;
import io.arraywire.source.ArraySource;
import java.nio.IntBuffer;
import java.time.Duration;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.FutureTask;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a client's calls throw has the frames of the code that called, and is short. */
class ClientCallerErrorTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration SOON = Duration.ofMillis(50);

  private InMemoryTransport transport;
  private TestServer server;
  private ArraywireClient client;

  @BeforeEach
  void open() throws Exception {
    transport = InMemoryTransport.create(TransportOptions.defaults());
    Handlers refusing = Handlers.ofRequests((from, request, reply) -> reply.fail("no such table"));
    server = new TestServer(InMemoryTransport::create, MemoryAddress.free(), refusing).start();
    client = ArraywireClient.over(transport).address(server.address()).build();
  }

  @AfterEach
  void close() throws Exception {
    client.close();
    transport.close();
    server.close();
  }

  private static Throwable failure(String what, ThrowingCallable call) {
    Throwable failure = catchThrowable(call);
    assertThat(failure).as(what).isInstanceOf(ArraywireException.class);
    assertThat(failure.getStackTrace())
        .as(what)
        .anyMatch(frame -> frame.getClassName().equals(ClientCallerErrorTest.class.getName()));
    assertThat(failure.getMessage()).as(what).hasSizeLessThan(300);
    return failure;
  }

  private static Map<String, ThrowingCallable> requests(ArrayOutput calls, Duration timeout) {
    ArraySlice slice = ArraySlice.of(new int[3]);
    Map<String, ThrowingCallable> requests = new LinkedHashMap<>();
    requests.put("call", () -> calls.call(slice, timeout));
    requests.put("call with a message", () -> calls.call(Message.of(new int[3]), timeout));
    return requests;
  }

  @Test
  void whatAServerRefuses() {
    for (ArrayOutput calls : new ArrayOutput[] {client, client.byKey("k"), client.idempotent()}) {
      requests(calls, PATIENCE)
          .forEach((name, call) ->
              assertThat(failure(name, call))
                  .isInstanceOf(RemoteRejectedException.class)
                  .hasMessageContaining("no such table"));
    }
  }

  @Test
  void whatIsOutOfTime() {
    server.close();
    Map<String, ThrowingCallable> calls = requests(client, SOON);
    calls.put(
        "send",
        () -> client.send(ArraySlice.of(new int[3]), SendOptions.processed().timeout(SOON)));
    calls.put("wait until ready", () -> client.awaitReady(SOON));
    calls.forEach(ClientCallerErrorTest::failure);
  }

  @Test
  void whatIsCalledAfterClose() throws Exception {
    client.close();
    Map<String, ThrowingCallable> calls = requests(client, PATIENCE);
    for (ArrayOutput output : new ArrayOutput[] {client, client.byKey("k"), client.idempotent()}) {
      calls.put("send by " + output, () -> output.send(ArraySlice.of(new int[3])));
      calls.put("send a message by " + output, () -> output.send(Message.of(new int[3])));
      calls.put(
          "send a buffer by " + output, () -> output.send(ArraySource.of(IntBuffer.allocate(3))));
    }
    calls.put("wait until ready", () -> client.awaitReady(PATIENCE));
    calls.put(
        "subscribe", () -> client.subscribe("news", SubscribeOptions.defaults(), array -> {}));
    calls.put(
        "publish",
        () -> client.publish("news", ArraySlice.of(new int[3]), ArrayAttributes.tagged(0)));
    calls.forEach(ClientCallerErrorTest::failure);
  }

  /** Closing ends the calls that wait; each caller gets an exception of its own. */
  @Test
  void callsThatWaitWhenTheClientCloses() throws Exception {
    server.close();
    Map<String, ThrowingCallable> calls = requests(client, PATIENCE);
    calls.put("send", () -> client.send(ArraySlice.of(new int[3]), SendOptions.processed()));
    calls.put("wait until ready", () -> client.awaitReady(PATIENCE));
    Map<String, FutureTask<Throwable>> failures = new LinkedHashMap<>();
    calls.forEach((name, call) -> {
      FutureTask<Throwable> caller = new FutureTask<>(() -> failure(name, call));
      failures.put(name, caller);
      Thread thread = new Thread(caller, name);
      thread.start();
      Awaitility.await()
          .atMost(PATIENCE)
          .until(() ->
              thread.getState() == Thread.State.WAITING
                  || thread.getState() == Thread.State.TIMED_WAITING);
    });
    client.close();
    Set<Throwable> different = Collections.newSetFromMap(new IdentityHashMap<>());
    for (FutureTask<Throwable> each : failures.values()) {
      different.add(each.get());
    }
    assertThat(different).hasSize(calls.size());
  }
}
