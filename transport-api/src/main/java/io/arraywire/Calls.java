package io.arraywire;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** Waits for the reply of a request. */
final class Calls {
  private Calls() {}

  static ReceivedArray await(CompletableFuture<ReceivedArray> reply)
      throws ArraywireException, InterruptedException {
    try {
      return reply.get();
    } catch (InterruptedException e) {
      // Afterwards nobody touches the caller's arrays any more.
      reply.cancel(true);
      throw e;
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      if (cause instanceof ArraywireException typed) {
        // It is the future's, whose thread made it.
        throw typed.forCaller();
      }
      if (cause instanceof Error error) {
        throw error;
      }
      throw new IllegalStateException(
          "a request failed with an exception that requests do not throw", cause);
    } catch (CancellationException e) {
      throw new IllegalStateException("a request was cancelled, though nothing here cancels it", e);
    }
  }
}
