package io.arraywire.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.ArraywireException;
import io.arraywire.ConnectFailedException;
import io.arraywire.Connection;
import io.arraywire.ErrorCode;
import io.arraywire.Handlers;
import io.arraywire.HandshakeException;
import io.arraywire.Listener;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.memory.InMemoryTransport;
import io.arraywire.memory.MemoryAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** When an address is tried, by a clock that the test moves. */
class EndpointTest {
  private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final Handlers NONE =
      Handlers.ofArrays((connection, array) -> {
        throw ArraywireException.refusal("no");
      });

  private final ManualRuntime runtime = new ManualRuntime();
  private final List<Duration> attempts = new ArrayList<>();
  private final AtomicInteger changes = new AtomicInteger();
  private final Transport transport = InMemoryTransport.create(TransportOptions.defaults());
  private final MemoryAddress address = MemoryAddress.free();
  private final Endpoint endpoint = endpoint(1);

  /** What the next attempts end with; null to connect. */
  private @Nullable ArraywireException failure = new ConnectFailedException("nobody listens");

  private Endpoint endpoint(int most) {
    return new Endpoint(
        "server",
        this::dial,
        NONE,
        most,
        new BackOff(10 * MILLI, 100 * MILLI, 60_000 * MILLI, 5_000 * MILLI),
        runtime,
        changes::incrementAndGet);
  }

  private Connection dial(Handlers handlers) throws ArraywireException, InterruptedException {
    attempts.add(Duration.ofNanos(runtime.nanoTime()));
    ArraywireException fails = failure;
    if (fails != null) {
      throw fails;
    }
    return transport.connect(address, handlers);
  }

  @AfterEach
  void close() {
    transport.close();
  }

  private AddressStatus.State state() {
    return endpoint.status().state();
  }

  /** The end of a connection is heard of on a thread of the engine. */
  private void awaitState(AddressStatus.State wanted) {
    Awaitility.await().atMost(PATIENCE).until(() -> state() == wanted);
  }

  @Test
  void nothingIsConnectedBeforeACallWantsIt() {
    assertThat(state()).isEqualTo(AddressStatus.State.IDLE);
    runtime.advance(Duration.ofHours(1));
    assertThat(attempts).isEmpty();
  }

  @Test
  void anAddressThatWasNeverGoodIsTriedWhenCallsWantIt() {
    endpoint.want();
    assertThat(attempts).hasSize(1);
    assertThat(state()).isEqualTo(AddressStatus.State.BACKING_OFF);
    assertThat(endpoint.status().lastFailure()).isSameAs(failure);
    runtime.advance(Duration.ofHours(1));
    assertThat(attempts).as("by itself").hasSize(1);
    assertThat(state()).isEqualTo(AddressStatus.State.IDLE);
    endpoint.want();
    assertThat(attempts).hasSize(2);
  }

  @Test
  void callsThatWantItMeanwhileChangeNothing() {
    endpoint.want();
    for (int i = 0; i < 100; i++) {
      endpoint.want();
    }
    assertThat(attempts).hasSize(1);
    assertThat(runtime.next()).isNotNull();
    runtime.advance(Duration.ofMillis(10));
    assertThat(attempts).hasSize(2);
  }

  @Test
  void pausesGrow() {
    endpoint.want();
    int[] limits = {10, 20, 40, 80, 160, 320, 640, 1_280, 2_560, 5_000, 5_000};
    for (int i = 0; i < limits.length; i++) {
      assertThat(endpoint.status().failures()).isEqualTo(i + 1);
      endpoint.want();
      runtime.advance(Duration.ofMillis(limits[i] - 2));
      assertThat(attempts).as("before %s ms", limits[i]).hasSize(i + 1);
      runtime.advance(Duration.ofMillis(2));
      assertThat(attempts).as("after %s ms", limits[i]).hasSize(i + 2);
    }
  }

  @Test
  void anAddressThatWasGoodIsProbedByItselfAndSoon() throws Exception {
    failure = null;
    Listener listener = transport.listen(address, NONE);
    endpoint.want();
    assertThat(state()).isEqualTo(AddressStatus.State.READY);
    runtime.advance(Duration.ofSeconds(2));
    failure = new ConnectFailedException("it restarts");
    listener.close();
    awaitState(AddressStatus.State.BACKING_OFF);
    attempts.clear();
    runtime.advance(Duration.ofSeconds(10));
    // 10, 20, 40, 80, then 100 ms: with the longest pauses that can be drawn.
    assertThat(attempts.size()).isBetween(100, 104);
    failure = null;
    try (Listener again = transport.listen(address, NONE)) {
      runtime.advance(Duration.ofMillis(100));
      assertThat(state()).isEqualTo(AddressStatus.State.READY);
      assertThat(endpoint.status().connections()).isEqualTo(1);
      assertThat(again.address()).isEqualTo(address);
    }
  }

