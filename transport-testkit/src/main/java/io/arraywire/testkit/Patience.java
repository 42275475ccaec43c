package io.arraywire.testkit;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for what must happen, longer than any healthy machine needs. */
final class Patience {
  private static final long SECONDS = 60;

  private Patience() {}

  /** A computation that may fail. */
  @FunctionalInterface
  interface Call<T> {
    T call() throws Exception;
  }

  /** An action that may fail. */
  @FunctionalInterface
  interface Action {
    void run() throws Exception;
  }

  static <T> T get(CompletionStage<T> stage) throws Exception {
    try {
      return stage.toCompletableFuture().get(SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Exception cause) {
        throw cause;
      }
      throw e;
    } catch (TimeoutException e) {
      throw new AssertionError("did not happen within " + SECONDS + " s", e);
    }
  }

  /** What a stage fails with. */
  static Exception failure(CompletionStage<?> stage) {
    Object result;
    try {
      result = get(stage);
    } catch (Exception e) {
      return e;
    }
    throw new AssertionError("did not fail but gave " + result);
  }

  static void eventually(Supplier<String> what, BooleanSupplier condition)
      throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("did not happen within " + SECONDS + " s: " + what.get());
      }
      Thread.sleep(1);
    }
  }

  /** Runs something in a thread of its own. */
  static <T> Running<T> start(Call<T> call) {
    CompletableFuture<T> result = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                result.complete(call.call());
              } catch (Throwable e) {
                result.completeExceptionally(e);
              }
            },
            "test-caller");
    thread.setDaemon(true);
    thread.start();
    return new Running<>(thread, result);
  }

  static Running<Boolean> run(Action action) {
    return start(() -> {
      action.run();
      return true;
    });
  }

  /** A call in a thread of its own. */
  record Running<T>(Thread thread, CompletableFuture<T> result) {

    T get() throws Exception {
      return Patience.get(result);
    }

    Exception failure() {
      return Patience.failure(result);
    }

    boolean isDone() {
      return result.isDone();
    }

    void interrupt() {
      thread.interrupt();
    }
  }
}
