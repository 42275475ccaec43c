package io.arraywire.client;

import io.arraywire.ArrayHandler;
import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.Handlers;
import io.arraywire.ReceivedArray;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A user's handlers, and a function that also hears when their connection has ended. */
final class WatchedHandlers {
  private WatchedHandlers() {}

  static Handlers of(Handlers users, Consumer<@Nullable ArraywireException> ended) {
    Handlers watched =
        Handlers.ofArrays(
            new ArrayHandler() {
              @Override
              public void onArray(Connection connection, ReceivedArray array) throws Exception {
                users.arrays().onArray(connection, array);
              }

              @Override
              public void onClosed(Connection connection, @Nullable ArraywireException cause) {
                try {
                  ended.accept(cause);
                } finally {
                  users.closed(connection, cause);
                }
              }
            });
    if (users.targets() != null) {
      watched = watched.withTargets(users.targets());
    }
    if (users.requests() != null) {
      watched = watched.withRequests(users.requests());
    }
    return users.isOnLoop() ? watched.onLoop() : watched;
  }
}
