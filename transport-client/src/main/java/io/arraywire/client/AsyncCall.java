package io.arraywire.client;

import io.arraywire.Connection;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Makes one call without waiting, over one connection or several in turn. Any thread.
 *
 * @param <T> the result
 */
final class AsyncCall<T> {
  /** What is begun over a connection. */
  @FunctionalInterface
  interface Step<T> {
    /**
     * Begins it.
     *
     * @param left what is left of the call's time, more than zero
     */
    CompletionStage<T> over(Connection connection, Duration left);
  }

  private final Endpoints endpoints;
  private final CallLimits limits;
  private final Step<T> step;
  private final CompletableFuture<T> result = new CompletableFuture<>();

  /** What the result waits for now, to be cancelled with it. */
  private volatile @Nullable Future<?> current;

  private int lost;

  private AsyncCall(Endpoints endpoints, CallLimits limits, Step<T> step) {
    this.endpoints = endpoints;
    this.limits = limits;
    this.step = step;
  }

  /**
   * Begins a call.
   *
   * @return its result; completing it in any way cancels what is in flight
   */
  static <T> CompletableFuture<T> begin(Endpoints endpoints, CallLimits limits, Step<T> step) {
    AsyncCall<T> call = new AsyncCall<>(endpoints, limits, step);
    CompletableFuture<T> unused = call.result.whenComplete((value, thrown) -> call.cancelCurrent());
    call.acquire();
    return call.result;
  }

  private void acquire() {
    CompletableFuture<ChosenConnection> wait =
        endpoints.acquire(
            limits.order(),
            limits.until(endpoints.runtime()),
            limits.late(),
            limits.mayBeDone(lost));
    follow(wait);
    CompletableFuture<ChosenConnection> unused =
        wait.whenComplete((chosen, thrown) -> {
          if (chosen != null) {
            over(chosen);
          } else if (thrown != null) {
            result.completeExceptionally(thrown);
          }
        });
  }

  private void over(ChosenConnection chosen) {
    CompletableFuture<T> stage;
    try {
      if (result.isDone()) {
        chosen.end(false);
        return;
      }
      stage =
          step.over(chosen.connection(), Deadline.left(endpoints.runtime(), limits.deadline()))
              .toCompletableFuture();
    } catch (RuntimeException | Error e) {
      // Misuse, which every connection finds fault with.
      chosen.end(false);
      result.completeExceptionally(e);
      return;
    }
    follow(stage);
    CompletableFuture<T> unused =
        stage.whenComplete((value, thrown) -> {
          chosen.end(thrown == null);
          if (thrown == null) {
            result.complete(value);
          } else {
            failed(chosen, thrown);
          }
        });
  }

  private void failed(ChosenConnection chosen, Throwable thrown) {
    if (RetryRule.isRefusal(thrown)) {
      chosen.retire();
    }
    if (result.isDone() || endpoints.isClosed() || !limits.rule().goesOn(thrown, lost)) {
      result.completeExceptionally(thrown);
      return;
    }
    lost += RetryRule.isLoss(thrown) ? 1 : 0;
    acquire();
  }

  private void follow(Future<?> next) {
    current = next;
    if (result.isDone()) {
      cancelCurrent();
    }
  }

  private void cancelCurrent() {
    Future<?> pending = current;
    if (pending != null && !pending.isDone()) {
      pending.cancel(true);
    }
  }
}
