package io.arraywire.client;

import io.arraywire.ArraywireException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Holds the news that a connection has ended until the {@link Connection} is there, too. The news
 * may come before the attempt that made the connection has returned it. The two may come from
 * different threads.
 */
final class ConnectionEnd {
  private final BiConsumer<OpenConnection, @Nullable ArraywireException> action;
  private final AtomicBoolean first = new AtomicBoolean();
  private volatile @Nullable ArraywireException cause;
  private volatile @Nullable OpenConnection connection;

  /**
   * Waits for both.
   *
   * @param action called once, with the connection and why it failed, null after an orderly end
   */
  ConnectionEnd(BiConsumer<OpenConnection, @Nullable ArraywireException> action) {
    this.action = action;
  }

  /** The connection has ended. */
  void ended(@Nullable ArraywireException why) {
    cause = why;
    meet();
  }

  /** The connection is known. */
  void of(OpenConnection known) {
    connection = known;
    meet();
  }

  private void meet() {
    boolean second = !first.compareAndSet(false, true);
    OpenConnection over = connection;
    if (second && over != null) {
      action.accept(over, cause);
    }
  }
}
