package io.arraywire.client;

import io.arraywire.ArraywireException;
import io.arraywire.ErrorCode;
import io.arraywire.TimedOutException;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;

/** A call that waits for a connection. Any thread. */
final class ConnectionWait extends CompletableFuture<ChosenConnection> {
  final AddressOrder order;
  private final Endpoints endpoints;
  private final ErrorCode late;
  private final boolean mayBeDone;

  /**
   * Makes a wait.
   *
   * @param late the code of its failure
   * @param mayBeDone whether a server may have done what the call asks for
   */
  ConnectionWait(Endpoints endpoints, AddressOrder order, ErrorCode late, boolean mayBeDone) {
    this.endpoints = endpoints;
    this.order = order;
    this.late = late;
    this.mayBeDone = mayBeDone;
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
    Object[] facts = {"waited", waited, "addresses", endpoints.names(), "lastFailure", last};
    completeExceptionally(
        last == null
            ? new TimedOutException(late, text(true), Arrays.copyOf(facts, facts.length - 2))
            : new TimedOutException(late, text(false), facts).because(last));
  }

  private String text(boolean first) {
    return mayBeDone
        ? "no server could be reached in time to make the call again; a server may have done it"
            + " before its connection broke. See the last failure, and ArraywireClient.status()"
        : first
            ? "the first attempt to connect was not over in time; nothing was sent. Connect before"
                + " the first call, with awaitReady, or give the call more time"
            : "no server could be reached in time; no server has taken the call. See the last"
                + " failure, and ArraywireClient.status()";
  }
}
