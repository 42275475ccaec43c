package io.arraywire.engine;

import io.arraywire.ArraySlice;
import io.arraywire.ReceivedArray;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A request of this side that is not answered. Guarded by the connection's lock. It is run when its
 * time is over, and accepts what it fails with: objects of their own would be garbage of each.
 */
final class PendingRequest implements Consumer<Throwable>, Runnable {
  final long number;
  final OutboundArray transfer;
  final @Nullable ArraySlice target;
  final Duration timeout;
  final Stage stage;

  /** Cancels what ends it when its time is over. */
  Runnable deadline = () -> {};

  /** The reply, while it arrives. */
  @Nullable InboundArray arrival;

  PendingRequest(
      long number,
      OutboundArray transfer,
      @Nullable ArraySlice target,
      Duration timeout,
      Stage stage) {
    this.number = number;
    this.transfer = transfer;
    this.target = target;
    this.timeout = timeout;
    this.stage = stage;
  }

  /** It did not get there. */
  @Override
  public void accept(Throwable thrown) {
    stage.requests.fail(this, thrown);
  }

  /** Its time is over. */
  @Override
  public void run() {
    stage.requests.timedOut(this);
  }

  /** What the caller gets. A caller that keeps it when it is over keeps no array alive with it. */
  static final class Stage extends HelpedStage<ReceivedArray> {
    final RequestsMade requests;

    /** Until the request is over. Written under the connection's lock. */
    volatile @Nullable PendingRequest request;

    Stage(RequestsMade requests, PeerScope connection) {
      super(connection, connection.context().completions());
      this.requests = requests;
    }

    @Override
    String awaited() {
      return "for the reply to its request";
    }

    /** The caller may have completed it, in any way; then it no longer waits for a reply. */
    @Override
    void onCompleted() {
      if (request != null) {
        requests.abandon(this);
      }
    }

    /** No other way to complete a stage bypasses {@link #onCompleted}. */
    @Override
    public CompletableFuture<ReceivedArray> completeAsync(
        Supplier<? extends ReceivedArray> supplier, Executor executor) {
      CompletableFuture<ReceivedArray> unused = whenComplete((reply, thrown) -> onCompleted());
      return super.completeAsync(supplier, executor);
    }

    /** Both arrays are the caller's again when it returns. */
    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
      requests.abandon(this);
      return super.cancel(mayInterruptIfRunning);
    }
  }
}
