package io.arraywire.engine;

import io.arraywire.ArrayHandler;
import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import org.jspecify.annotations.Nullable;

/** What the receiving half asks of the connection that it is a part of. Any thread. */
interface InboundScope extends ConnectionScope {
  /** The connection that users meet: handlers are called with it. */
  Connection userConnection();

  /** Keeps arrays of a channel from being handed out twice; null where they come once. */
  @Nullable DeliveryGuard guard(int channel);

  /**
   * The handler has had the last array of one channel. After that of the last channel it is told
   * so, and the connection closes. Called without the lock.
   *
   * @param cause what the connection failed with; null if it ended in order
   */
  void handlerOver(ArrayHandler handler, @Nullable ArraywireException cause);
}
