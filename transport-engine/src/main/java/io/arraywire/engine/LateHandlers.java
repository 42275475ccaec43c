package io.arraywire.engine;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/**
 * The connections that have ended while their handler still has arrays that came before. Beside the
 * connections, each of which has to be small. Any thread.
 */
final class LateHandlers {
  /** Weak, since an executor that refuses the last task leaves a handler that is never over. */
  @GuardedBy("this")
  private final Map<ConnectionScope, CompletableFuture<Void>> late = new WeakHashMap<>();

  /** A connection has ended before its handler has had everything. */
  synchronized void ended(ConnectionScope connection) {
    late.put(connection, new CompletableFuture<>());
  }

  /** The handler of a connection has had everything, and was told of the end. */
  void over(ConnectionScope connection) {
    CompletableFuture<Void> waited;
    synchronized (this) {
      waited = late.remove(connection);
    }
    if (waited != null) {
      waited.complete(null);
    }
  }

  /** One for each of these connections; it completes when the handler is over. */
  synchronized List<CompletableFuture<Void>> of(Predicate<ConnectionScope> wanted) {
    List<CompletableFuture<Void>> waits = new ArrayList<>();
    late.forEach((connection, over) -> {
      if (wanted.test(connection)) {
        waits.add(over);
      }
    });
    return waits;
  }
}
