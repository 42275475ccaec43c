package io.arraywire.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.ConnectFailedException;
import io.arraywire.Handlers;
import io.arraywire.Reply;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.memory.InMemoryTransport;
import io.arraywire.memory.MemoryAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What one call of {@code status} says of a client, its addresses and its calls. */
class ClientStatusTest {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final ManualRuntime runtime = new ManualRuntime();
  private final BlockingQueue<Reply> unanswered = new LinkedBlockingQueue<>();
  private final CompletableFuture<Optional<ArraywireException>> ended = new CompletableFuture<>();
  private final Transport transport = InMemoryTransport.create(TransportOptions.defaults());
  private final TestServer server =
      new TestServer(
          InMemoryTransport::create,
          MemoryAddress.free(),
          Handlers.ofRequests((connection, request, reply) -> unanswered.add(reply))
              .withClosed((connection, cause) -> ended.complete(Optional.ofNullable(cause))));

  @AfterEach
  void close() {
    transport.close();
    server.close();
  }

  private ArraywireClient client() {
    return ArraywireClient.over(transport)
        .address(server.address())
        .address(MemoryAddress.free())
        .choice(AddressChoice.LEAST_LOADED)
        .build(runtime);
  }

  @Test
  void oneCallTellsOfReadinessAddressesAndCalls() throws Exception {
    server.start();
    ArraywireClient client = client();
    ClientStatus before = client.status();
    assertThat(before.ready()).isFalse();
    assertThat(before.closed()).isFalse();
    assertThat(before.addresses())
        .extracting(AddressStatus::state)
        .containsExactly(AddressStatus.State.IDLE, AddressStatus.State.IDLE);
    runtime.advance(Duration.ofSeconds(3));
    assertThat(client.status().addresses())
        .allSatisfy(each -> {
          assertThat(each.state())
              .as("a look connects nothing")
              .isEqualTo(AddressStatus.State.IDLE);
          assertThat(each.since()).isEqualTo(Duration.ofSeconds(3));
          assertThat(each.lastFailure()).isNull();
        });

    client.awaitReady(PATIENCE);
    runtime.advance(Duration.ofMillis(5));
    var asked = client.request(new int[] {1});
    ClientStatus during = client.status();
    assertThat(during.ready()).isTrue();
    assertThat(during.connections()).isEqualTo(1);
    assertThat(during.inFlight()).isEqualTo(1);
    AddressStatus good = during.addresses().get(0);
    assertThat(good.state()).isEqualTo(AddressStatus.State.READY);
    assertThat(good.since()).isEqualTo(Duration.ofMillis(5));
    assertThat(good.connections()).isEqualTo(1);
    assertThat(good.inFlight()).isEqualTo(1);
    assertThat(good.failures()).isZero();
    AddressStatus away = during.addresses().get(1);
    assertThat(away.state()).isEqualTo(AddressStatus.State.BACKING_OFF);
    assertThat(away.failures()).isEqualTo(1);
    assertThat(away.connections()).isZero();
    assertThat(away.lastFailure()).isInstanceOf(ConnectFailedException.class);

    Reply reply = unanswered.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    assertThat(reply).isNotNull();
    reply.send(ArraySlice.of(new int[] {2}));
    assertThat(asked.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).ints()).containsExactly(2);
    assertThat(client.status().inFlight()).isZero();

    server.kill();
    Awaitility.await().atMost(PATIENCE).until(() -> !client.status().ready());
    ClientStatus lost = client.status();
    assertThat(lost.closed()).isFalse();
    assertThat(lost.connections()).isZero();
    assertThat(lost.addresses().get(0).lastFailure()).isNotNull();

    client.close();
    ClientStatus after = client.status();
    assertThat(after.closed()).isTrue();
    assertThat(after.ready()).isFalse();
    assertThat(after.addresses())
        .extracting(AddressStatus::state)
        .containsExactly(AddressStatus.State.CLOSED, AddressStatus.State.CLOSED);
  }

  /** A probe must not wait for a server that does not answer. */
  @Test
  void statusDoesNotWaitForAnAttempt() throws Exception {
    CountDownLatch answers = new CountDownLatch(1);
    Dialer dialer =
        handlers -> {
          answers.await();
          throw new ConnectFailedException("too late");
        };
    Endpoint endpoint =
        new Endpoint(
            "server",
            dialer,
            Handlers.ofArrays((from, array) -> {}),
            1,
            new BackOff(1_000_000, 1_000_000, 1_000_000, 1_000_000),
            SystemRuntime.INSTANCE,
            () -> {});
    endpoint.want();
    AddressStatus status = endpoint.status();
    assertThat(status.state()).isEqualTo(AddressStatus.State.CONNECTING);
    assertThat(status.failures()).isZero();
    answers.countDown();
    Awaitility.await().atMost(PATIENCE).until(() -> endpoint.status().failures() == 1);
  }

  /** All connections are closed even where no thread can be had for it. */
  @Test
  void aClientWithoutThreadsClosesAllTheSame() throws Exception {
    server.start();
    ArraywireClient client = client();
    client.awaitReady(PATIENCE);
    runtime.hasThreads(false);
    client.close();
    assertThat(ended.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).as("a goodbye").isEmpty();
    client.close();
    assertThat(client.status().closed()).isTrue();
  }
}
