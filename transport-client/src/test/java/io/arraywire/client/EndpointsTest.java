package io.arraywire.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArraywireException;
import io.arraywire.ConnectFailedException;
import io.arraywire.ErrorCode;
import io.arraywire.Handlers;
import io.arraywire.Listener;
import io.arraywire.TimedOutException;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.memory.InMemoryTransport;
import io.arraywire.memory.MemoryAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which address a call with a key gets, while its own is being connected to. */
class EndpointsTest {
  private static final Handlers NONE =
      Handlers.ofArrays((connection, array) -> {
        throw ArraywireException.refusal("no");
      });

  private final ManualRuntime clock = new ManualRuntime();

  /** Attempts to connect that have not begun to get anywhere. */
  private final Queue<Runnable> attempts = new ArrayDeque<>();

  private final Transport transport = InMemoryTransport.create(TransportOptions.defaults());
  private final MemoryAddress address = MemoryAddress.free();
  private final Endpoints endpoints = new Endpoints(new SlowThreads());
  private final Endpoint own = endpoint("own:1", endpoints);
  private final Endpoint other = endpoint("other:1", endpoints);
  private final KeyOrder order = keyOf(own);
  private Listener listener;

  private @Nullable ArraywireException failure;

  private final class SlowThreads implements ClientRuntime {
    @Override
    public long nanoTime() {
      return clock.nanoTime();
    }

    @Override
    public Runnable after(long nanos, Runnable task) {
      return clock.after(nanos, task);
    }

    @Override
    public void execute(Runnable task) {
      attempts.add(task);
    }

    @Override
    public long below(long bound) {
      return clock.below(bound);
    }
  }

  private Endpoint endpoint(String name, Endpoints among) {
    Dialer dialer =
        handlers -> {
          ArraywireException fails = failure;
          if (fails != null) {
            throw fails;
          }
          return transport.connect(address, handlers);
        };
    return new Endpoint(
        name,
        dialer,
        NONE,
        1,
        new BackOff(1_000_000, 1_000_000, 1_000_000, 1_000_000),
        among.runtime(),
        among::changed);
  }

  private KeyOrder keyOf(Endpoint first) {
    for (int i = 0; ; i++) {
      KeyOrder made = new KeyOrder("key " + i);
      if (made.of(List.of(own, other)).get(0).name.equals(first.name)) {
        return made;
      }
    }
  }

  @BeforeEach
  void connectTheOtherOne() throws Exception {
    listener = transport.listen(address, NONE);
    endpoints.are(List.of(own, other));
    other.want();
    attempts.remove().run();
    assertThat(other.available()).isNotNull();
  }

  @AfterEach
  void close() {
    assertThat(listener.address()).isEqualTo(address);
    transport.close();
  }

  private String picked() {
    ChosenConnection chosen = endpoints.pick(order);
    return chosen == null ? "none yet" : chosen.endpoint().name;
  }

  /** A cold JVM may need seconds for its first TLS handshake; there is no failure to look at. */
  @Test
  void aFirstAttemptThatIsNotOverIsNotCalledAFailure() {
    Endpoints cold = new Endpoints(new SlowThreads());
    cold.are(List.of(endpoint("cold:1", cold)));
    ConnectionWait wait = new ConnectionWait(cold, order, ErrorCode.REQUEST_TIMEOUT, false);
    wait.until(Duration.ofSeconds(5).toNanos());
    clock.advance(Duration.ofSeconds(5));
    assertThat(wait)
        .failsWithin(Duration.ZERO)
        .withThrowableOfType(ExecutionException.class)
        .havingCause()
        .isInstanceOf(TimedOutException.class)
        .withMessageStartingWith(
            "the first attempt to connect was not over in time; nothing was sent. Connect before the"
                + " first call, with awaitReady,")
        .withMessageContaining("addresses=[cold:1]")
        .withMessageNotContaining("last failure");
  }

  @Test
  void aKeyWaitsForTheConnectionToItsOwnServer() {
    assertThat(picked()).isEqualTo("none yet");
    clock.advance(Duration.ofMillis(249));
    assertThat(picked()).isEqualTo("none yet");
    attempts.remove().run();
    assertThat(picked()).isEqualTo("own:1");
  }

  @Test
  void aKeyDoesNotWaitForLong() {
    assertThat(picked()).isEqualTo("none yet");
    clock.advance(Duration.ofMillis(250));
    assertThat(picked()).isEqualTo("other:1");
  }

  @Test
  void aKeyDoesNotWaitForAServerThatIsAway() {
    failure = new ConnectFailedException("nobody listens");
    assertThat(picked()).isEqualTo("none yet");
    attempts.remove().run();
    assertThat(picked()).isEqualTo("other:1");
  }

  /** The client is closed while it connects. */
  @Test
  void aConnectionThatComesTooLateSaysGoodbye() throws Exception {
    CompletableFuture<Optional<ArraywireException>> ended = new CompletableFuture<>();
    Handlers watch =
        NONE.withClosed((connection, cause) -> ended.complete(Optional.ofNullable(cause)));
    listener.close();
    try (Listener again = transport.listen(address, watch)) {
      own.want();
      endpoints.close();
      attempts.remove().run();
      assertThat(own.connections()).isEmpty();
      assertThat(ended.get(1, TimeUnit.MINUTES)).as("a goodbye").isEmpty();
      assertThat(again.address()).isEqualTo(address);
    }
  }

  /** The attempt ends before the call that began it looks at it. */
  @Test
  void anAddressThatConnectsAtOnceKeepsTheNextOneUnconnected() {
    Endpoints quick = new Endpoints(clock);
    Endpoint first = endpoint("first:1", quick);
    Endpoint second = endpoint("second:1", quick);
    quick.are(List.of(first, second));
    ChosenConnection none = quick.pick(new FailoverOrder());
    assertThat(none).isNull();
    assertThat(first.available()).isNotNull();
    assertThat(second.available()).isNull();
  }
}
