package io.arraywire.client;

import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** Closes the connections of a client, all at the same time. Any thread. */
final class ClientDrain {
  private ClientDrain() {}

  /** Begins to close, and completes a future when all have ended, with the first failure. */
  static void begin(Endpoints endpoints, CompletableFuture<Void> drained) {
    List<Connection> connections =
        endpoints.all().stream().flatMap(endpoint -> endpoint.connections().stream()).toList();
    CompletableFuture<?>[] ends =
        connections.stream()
            .map(connection -> {
              CompletableFuture<Void> end = new CompletableFuture<>();
              try {
                endpoints.runtime().execute(() -> close(connection, end));
              } catch (OutOfMemoryError e) {
                // No thread can be had: one after the other, on this one.
                close(connection, end);
              }
              return end;
            })
            .toArray(CompletableFuture<?>[]::new);
    CompletableFuture<Void> unused =
        CompletableFuture.allOf(ends).whenComplete((nothing, thrown) -> complete(drained, thrown));
  }

  /** Closes a connection, and says so. */
  static void close(Connection connection, CompletableFuture<Void> end) {
    try {
      connection.close();
      end.complete(null);
    } catch (ArraywireException | RuntimeException | Error e) {
      end.completeExceptionally(e);
    }
  }

  private static void complete(CompletableFuture<Void> drained, @Nullable Throwable thrown) {
    if (thrown == null) {
      drained.complete(null);
    } else {
      Throwable cause = thrown.getCause();
      drained.completeExceptionally(cause == null ? thrown : cause);
    }
  }

  /** Waits; an interrupted caller stops waiting, and its thread stays interrupted. */
  static void await(CompletableFuture<Void> drained) throws ArraywireException {
    try {
      drained.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof ArraywireException typed) {
        throw typed.forCaller();
      }
      throw new IllegalStateException("closing a connection fails with typed errors only", e);
    }
  }
}