  @Test
  void anAddressThatIsAwayForLongIsProbedSeldom() throws Exception {
    failure = null;
    Listener listener = transport.listen(address, NONE);
    endpoint.want();
    runtime.advance(Duration.ofSeconds(2));
    failure = new ConnectFailedException("it is gone");
    listener.close();
    awaitState(AddressStatus.State.BACKING_OFF);
    runtime.advance(Duration.ofMinutes(2));
    attempts.clear();
    runtime.advance(Duration.ofMinutes(1));
    assertThat(attempts.size()).isBetween(11, 13);
  }

  /** A server that accepts and ends at once shall not be hammered. */
  @Test
  void aConnectionThatEndsAtOnceCountsAsAFailure() throws Exception {
    failure = null;
    try (Listener listener = transport.listen(address)) {
      endpoint.want();
      int[] limits = {10, 20, 40, 80, 160, 320, 640, 1_280, 2_560, 5_000, 5_000};
      for (int i = 0; i < limits.length; i++) {
        assertThat(endpoint.status().failures()).as("while it is open").isZero();
        listener.accept().closeNow();
        awaitState(AddressStatus.State.BACKING_OFF);
        assertThat(endpoint.status().failures()).isEqualTo(i + 1);
        endpoint.want();
        runtime.advance(Duration.ofMillis(limits[i] - 2));
        assertThat(state()).isEqualTo(AddressStatus.State.BACKING_OFF);
        runtime.advance(Duration.ofMillis(2));
        assertThat(state()).isEqualTo(AddressStatus.State.READY);
      }
    }
  }

  @Test
  void aRefusalIsForgottenWithTheNextConnection() throws Exception {
    failure = new HandshakeException(ErrorCode.AUTHENTICATION_FAILED, "wrong token");
    endpoint.want();
    failure = null;
    runtime.advance(Duration.ofSeconds(1));
    try (Listener listener = transport.listen(address)) {
      endpoint.want();
      listener.accept().close();
      awaitState(AddressStatus.State.BACKING_OFF);
      assertThat(endpoint.status().failures()).isPositive();
      assertThat(endpoint.refusal()).isNull();
    }
  }

  @Test
  void aRefusalForGoodIsKnownAsOne() {
    failure = new HandshakeException(ErrorCode.AUTHENTICATION_FAILED, "wrong token");
    assertThat(endpoint.refusal()).isNull();
    endpoint.want();
    assertThat(endpoint.refusal()).isSameAs(failure);
    failure = new ConnectFailedException("nobody listens");
    runtime.advance(Duration.ofSeconds(1));
    endpoint.want();
    assertThat(endpoint.refusal()).isNull();
  }

  /** A process may have all the threads that it may have, for a while. */
  @Test
  void anAttemptForWhichThereIsNoThreadIsMadeLater() throws Exception {
    failure = null;
    try (Listener listener = transport.listen(address, NONE)) {
      runtime.hasThreads(false);
      assertThatThrownBy(endpoint::want).isInstanceOf(OutOfMemoryError.class);
      assertThat(state()).isEqualTo(AddressStatus.State.IDLE);
      runtime.hasThreads(true);
      endpoint.want();
      assertThat(state()).isEqualTo(AddressStatus.State.READY);
      assertThat(listener.address()).isEqualTo(address);
    }
  }

  @Test
  void aClosedAddressIsNotTried() throws Exception {
    failure = null;
    Listener listener = transport.listen(address, NONE);
    endpoint.want();
    runtime.advance(Duration.ofSeconds(2));
    listener.close();
    awaitState(AddressStatus.State.BACKING_OFF);
    endpoint.close();
    attempts.clear();
    endpoint.want();
    runtime.advance(Duration.ofHours(1));
    assertThat(attempts).isEmpty();
    assertThat(state()).isEqualTo(AddressStatus.State.CLOSED);
  }

  @Test
  void noMoreConnectionsThanAllowed() throws Exception {
    failure = null;
    Endpoint three = endpoint(3);
    try (Listener listener = transport.listen(address, NONE)) {
      for (int i = 0; i < 10; i++) {
        three.want();
      }
      assertThat(three.status().connections()).isEqualTo(3);
      assertThat(listener.address()).isEqualTo(address);
    }
  }
}
