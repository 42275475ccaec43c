package io.arraywire.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.ConnectFailedException;
import io.arraywire.Connection;
import io.arraywire.ConnectionLostException;
import io.arraywire.ErrorCode;
import io.arraywire.Handlers;
import io.arraywire.TimedOutException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** How long calls wait for a connection after one broke under them, by a clock of the test. */
class CallPatienceTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(10);

  private final ManualRuntime runtime = new ManualRuntime();
  private final Endpoints endpoints = new Endpoints(runtime);

  /** What came of each attempt of the call over a connection. */
  private final List<CompletableFuture<String>> attempts = new ArrayList<>();

  private boolean open = true;

  /** Why nothing can be connected; null while it can. */
  private @Nullable ConnectFailedException away;

  CallPatienceTest() {
    Connection connection =
        (Connection)
            Proxy.newProxyInstance(
                CallPatienceTest.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) -> {
                  assertThat(method.getName()).isEqualTo("isOpen");
                  return open;
                });
    Dialer dialer =
        handlers -> {
          if (away != null) {
            throw away;
          }
          open = true;
          return connection;
        };
    endpoints.are(
        List.of(
            new Endpoint(
                "server",
                dialer,
                Handlers.ofArrays((from, array) -> {}),
                1,
                new BackOff(PAUSE, PAUSE, PAUSE, PAUSE),
                runtime,
                endpoints::changed)));
  }

  private CompletableFuture<String> begin(RetryRule rule, @Nullable Duration patience) {
    CallLimits limits =
        new CallLimits(
            new FailoverOrder(),
            rule,
            Deadline.after(runtime, PATIENCE),
            patience,
            ErrorCode.SEND_TIMEOUT);
    return AsyncCall.begin(
        endpoints,
        limits,
        (connection, left) -> {
          CompletableFuture<String> attempt = new CompletableFuture<>();
          attempts.add(attempt);
          return attempt;
        });
  }

  /** The server ends, and nobody listens. */
  private void breakConnection() {
    away = new ConnectFailedException("nobody listens");
    open = false;
    attempts
        .get(attempts.size() - 1)
        .completeExceptionally(new ConnectionLostException(ErrorCode.CONNECTION_RESET, "it broke"));
  }

  /** It may have filled the network for all of the first wait. */
  @Test
  void aSendWithoutATimeoutWaitsAnewForTheNextConnection() {
    CompletableFuture<String> sent = begin(RetryRule.BROKEN_OFF, PATIENCE);
    runtime.advance(PATIENCE.plusSeconds(5));
    breakConnection();
    assertThat(sent).isNotDone();
    runtime.advance(PATIENCE.minusSeconds(1));
    assertThat(sent).isNotDone();
    away = null;
    for (int i = 0; i < 10 && attempts.size() < 2; i++) {
      endpoints.changed();
      runtime.advance(Duration.ofMillis(10));
    }
    attempts.get(1).complete("sent");
    assertThat(sent).isCompletedWithValue("sent");
  }

  @Test
  void aCallWithADeadlineKeepsToIt() {
    CompletableFuture<String> asked = begin(RetryRule.IDEMPOTENT, null);
    runtime.advance(PATIENCE.minusSeconds(1));
    breakConnection();
    runtime.advance(Duration.ofMillis(999));
    assertThat(asked).isNotDone();
    runtime.advance(Duration.ofMillis(1));
    assertThat(asked).isCompletedExceptionally();
  }

  /** What is known: the server that broke off had the request, and may have answered it. */
  @Test
  void theErrorOfARequestThatCouldNotBeMadeAgainSaysThatItMayBeDone() {
    CompletableFuture<String> asked = begin(RetryRule.IDEMPOTENT, null);
    breakConnection();
    runtime.advance(PATIENCE);
    assertThatThrownBy(asked::join)
        .cause()
        .isInstanceOf(TimedOutException.class)
        .hasMessageContaining("a server may have done it")
        .hasMessageContaining("lastFailure=")
        .message()
        .doesNotContain("no server has taken")
        .hasSizeLessThan(300);
  }

  @Test
  void theErrorOfACallThatNoServerTookSaysSo() {
    away = new ConnectFailedException("nobody listens");
    CompletableFuture<String> asked = begin(RetryRule.IDEMPOTENT, null);
    runtime.advance(PATIENCE);
    assertThat(attempts).isEmpty();
    assertThatThrownBy(asked::join)
        .cause()
        .hasMessageContaining("no server could be reached in time; no server has taken the call");
  }
}
