package io.arraywire.engine;

import io.arraywire.ArraywireException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/** Waits for results, for callers that may be interrupted meanwhile. */
final class Interruptible {
  private Interruptible() {}

  /**
   * Waits for a result; an interrupted caller gets it all the same if it can no longer be
   * withdrawn.
   */
  static <T> T await(Future<T> result, BooleanSupplier withdraw)
      throws ArraywireException, InterruptedException {
    try {
      return result.get();
    } catch (ExecutionException e) {
      throw Failures.of(e);
    } catch (InterruptedException e) {
      if (withdraw.getAsBoolean()) {
        throw e;
      }
      return afterInterrupt(result);
    }
  }

  /** The same for a stage, by the engine's runtime. */
  static <T> T await(CompletableFuture<T> result, EngineRuntime runtime, BooleanSupplier withdraw)
      throws ArraywireException, InterruptedException {
    try {
      return runtime.await(result, Long.MAX_VALUE);
    } catch (TimeoutException e) {
      throw new AssertionError("a wait without a limit timed out", e);
    } catch (ExecutionException e) {
      throw Failures.of(e);
    } catch (InterruptedException e) {
      if (withdraw.getAsBoolean()) {
        throw e;
      }
      return afterInterrupt(result);
    }
  }

  /** Waits for a result that comes soon, for a caller that was interrupted. */
  static <T> T afterInterrupt(Future<T> result) throws ArraywireException {
    try {
      while (true) {
        try {
          return result.get();
        } catch (InterruptedException e) {
          // Once more; the caller finds its flag as it was.
        }
      }
    } catch (ExecutionException e) {
      throw Failures.of(e);
    } finally {
      Thread.currentThread().interrupt();
    }
  }
}
