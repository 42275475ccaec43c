package io.arraywire.client;

import io.arraywire.ArraywireException;
import io.arraywire.ErrorCode;
import io.arraywire.TimedOutException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** A call that waits for a connection. Any thread. */
final class ConnectionWait extends CompletableFuture<ChosenConnection> {
  final AddressOrder order;
  private final Endpoints endpoints;
  private final ErrorCode late;

  ConnectionWait(Endpoints endpoints, AddressOrder order, ErrorCode late) {
    this.endpoints = endpoints;
    this.order = order;
    this.late = late;
  }

  /** Sets a limit to the wait. Once. */
  void until(long nanos) {
    if (nanos <= 0) {
      timedOut(nanos);
      return;
    }
    Runnable cancel = endpoints.runtime().after(nanos, () -> timedOut(nanos));
    CompletableFuture<ChosenConnection> unused = whenComplete((connection, thrown) -> cancel.run());
  }

  private void timedOut(long nanos) {
    ArraywireException last = endpoints.lastFailure();
    Duration waited = Duration.ofNanos(Math.max(0, nanos));
    completeExceptionally(
        last == null
            ? new TimedOutException(
                late,
                "the first attempt to connect was not over in time; nothing was sent. Connect before"
                    + " the first call, with awaitReady, or give the call more time",
                "waited",
                waited,
                "addresses",
                endpoints.names())
            : new TimedOutException(
                    late,
                    "no server could be reached in time; nothing was sent. See the last failure, and"
                        + " ArraywireClient.status()",
                    "waited",
                    waited,
                    "addresses",
                    endpoints.names(),
                    "lastFailure",
                    last)
                .because(last));
  }
}
