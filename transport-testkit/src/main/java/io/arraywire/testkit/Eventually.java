package io.arraywire.testkit;

import io.arraywire.DeliveryUnknownException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Waits for conditions, generously: a test that fails here has waited far longer than anything
 * takes on a machine that is merely busy.
 */
final class Eventually {
  static final Duration LONG = Duration.ofSeconds(60);

  private static final long POLL_NANOS = 500_000;

  /** What takes longer is looked at less often: others need the processors. */
  private static final long LONGEST_POLL_NANOS = 10_000_000;

  private Eventually() {}

  static void until(String what, BooleanSupplier condition) {
    until(() -> what, condition);
  }

  static void until(Supplier<String> what, BooleanSupplier condition) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      long waited = System.nanoTime() - start;
      if (waited > LONG.toNanos()) {
        throw new AssertionError("still not so after " + LONG + ": " + what.get());
      }
      LockSupport.parkNanos(Math.min(LONGEST_POLL_NANOS, Math.max(POLL_NANOS, waited / 16)));
    }
  }

  static void until(String what, CountDownLatch latch) throws InterruptedException {
    if (!latch.await(LONG.toNanos(), TimeUnit.NANOSECONDS)) {
      throw new AssertionError("still not so after " + LONG + ": " + what);
    }
  }

  /** Waits for the next element of a queue. */
  static <T> T next(String what, BlockingQueue<T> queue) throws InterruptedException {
    T next = queue.poll(LONG.toNanos(), TimeUnit.NANOSECONDS);
    if (next == null) {
      throw new AssertionError("still not so after " + LONG + ": " + what);
    }
    return next;
  }

  /** What a stage completes with; its failure is thrown as it is. */
  static <T> T get(CompletionStage<T> stage) throws Exception {
    try {
      return stage.toCompletableFuture().get(LONG.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Exception failure) {
        throw failure;
      }
      throw e;
    } catch (TimeoutException e) {
      throw new AssertionError("a stage did not complete within " + LONG, e);
    }
  }

  /** Waits until all of these have completed; the first failure among them is thrown as it is. */
  static <T> void all(List<CompletionStage<T>> stages) throws Exception {
    for (CompletionStage<T> each : stages) {
      var unused = get(each);
    }
  }

  /** What a send fails with; where its outcome is in doubt, why that is. */
  static Throwable reason(CompletionStage<?> stage) throws InterruptedException {
    Throwable failure = failure(stage);
    Throwable cause = failure.getCause();
    return failure instanceof DeliveryUnknownException && cause != null ? cause : failure;
  }

  /** What a stage fails with. */
  static Throwable failure(CompletionStage<?> stage) throws InterruptedException {
    try {
      Object result = stage.toCompletableFuture().get(LONG.toNanos(), TimeUnit.NANOSECONDS);
      throw new AssertionError("a stage should have failed, but completed with " + result);
    } catch (ExecutionException e) {
      return e.getCause() == null ? e : e.getCause();
    } catch (CancellationException e) {
      return e;
    } catch (TimeoutException e) {
      throw new AssertionError("a stage did not complete within " + LONG, e);
    }
  }
}
