package io.arraywire.testkit;

import io.arraywire.ArrayHandler;
import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.ReceivedArray;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Passes everything on, and gives away the connection that the first array came from. */
final class HandlerWithConnection implements ArrayHandler {
  private final ArrayHandler next;
  private final CompletableFuture<Connection> connection = new CompletableFuture<>();

  HandlerWithConnection(ArrayHandler next) {
    this.next = next;
  }

  @Override
  public void onArray(Connection from, ReceivedArray array) throws Exception {
    connection.complete(from);
    next.onArray(from, array);
  }

  @Override
  public void onClosed(Connection from, @Nullable ArraywireException cause) {
    next.onClosed(from, cause);
  }

  Connection connection() throws Exception {
    return Eventually.get(connection);
  }
}
