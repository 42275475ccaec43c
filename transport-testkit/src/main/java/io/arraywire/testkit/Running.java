package io.arraywire.testkit;

import java.lang.reflect.InvocationTargetException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A task in a thread of its own, to be interrupted and asked how it ended.
 *
 * @param <T> what it returns
 */
final class Running<T> {
  /** The kinds of thread that this JDK has: platform threads, and virtual ones from JDK 21 on. */
  enum Kind {
    PLATFORM,
    VIRTUAL
  }

  private final CompletableFuture<T> outcome = new CompletableFuture<>();
  private final Thread thread;

  private Running(Kind kind, Callable<T> task) {
    Runnable body =
        () -> {
          try {
            outcome.complete(task.call());
          } catch (Throwable e) { // However it ended, somebody asks.
            outcome.completeExceptionally(e);
          }
        };
    thread = kind == Kind.PLATFORM ? platform(body) : virtual(body);
  }

  static <T> Running<T> start(Callable<T> task) {
    return new Running<>(Kind.PLATFORM, task);
  }

  static <T> Running<T> start(Kind kind, Callable<T> task) {
    return new Running<>(kind, task);
  }

  /** Makes a call that returns nothing, such as closing. */
  static Running<Void> calling(CallerErrors.Call call) {
    return start(() -> {
      call.run();
      return null;
    });
  }

  static List<Kind> kinds() {
    return Runtime.version().feature() >= 21
        ? List.of(Kind.PLATFORM, Kind.VIRTUAL)
        : List.of(Kind.PLATFORM);
  }

  private static Thread platform(Runnable body) {
    Thread started = new Thread(body, "contract-task");
    started.setDaemon(true);
    started.start();
    return started;
  }

  private static Thread virtual(Runnable body) {
    try {
      // Not in the JDK that this is compiled for.
      return (Thread)
          Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, body);
    } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException e) {
      throw new IllegalStateException(e);
    }
  }

  void interrupt() {
    thread.interrupt();
  }

  Thread thread() {
    return thread;
  }

  /** Completes as the task does. */
  CompletionStage<T> stage() {
    return outcome;
  }

  boolean isDone() {
    return outcome.isDone();
  }

  /** What the task returned; what it threw is thrown. */
  T get() throws Exception {
    return Eventually.get(outcome);
  }

  /** What the task threw. */
  Throwable failure() throws InterruptedException {
    return Eventually.failure(outcome);
  }
}
