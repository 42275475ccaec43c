package io.arraywire.testkit;

import io.arraywire.Connection;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.AbstractOwnableSynchronizer;
import java.util.concurrent.locks.LockSupport;

/** Receive calls that wait in threads of their own, each in line before the next one comes. */
final class Takers {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Connection connection;
  private int waiting;

  Takers(Connection connection) {
    this.connection = connection;
  }

  /** Has a call wait, and returns once it is in line. */
  <T> Taker<T> begin(Callable<T> call) {
    waiting++;
    return begin(call, "waitingReceivers=" + waiting);
  }

  /** Has a call wait that an array which is arriving goes to, so that it is in no line. */
  <T> Taker<T> beginInsideArray(Callable<T> call) {
    return begin(call, "waitingReceivers=" + waiting);
  }

  private <T> Taker<T> begin(Callable<T> call, String sign) {
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
            "test-taker");
    thread.setDaemon(true);
    thread.start();
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!result.isDone() && !(connection.describe().contains(sign) && waits(thread))) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("not in line: " + connection.describe());
      }
      Thread.yield();
    }
    return new Taker<>(thread, result);
  }

  /** Not for a lock: a thread in line must still see to it that the connection reads on. */
  private static boolean waits(Thread thread) {
    return switch (thread.getState()) {
      case WAITING, TIMED_WAITING ->
          !(LockSupport.getBlocker(thread) instanceof AbstractOwnableSynchronizer);
      default -> false;
    };
  }

  record Taker<T>(Thread thread, CompletableFuture<T> result) {

    T get() throws Exception {
      try {
        return result.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      } catch (ExecutionException e) {
        throw (Exception) e.getCause();
      }
    }

    Throwable failure() throws Exception {
      try {
        throw new AssertionError("not failed: " + get());
      } catch (Exception e) {
        return e;
      }
    }

    void interrupt() {
      thread.interrupt();
    }
  }
}
